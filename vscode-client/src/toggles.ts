/**
 * Turns completions on or off for a language or a folder: writes the setting `fim-lsp.enable` at that level.
 */
import * as vscode from "vscode";
import { t } from "./l10n";
import { SECTION } from "./session";

interface Toggle extends vscode.QuickPickItem {
  readonly turn: () => Thenable<void>;
}

export async function toggleSomewhere(editor: vscode.TextEditor | undefined): Promise<void> {
  if (editor === undefined) {
    return;
  }
  const chosen = await vscode.window.showQuickPick(toggles(editor.document), {
    title: "fim-lsp",
    placeHolder: t("Where should completions be turned on or off?"),
  });
  await chosen?.turn();
}

function toggles(document: vscode.TextDocument): readonly Toggle[] {
  const ofLanguage = vscode.workspace.getConfiguration(SECTION, document);
  const isOn = ofLanguage.get("enable", true);
  const label = isOn
    ? t("Turn off for {0} files", document.languageId)
    : t("Turn on for {0} files", document.languageId);
  const language: Toggle = {
    label,
    description: t("in all folders"),
    turn: () => ofLanguage.update("enable", !isOn, vscode.ConfigurationTarget.Global, true),
  };
  const folder = vscode.workspace.getWorkspaceFolder(document.uri);
  return folder === undefined || !vscode.workspace.isTrusted ? [language] : [language, ofFolder(folder)];
}

function ofFolder(folder: vscode.WorkspaceFolder): Toggle {
  const settings = vscode.workspace.getConfiguration(SECTION, folder.uri);
  const isOn = settings.get("enable", true);
  return {
    label: isOn ? t("Turn off in the folder {0}", folder.name) : t("Turn on in the folder {0}", folder.name),
    description: t("in all languages"),
    turn: () => settings.update("enable", !isOn, vscode.ConfigurationTarget.WorkspaceFolder),
  };
}
