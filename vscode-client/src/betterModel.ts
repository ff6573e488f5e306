/** The only notice of the first minute: the present model, and the better one for this machine. */
import * as vscode from "vscode";
import { t } from "./l10n";
import { type ModelOffer, offeredModel } from "./models";
import { fetchModel, listModels } from "./modelsProgram";
import { type Program, SECTION } from "./session";

/** The key of the user's answer: never again, or not before a time. */
const ANSWER = "betterModel";
const NEVER = "never";
const DAY = 86_400_000;

/** Whether the notice was shown. It is not shown for a model that the user has chosen. */
export async function offerBetterModel(
  state: vscode.Memento,
  command: Program | undefined,
): Promise<boolean> {
  const answer = state.get<string | number>(ANSWER, 0);
  if (answer === NEVER || Number(answer) > Date.now() || isChosen()) {
    return false;
  }
  const offer = offeredModel(await listModels(command));
  if (offer === undefined || isChosen()) {
    // The look takes a second of processor time, and a new model tomorrow is unlikely.
    await state.update(ANSWER, Date.now() + DAY);
    return false;
  }
  void show(offer, state, command);
  return true;
}

async function show(offer: ModelOffer, state: vscode.Memento, command: Program | undefined): Promise<void> {
  // Closing the notice, or the window, is not an answer.
  await state.update(ANSWER, Date.now() + 7 * DAY);
  const [later, never] = [t("Not now"), t("Never")];
  const said = await vscode.window.showInformationMessage(offer.sentence, offer.button, later, never);
  if (said === never) {
    await state.update(ANSWER, NEVER);
  } else if (said === offer.button) {
    const model =
      "use" in offer.act ? offer.act.use : await fetchModel(offer.act.download, offer.title, command);
    if (model !== undefined) {
      const settings = vscode.workspace.getConfiguration(SECTION);
      await settings.update("model", model, vscode.ConfigurationTarget.Global);
    }
  }
}

function isChosen(): boolean {
  return vscode.workspace.getConfiguration(SECTION, { languageId: "python" }).get("model", "") !== "";
}
