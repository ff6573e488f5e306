/**
 * Draws a next edit: struck old text, new text beside it, a mark in the margin, a hint if it is out of sight.
 */
import * as vscode from "vscode";
import { t } from "./l10n";
import { direction, type NextEdit, nameOf, onOneLine, pieces } from "./nextEdit";

/** An arrow that points to the line. */
const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M2 7h7V4l5 4-5 4V9H2z" fill="#3794ff"/></svg>`;

export class NextEditDrawing implements vscode.Disposable {
  private readonly old = vscode.window.createTextEditorDecorationType({
    textDecoration: "line-through",
    backgroundColor: new vscode.ThemeColor("diffEditor.removedTextBackground"),
  });
  private readonly added = vscode.window.createTextEditorDecorationType({});
  private readonly mark = vscode.window.createTextEditorDecorationType({
    gutterIconPath: vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(MARK).toString("base64")}`),
    gutterIconSize: "contain",
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.modifiedForeground"),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
  private readonly hint = vscode.window.createTextEditorDecorationType({});

  dispose(): void {
    vscode.Disposable.from(this.old, this.added, this.mark, this.hint).dispose();
  }

  erase(editor: vscode.TextEditor): void {
    for (const type of [this.old, this.added, this.mark, this.hint]) {
      editor.setDecorations(type, []);
    }
  }

  draw(editor: vscode.TextEditor, edit: NextEdit): void {
    const { document } = editor;
    const range = rangeOf(edit);
    const hoverMessage = description(document, edit);
    const also = (edit.additionalTextEdits ?? []).flatMap((one) =>
      drawnOf(document, rangeOf(one), one.newText),
    );
    const drawn = [...also, ...drawnOf(document, range, edit.text)];
    const struck = drawn.map(({ struck }) => struck).filter(({ isEmpty }) => !isEmpty);
    editor.setDecorations(
      this.old,
      struck.map((range) => ({ range, hoverMessage })),
    );
    const backgroundColor = new vscode.ThemeColor("diffEditor.insertedTextBackground");
    editor.setDecorations(
      this.added,
      drawn
        .filter(({ contentText }) => contentText !== "")
        .map(({ struck: { end }, contentText }) => ({
          range: new vscode.Range(end, end),
          hoverMessage,
          renderOptions: { after: { contentText, backgroundColor } },
        })),
    );
    const marked = drawn.map(({ struck: { start } }) => ({
      range: new vscode.Range(start, start),
      hoverMessage,
    }));
    editor.setDecorations(this.mark, marked);
    this.drawHint(editor, range.start.line);
  }

  /** At the end of the cursor's line, if the edit is off the screen. */
  drawHint(editor: vscode.TextEditor, line: number): void {
    const seen = editor.visibleRanges;
    const [first, last] = [seen[0]?.start.line ?? 0, seen.at(-1)?.end.line ?? 0];
    const where = direction(line, first, last);
    const contentText =
      where === "above"
        ? t("↑ next edit in line {0}: Tab", line + 1)
        : t("↓ next edit in line {0}: Tab", line + 1);
    this.sayAtCursor(editor, where === "" ? "" : contentText);
  }

  /** At the end of the cursor's line, for an edit of another document. */
  drawElsewhere(editor: vscode.TextEditor, { textDocument, range }: NextEdit): void {
    this.sayAtCursor(
      editor,
      t("→ next edit in {0}, line {1}: Tab", nameOf(textDocument.uri), range.start.line + 1),
    );
  }

  private sayAtCursor(editor: vscode.TextEditor, contentText: string): void {
    const { range } = editor.document.lineAt(editor.selection.active.line);
    const after = {
      contentText,
      color: new vscode.ThemeColor("editorCodeLens.foreground"),
      margin: "0 0 0 2em",
      fontStyle: "italic",
    };
    editor.setDecorations(
      this.hint,
      contentText === "" ? [] : [{ range: new vscode.Range(range.end, range.end), renderOptions: { after } }],
    );
  }
}

/** The struck ranges, and the text beside them. */
function drawnOf(document: vscode.TextDocument, range: vscode.Range, written: string) {
  const start = document.offsetAt(range.start);
  return pieces(document.getText(range), written).map(({ from, to, text }) => ({
    struck: new vscode.Range(document.positionAt(start + from), document.positionAt(start + to)),
    contentText: onOneLine(text),
  }));
}

export function rangeOf({ range: { start, end } }: Pick<NextEdit, "range">): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

/** The hover text of an edit: the reason, and the whole edit. */
function description(document: vscode.TextDocument, edit: NextEdit): vscode.MarkdownString {
  const old = document.getText(rangeOf(edit)).split("\n");
  const also = (edit.additionalTextEdits ?? []).map(({ newText }) => `+ ${newText.trim()}`);
  const lines = [
    ...also,
    ...old.map((line) => `- ${line}`),
    ...edit.text.split("\n").map((line) => `+ ${line}`),
  ];
  const said = new vscode.MarkdownString();
  said.appendText(edit.reason ?? "");
  return said.appendCodeblock(lines.join("\n"), "diff");
}
