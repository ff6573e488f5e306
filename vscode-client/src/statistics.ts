/**
 * The counts of shown and accepted offers, by day and file, and their page. Pure. `counting.ts` stores them
 * on this machine.
 */
import { escapeHtml } from "./html";
import { t } from "./l10n";
import type { Page } from "./pages";

export interface Counts {
  readonly shown: number;
  /** Accepted as a whole. */
  readonly accepted: number;
  /** Accepted in parts: words or lines. */
  readonly parts: number;
  /** The characters that did not have to be typed. */
  readonly characters: number;
}

/** By day, such as `2026-11-22`, and by file. */
export type Statistics = Readonly<Record<string, Readonly<Record<string, Counts>>>>;

export const NONE: Counts = { shown: 0, accepted: 0, parts: 0, characters: 0 };
/** Older days are forgotten. */
const MOST_DAYS = 90;
const PLOTTED_DAYS = 14;
const LISTED_FILES = 20;
/** The plot, in its own units: a bar's place and height, and the space above the highest one. */
const DAY_WIDTH = 40;
const GAP = 6;
const BAR_HEIGHT = 120;
const TOP = 20;

export function addCounts(known: Statistics, day: string, file: string, more: Partial<Counts>): Statistics {
  const today = known[day] ?? {};
  const days = { ...known, [day]: { ...today, [file]: sum([today[file] ?? NONE, { ...NONE, ...more }]) } };
  return Object.fromEntries(Object.entries(days).sort().slice(-MOST_DAYS));
}

export function sum(counts: readonly Counts[]): Counts {
  return counts.reduce(
    (all, one) => ({
      shown: all.shown + one.shown,
      accepted: all.accepted + one.accepted,
      parts: all.parts + one.parts,
      characters: all.characters + one.characters,
    }),
    NONE,
  );
}

/** The day of a moment in the user's time zone. */
export function dayOf(moment: Date): string {
  const digits = (n: number) => String(n).padStart(2, "0");
  return `${moment.getFullYear()}-${digits(moment.getMonth() + 1)}-${digits(moment.getDate())}`;
}

export function page(known: Statistics, today: Date, isCounting: boolean): Page {
  const title = t("What was offered and accepted");
  const all = sum(Object.values(known).flatMap((files) => Object.values(files)));
  const parts = [quiet(t("The counts stay on this machine."))];
  if (!isCounting) {
    parts.push(quiet(t("Nothing is counted, because the setting fim-lsp.statistics is off.")));
  }
  if (all.shown === 0 && all.characters === 0) {
    parts.push(`<p>${escapeHtml(t("Nothing has been counted in this workspace yet."))}</p>`);
    return { title, body: parts.join("\n") };
  }
  parts.push(
    figures([
      [t("Characters saved"), all.characters],
      [t("Offers shown"), all.shown],
      [t("Accepted whole"), all.accepted],
      [t("Accepted in parts"), all.parts],
    ]),
    `<h2>${escapeHtml(t("Characters saved, by day"))}</h2>`,
    plot(known, today),
    `<h2>${escapeHtml(t("By file"))}</h2>`,
    table(known),
  );
  return { title, body: parts.join("\n") };
}

function quiet(text: string): string {
  return `<p class="quiet">${escapeHtml(text)}</p>`;
}

function figures(all: readonly (readonly [string, number])[]): string {
  const each = all.map(([name, n]) => `<div><dt>${escapeHtml(name)}</dt><dd>${n}</dd></div>`);
  return `<dl class="figures">${each.join("")}</dl>`;
}

/** The last days, a bar for each, with its number above and its day below. */
function plot(known: Statistics, today: Date): string {
  const days = Array.from({ length: PLOTTED_DAYS }, (_, index) => {
    const [year, month] = [today.getFullYear(), today.getMonth()];
    return new Date(year, month, today.getDate() - PLOTTED_DAYS + 1 + index);
  });
  const saved = days.map((day) => sum(Object.values(known[dayOf(day)] ?? {})).characters);
  const most = Math.max(1, ...saved);
  const bars = days.map((day, index) => {
    const n = saved[index] ?? 0;
    const height = n === 0 ? 0 : Math.max(2, Math.round((BAR_HEIGHT * n) / most));
    const [left, top] = [index * DAY_WIDTH, TOP + BAR_HEIGHT - height];
    const middle = left + DAY_WIDTH / 2;
    const number = n === 0 ? "" : `<text x="${middle}" y="${top - 4}" text-anchor="middle">${n}</text>`;
    return (
      `<g><title>${dayOf(day)}: ${n}</title>` +
      `<rect x="${left + GAP}" y="${top}" width="${DAY_WIDTH - 2 * GAP}" height="${height}"/>${number}` +
      `<text x="${middle}" y="${TOP + BAR_HEIGHT + 15}" text-anchor="middle">${day.getDate()}.</text></g>`
    );
  });
  const [width, height] = [PLOTTED_DAYS * DAY_WIDTH, TOP + BAR_HEIGHT + 20];
  const ground = `<line x1="0" x2="${width}" y1="${TOP + BAR_HEIGHT}" y2="${TOP + BAR_HEIGHT}"/>`;
  const said = days.map((day, index) => `${dayOf(day)}: ${saved[index] ?? 0}`).join(", ");
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${said}">${bars.join("")}${ground}</svg>`;
}

function table(known: Statistics): string {
  const byFile = new Map<string, Counts[]>();
  for (const files of Object.values(known)) {
    for (const [file, counts] of Object.entries(files)) {
      byFile.set(file, [...(byFile.get(file) ?? []), counts]);
    }
  }
  const rows = [...byFile].map(([file, counts]) => ({ file, ...sum(counts) }));
  rows.sort((one, other) => other.characters - one.characters || other.shown - one.shown);
  const heads = [t("file"), t("shown"), t("accepted"), t("in parts"), t("characters")];
  const cells = rows
    .slice(0, LISTED_FILES)
    .map(({ file, shown, accepted, parts, characters }) => [file, shown, accepted, parts, characters]);
  return `<table>${row("th", heads)}${cells.map((one) => row("td", one)).join("")}</table>`;
}

function row(cell: "th" | "td", values: readonly (string | number)[]): string {
  return `<tr>${values.map((value) => `<${cell === "th" ? 'th scope="col"' : cell}>${escapeHtml(String(value))}</${cell}>`).join("")}</tr>`;
}
