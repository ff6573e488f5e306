/**
 * Choosing a model: the list, a folder, a server's address that is tested, a download with progress. Facts
 * about models come from the server's program (`fim-lsp models`).
 */
import * as vscode from "vscode";
import { t } from "./l10n";
import { type Act, type Choice, choices, type Listing } from "./models";
import { fetchModel, listModels, tryModel } from "./modelsProgram";
import { asKept, KEPT_AS, placeOf } from "./serverKey";
import { type Program, SECTION } from "./session";

export async function chooseModel(command: Program | undefined): Promise<void> {
  const inUse = vscode.workspace.getConfiguration(SECTION, { languageId: "python" }).get("model", "");
  // The list opens at once, because its entries take a moment.
  const listing = listModels(command);
  const chosen = await vscode.window.showQuickPick<vscode.QuickPickItem & Partial<Choice>>(
    listing.then((found) => items(found, inUse)),
    {
      title: "fim-lsp",
      placeHolder: t("The model that completes"),
      matchOnDescription: true,
      matchOnDetail: true,
    },
  );
  if (chosen?.act === undefined) {
    return;
  }
  const model = await modelFor(chosen.act, command, await listing);
  if (model !== undefined) {
    await keep(model);
  }
}

function items(listing: Listing, inUse: string): (vscode.QuickPickItem & Partial<Choice>)[] {
  return choices(listing, inUse).flatMap(({ title, choices: found }) => [
    { label: title, kind: vscode.QuickPickItemKind.Separator },
    ...found,
  ]);
}

/** The new value of the setting; undefined for no change. */
async function modelFor(
  act: Act,
  command: Program | undefined,
  listing: Listing,
): Promise<string | undefined> {
  if ("use" in act) {
    return act.use;
  }
  if ("download" in act) {
    return fetchModel(act.download, act.title, command);
  }
  switch (act.ask) {
    case "folder":
      return onDisk(command, {
        canSelectFolders: true,
        canSelectFiles: false,
        title: t("The folder of a model"),
      });
    case "file":
      if (listing.has_llama === false) {
        return elsewhere(
          t(
            "GGUF files need llama.cpp, and the one in the server does not run on this system. Install fim-lsp[llama] into an environment of your own, and set fim-lsp.python to its Python; or run llama-server, and enter its address.",
          ),
        );
      }
      return onDisk(command, { filters: { GGUF: ["gguf"] }, title: t("The GGUF file of a model") });
    case "address":
      return address(command);
    case "name": {
      const prompt = t(
        "A file on the hub, as owner/repository/file.gguf, or a model for PyTorch, as owner/repository",
      );
      const name = await vscode.window.showInputBox({ title: "fim-lsp", prompt });
      return name ? byName(name, command, listing) : undefined;
    }
  }
}

/** Chooses an existing model, unless it cannot be used. */
async function onDisk(
  command: Program | undefined,
  options: vscode.OpenDialogOptions,
): Promise<string | undefined> {
  const [chosen] = (await vscode.window.showOpenDialog(options)) ?? [];
  if (chosen === undefined) {
    return undefined;
  }
  const trial = await tryModel(chosen.fsPath, command);
  if (!trial.is_usable) {
    void vscode.window.showErrorMessage(`fim-lsp: ${trial.message}`);
    return undefined;
  }
  return chosen.fsPath;
}

/**
 * Asks for the present server's key, and stores it; an empty one deletes it. Returns whether anything
 * changed.
 */
export async function askForKey(secrets: vscode.SecretStorage): Promise<boolean> {
  const model = vscode.workspace.getConfiguration(SECTION, { languageId: "python" }).get("model", "");
  const place = placeOf(model);
  if (place === undefined) {
    void vscode.window.showInformationMessage(
      t("A key belongs to a server: first choose a server's address as the model."),
    );
    return false;
  }
  const key = await vscode.window.showInputBox({
    title: t("The API key of the model's server"),
    prompt: t(
      "VS Code keeps it among its secrets, and it is sent only to {0}. Leave it empty to delete it.",
      place,
    ),
    password: true,
    ignoreFocusOut: true,
  });
  if (key === undefined) {
    return false;
  }
  await (key.trim() === ""
    ? secrets.delete(KEPT_AS)
    : secrets.store(KEPT_AS, asKept({ key: key.trim(), place })));
  return true;
}

/**
 * Asks for a server's address, which a button tests. An address that does not answer is used at the second
 * Enter.
 */
function address(command: Program | undefined): Promise<string | undefined> {
  const box = vscode.window.createInputBox();
  box.title = t("The address of a server");
  box.value = "http://127.0.0.1:8080";
  box.prompt = t("If the server has several models, add #name. The button tries the address.");
  box.buttons = [{ iconPath: new vscode.ThemeIcon("debug-start"), tooltip: t("Try this server") }];
  let refused: string | undefined;
  const trial = async (): Promise<boolean> => {
    box.busy = true;
    box.enabled = false;
    const { is_usable: isUsable, message } = await tryModel(box.value, command);
    box.enabled = true;
    box.busy = false;
    const severity = isUsable
      ? vscode.InputBoxValidationSeverity.Info
      : vscode.InputBoxValidationSeverity.Error;
    box.validationMessage = {
      message: isUsable ? t("It answers: {0}", message) : `${message} ${t("Press Enter to use it anyway.")}`,
      severity,
    };
    refused = isUsable ? undefined : box.value;
    return isUsable;
  };
  return new Promise((resolve) => {
    box.onDidTriggerButton(trial);
    box.onDidChangeValue(() => {
      box.validationMessage = undefined;
    });
    box.onDidAccept(async () => {
      if (box.value !== "" && (refused === box.value || (await trial()))) {
        resolve(box.value);
        box.hide();
      }
    });
    box.onDidHide(() => {
      box.dispose();
      resolve(undefined);
    });
    box.show();
  });
}

/** A file of the hub, or a folder for PyTorch. */
async function byName(
  name: string,
  command: Program | undefined,
  listing: Listing,
): Promise<string | undefined> {
  if (!listing.has_torch && !name.toLowerCase().endsWith(".gguf")) {
    return elsewhere(
      t(
        "Models of the hub other than GGUF files need PyTorch, which is not installed with the server. Name a GGUF file as owner/repository/file.gguf; or install fim-lsp[torch] into an environment of your own, and set fim-lsp.python to its Python.",
      ),
    );
  }
  return fetchModel(name, name, command);
}

/** Reports what the server's environment lacks, and shows the setting for another one. Nothing is chosen. */
async function elsewhere(message: string): Promise<undefined> {
  const settings = t("Open the settings");
  if ((await vscode.window.showErrorMessage(message, settings)) === settings) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "fim-lsp.python");
  }
  return undefined;
}

/** Writes the setting at the user's level; an untrusted folder cannot set it. */
async function keep(model: string): Promise<void> {
  const settings = vscode.workspace.getConfiguration(SECTION);
  const hasWorkspace = vscode.workspace.isTrusted && (vscode.workspace.workspaceFolders ?? []).length > 0;
  const places = [
    { label: t("In all folders"), target: vscode.ConfigurationTarget.Global },
    { label: t("In this workspace only"), target: vscode.ConfigurationTarget.Workspace },
  ];
  const place = hasWorkspace
    ? await vscode.window.showQuickPick(places, {
        title: "fim-lsp",
        placeHolder: t("Where should it complete?"),
      })
    : places[0];
  if (place !== undefined) {
    if (
      place.target === vscode.ConfigurationTarget.Global &&
      settings.inspect("model")?.workspaceValue !== undefined
    ) {
      // The workspace's setting has priority over the user's.
      await settings.update("model", undefined, vscode.ConfigurationTarget.Workspace);
    }
    await settings.update("model", model, place.target);
  }
}
