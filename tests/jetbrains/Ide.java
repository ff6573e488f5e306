import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.eclipse.lsp4j.*;
import org.eclipse.lsp4j.jsonrpc.Launcher;
import org.eclipse.lsp4j.jsonrpc.ResponseErrorException;
import org.eclipse.lsp4j.jsonrpc.messages.Either;
import org.eclipse.lsp4j.launch.LSPLauncher;
import org.eclipse.lsp4j.services.LanguageClient;
import org.eclipse.lsp4j.services.LanguageServer;

/**
 * An IDE with one document, as LSP4IJ presents it to a server. Each line on stdin is a step in JSON, such as
 * `{"do": "ask"}`; a line on stdout has its result. Arguments: the open folder, the plugin's settings as
 * JSON, the server's command.
 */
public class Ide implements LanguageClient {
  private static final long PATIENCE = 60;
  private static final Gson GSON = new Gson();

  private final JsonObject settings;
  private final List<String> heard = new ArrayList<>();
  private LanguageServer server;
  private String uri;
  private String text;
  private int cursor;
  private int version;
  private CompletableFuture<?> asked;
  private List<InlineCompletionItem> items = List.of();

  private Ide(JsonObject settings) {
    this.settings = settings;
  }

  public static void main(String[] arguments) throws Exception {
    Thread.setDefaultUncaughtExceptionHandler((thread, error) -> {
      error.printStackTrace();
      System.exit(1);
    });
    Ide ide = new Ide(JsonParser.parseString(arguments[1]).getAsJsonObject());
    Process process = new ProcessBuilder(List.of(arguments).subList(2, arguments.length))
        .redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Launcher<LanguageServer> launcher = LSPLauncher.createClientLauncher(ide, process.getInputStream(), process.getOutputStream());
    ide.server = launcher.getRemoteProxy();
    launcher.startListening();
    answer(Map.of("offers", ide.start(Path.of(arguments[0]))));
    BufferedReader steps = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = steps.readLine(); line != null; line = steps.readLine()) {
      answer(ide.take(JsonParser.parseString(line).getAsJsonObject()));
    }
    ide.server.shutdown().get(PATIENCE, TimeUnit.SECONDS);
    ide.server.exit();
    boolean hasEnded = process.waitFor(PATIENCE, TimeUnit.SECONDS);
    answer(Map.of("exit", hasEnded ? process.exitValue() : -1, "heard", ide.heard));
    System.exit(0);
  }

  private static void answer(Object value) {
    System.out.println(GSON.toJson(value));
  }

  private boolean start(Path folder) throws Exception {
    String root = folder.toUri().toString();
    InitializeParams params = new InitializeParams();
    params.setProcessId((int) ProcessHandle.current().pid());
    params.setRootUri(root);
    params.setWorkspaceFolders(List.of(new WorkspaceFolder(root, folder.getFileName().toString())));
    params.setClientInfo(new ClientInfo("PyCharm 2026.1", "PyCharm (build PY-261.22158.340)"));
    params.setTrace(TraceValue.Off);
    params.setInitializationOptions(new JsonObject());
    params.setCapabilities(Capabilities.ofThePlugin());
    ServerCapabilities can = server.initialize(params).get(PATIENCE, TimeUnit.SECONDS).getCapabilities();
    server.initialized(new InitializedParams());
    // A user-defined server is sent its settings, and requests them besides.
    server.getWorkspaceService().didChangeConfiguration(new DidChangeConfigurationParams(settings));
    Either<Boolean, InlineCompletionRegistrationOptions> offered = can.getInlineCompletionProvider();
    return offered != null && (offered.isRight() || offered.getLeft());
  }

  private Object take(JsonObject step) throws Exception {
    switch (step.get("do").getAsString()) {
      case "open" -> {
        String marked = step.get("text").getAsString();
        cursor = marked.indexOf("$0");
        text = marked.replace("$0", "");
        uri = step.get("uri").getAsString();
        version = 0;
        server.getTextDocumentService().didOpen(
            new DidOpenTextDocumentParams(new TextDocumentItem(uri, step.get("language").getAsString(), version, text)));
        return Map.of();
      }
      case "type" -> {
        String typed = step.get("text").getAsString();
        String closer = step.get("closer").getAsString();
        change(cursor, 0, typed);
        cursor += typed.length();
        if (!closer.isEmpty()) {
          change(cursor, 0, closer);
        }
        return Map.of();
      }
      case "ask" -> {
        return offers(position(cursor));
      }
      case "ask too early" -> {
        // The plugin writes each message in a task of its own, so a change may arrive after a later request.
        return offers(new Position(position(text.length()).getLine() + 3, 40));
      }
      case "ask and go" -> {
        asked = inline(position(cursor));
        return Map.of("cancelled", asked.cancel(true));
      }
      case "accept" -> {
        return accepted(items.get(step.get("number").getAsInt()));
      }
      default -> throw new IllegalArgumentException(step.toString());
    }
  }

  private CompletableFuture<Either<List<InlineCompletionItem>, InlineCompletionList>> inline(Position position) {
    InlineCompletionContext context = new InlineCompletionContext();
    context.setTriggerKind(InlineCompletionTriggerKind.Automatic);
    InlineCompletionParams params = new InlineCompletionParams();
    params.setTextDocument(new TextDocumentIdentifier(uri));
    params.setPosition(position);
    params.setContext(context);
    return server.getTextDocumentService().inlineCompletion(params);
  }

  /** The grey text; an error is shown as a notification. */
  private Object offers(Position position) throws Exception {
    try {
      var result = inline(position).get(PATIENCE, TimeUnit.SECONDS);
      items = result == null ? List.of() : result.isLeft() ? result.getLeft() : result.getRight().getItems();
      return Map.of("grey", items.stream().map(this::grey).toList());
    } catch (ExecutionException error) {
      if (error.getCause() instanceof ResponseErrorException refused) {
        return Map.of("notified", refused.getResponseError().toString());
      }
      throw error;
    }
  }

  private static String inserted(InlineCompletionItem item) {
    Either<String, StringValue> said = item.getInsertText();
    return said.isLeft() ? said.getLeft() : said.getRight().getValue();
  }

  /** The text behind the cursor: if the range begins in front of it, existing text is not shown again. */
  private String grey(InlineCompletionItem item) {
    int start = item.getRange() == null ? cursor : offset(item.getRange().getStart());
    int typed = cursor - start;
    String whole = inserted(item);
    return start < cursor && typed < whole.length() ? whole.substring(typed) : whole;
  }

  /** The IDE skips the text that a range covers behind the cursor, and inserts the grey text behind it. */
  private Object accepted(InlineCompletionItem item) {
    String grey = grey(item);
    int at = item.getRange() == null ? cursor : Math.max(cursor, offset(item.getRange().getEnd()));
    change(at, 0, grey);
    cursor = at + grey.length();
    return Map.of("text", text);
  }

  @SuppressWarnings("deprecation")
  private void change(int start, int length, String replacement) {
    Range range = new Range(position(start), position(start + length));
    TextDocumentContentChangeEvent event = new TextDocumentContentChangeEvent(range, replacement);
    event.setRangeLength(length);
    text = text.substring(0, start) + replacement + text.substring(start + length);
    server.getTextDocumentService().didChange(new DidChangeTextDocumentParams(
        new VersionedTextDocumentIdentifier(uri, ++version), List.of(event)));
  }

  private Position position(int offset) {
    int lineStart = text.lastIndexOf('\n', offset - 1) + 1;
    return new Position((int) text.substring(0, offset).chars().filter(one -> one == '\n').count(), offset - lineStart);
  }

  private int offset(Position position) {
    int start = 0;
    for (int line = 0; line < position.getLine(); line++) {
      start = text.indexOf('\n', start) + 1;
    }
    return start + position.getCharacter();
  }

  @Override
  public CompletableFuture<List<Object>> configuration(ConfigurationParams params) {
    List<Object> found = new ArrayList<>();
    for (ConfigurationItem item : params.getItems()) {
      JsonElement value = settings.get(item.getSection());
      found.add(value == null ? JsonNull.INSTANCE : value);
    }
    return CompletableFuture.completedFuture(found);
  }

  @Override
  public CompletableFuture<Void> registerCapability(RegistrationParams params) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletableFuture<Void> unregisterCapability(UnregistrationParams params) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletableFuture<Void> createProgress(WorkDoneProgressCreateParams params) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void notifyProgress(ProgressParams params) {}

  @Override
  public CompletableFuture<ApplyWorkspaceEditResponse> applyEdit(ApplyWorkspaceEditParams params) {
    return CompletableFuture.completedFuture(new ApplyWorkspaceEditResponse(true));
  }

  @Override
  public void telemetryEvent(Object object) {}

  @Override
  public void publishDiagnostics(PublishDiagnosticsParams diagnostics) {}

  @Override
  public void showMessage(MessageParams message) {
    heard.add(message.getMessage());
  }

  @Override
  public CompletableFuture<MessageActionItem> showMessageRequest(ShowMessageRequestParams params) {
    heard.add(params.getMessage());
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void logMessage(MessageParams message) {}
}

/** The plugin's capabilities that matter to a completion server. */
final class Capabilities {
  private Capabilities() {}

  static ClientCapabilities ofThePlugin() {
    ClientCapabilities all = new ClientCapabilities(workspace(), document(), window(), null);
    StaleRequestCapabilities stale = new StaleRequestCapabilities();
    stale.setCancel(true);
    GeneralClientCapabilities general = new GeneralClientCapabilities();
    general.setStaleRequestSupport(stale);
    general.setPositionEncodings(List.of(PositionEncodingKind.UTF16));
    all.setGeneral(general);
    return all;
  }

  private static WorkspaceClientCapabilities workspace() {
    WorkspaceClientCapabilities can = new WorkspaceClientCapabilities();
    can.setApplyEdit(true);
    can.setConfiguration(true);
    can.setWorkspaceFolders(true);
    can.setExecuteCommand(new ExecuteCommandCapabilities(true));
    can.setDidChangeWatchedFiles(new DidChangeWatchedFilesCapabilities(true));
    can.setDidChangeConfiguration(new DidChangeConfigurationCapabilities(true));
    WorkspaceEditCapabilities edits = new WorkspaceEditCapabilities();
    edits.setDocumentChanges(true);
    edits.setResourceOperations(List.of(ResourceOperationKind.Create, ResourceOperationKind.Delete, ResourceOperationKind.Rename));
    can.setWorkspaceEdit(edits);
    return can;
  }

  private static TextDocumentClientCapabilities document() {
    TextDocumentClientCapabilities can = new TextDocumentClientCapabilities();
    can.setSynchronization(new SynchronizationCapabilities(true, true, true));
    CompletionItemCapabilities items = new CompletionItemCapabilities(true);
    items.setInsertTextModeSupport(
        new CompletionItemInsertTextModeSupportCapabilities(List.of(InsertTextMode.AsIs, InsertTextMode.AdjustIndentation)));
    CompletionCapabilities popup = new CompletionCapabilities(items);
    popup.setDynamicRegistration(true);
    can.setCompletion(popup);
    InlineCompletionCapabilities inline = new InlineCompletionCapabilities();
    inline.setDynamicRegistration(true);
    can.setInlineCompletion(inline);
    can.setCodeAction(new CodeActionCapabilities(true));
    return can;
  }

  private static WindowClientCapabilities window() {
    WindowClientCapabilities can = new WindowClientCapabilities();
    can.setWorkDoneProgress(true);
    can.setShowDocument(new ShowDocumentCapabilities(true));
    return can;
  }
}
