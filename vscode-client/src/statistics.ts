/**
 * What was shown and accepted, by day and file, and the page that shows it. Pure. `counting.ts` keeps it on this
 * machine.
 */
import { t } from "./l10n";

export interface Counts {
  readonly shown: number;
  /** As a whole. */
  readonly accepted: number;
  /** In parts: words or lines. */
  readonly parts: number;
  /** What nobody had to type. */
  readonly characters: number;
}

/** By day, such as `2026-11-22`, and by file. */
export type Statistics = Readonly<Record<string, Readonly<Record<string, Counts>>>>;

export const NONE: Counts = { shown: 0, accepted: 0, parts: 0, characters: 0 };
/** Older days are forgotten. */
const MOST_DAYS = 90;
const PLOTTED_DAYS = 14;
const LISTED_FILES = 20;
const WIDTH = 40;

export function counted(known: Statistics, day: string, file: string, more: Partial<Counts>): Statistics {
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

/** The day of a moment where the person is. */
export function dayOf(moment: Date): string {
  const digits = (n: number) => String(n).padStart(2, "0");
  return `${moment.getFullYear()}-${digits(moment.getMonth() + 1)}-${digits(moment.getDate())}`;
}

/** The page, in Markdown. */
export function page(known: Statistics, today: Date, isCounting: boolean): string {
  const all = sum(Object.values(known).flatMap((files) => Object.values(files)));
  const lines = [
    `# ${t("What was offered and accepted")}`,
    "",
    t("Counted on this machine, and sent nowhere."),
  ];
  if (!isCounting) {
    lines.push("", t("Nothing is counted now: the setting fim-lsp.statistics is off."));
  }
  if (all.shown === 0 && all.characters === 0) {
    return [...lines, "", t("Nothing was counted so far in this workspace."), ""].join("\n");
  }
  return [
    ...lines,
    "",
    t("Offers shown: {0}; accepted whole: {1}, in parts: {2}.", all.shown, all.accepted, all.parts),
    t("{0} characters did not have to be typed.", all.characters),
    "",
    `## ${t("Characters saved, by day")}`,
    "",
    "```",
    ...plot(known, today),
    "```",
    "",
    `## ${t("By file")}`,
    "",
    ...table(known),
    "",
  ].join("\n");
}

/** The last days, each with a bar. */
function plot(known: Statistics, today: Date): readonly string[] {
  const days = Array.from({ length: PLOTTED_DAYS }, (_, index) => {
    const moment = new Date(
      today.getFullYear(),
      today.getMonth(),
      today.getDate() - PLOTTED_DAYS + 1 + index,
    );
    return dayOf(moment);
  });
  const saved = days.map((day) => sum(Object.values(known[day] ?? {})).characters);
  const most = Math.max(1, ...saved);
  return days.map((day, index) => {
    const n = saved[index] ?? 0;
    const bar = "█".repeat(n === 0 ? 0 : Math.max(1, Math.round((WIDTH * n) / most)));
    return `${day} ${bar} ${n === 0 ? "" : n}`.trimEnd();
  });
}

function table(known: Statistics): readonly string[] {
  const byFile = new Map<string, Counts[]>();
  for (const files of Object.values(known)) {
    for (const [file, counts] of Object.entries(files)) {
      byFile.set(file, [...(byFile.get(file) ?? []), counts]);
    }
  }
  const rows = [...byFile].map(([file, counts]) => ({ file, ...sum(counts) }));
  rows.sort((one, other) => other.characters - one.characters || other.shown - one.shown);
  return [
    `| ${t("file")} | ${t("shown")} | ${t("accepted")} | ${t("in parts")} | ${t("characters")} |`,
    "|---|--:|--:|--:|--:|",
    ...rows
      .slice(0, LISTED_FILES)
      .map(
        ({ file, shown, accepted, parts, characters }) =>
          `| ${escaped(file)} | ${shown} | ${accepted} | ${parts} | ${characters} |`,
      ),
  ];
}

/** A file may be called anything. */
function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]<>()#+!|~]/g, "\\$&").replace(/[\r\n]/g, " ");
}
