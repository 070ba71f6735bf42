import type {
  SkillComparison,
  ToolComparison,
} from "../../compiler/compare-tools/compare-catalogs.js";
import type { Difference } from "../../compiler/compare-tools/difference.js";
import { changeRules, type Verdict, verdicts } from "../../compiler/compare-tools/rules.js";
import { type Palette, withCodeSpans } from "../console/palette.js";
import { visible } from "../console/visible.js";
import { wrap } from "../console/wrap.js";
import { plural } from "../diagnostics/summary.js";
import type { ComparedSide, Comparison } from "./comparison.js";

/**
 * Renders a comparison for a terminal: each tool with its verdict, its differences, and their
 * reasons.
 */
export function renderComparison(found: Comparison, palette: Palette, width: number): string {
  const skills = found.skills.flatMap((skill) => [...skillLines(skill, palette, width), ""]);
  return [...headOf(found, palette), "", ...skills, summaryOf(found, palette)].join("\n");
}

function headOf({ new: now, old }: Comparison, { bold, dim }: Palette): readonly string[] {
  const line = (word: string, side: ComparedSide) => {
    const commit = side.commit === null ? "" : dim(` ${side.commit.slice(0, 10)}`);
    const note = side.note === null ? "" : dim(` (${visible(side.note)})`);
    return `${dim(word)} ${bold(visible(side.name))}${commit}${note}`;
  };
  return [line("old", old), line("new", now)];
}

function skillLines(skill: SkillComparison, palette: Palette, width: number): readonly string[] {
  const { differences, name, tools, verdict } = skill;
  return [
    `${palette.bold(visible(name))}  ${paint(verdict, palette)}`,
    ...differenceLines(differences, palette, width),
    ...tools.flatMap((tool) => [
      `  ${toolLine(tool, palette)}`,
      ...differenceLines(tool.differences, palette, width),
    ]),
  ];
}

function toolLine(tool: ToolComparison, palette: Palette): string {
  const { id, verdict, version } = tool;
  const { bold, green, red } = palette;
  const { isEnough } = version;
  const sign = isEnough === null ? " " : isEnough ? green("✓") : red("✗");
  const words = versionWords(tool);
  return `${sign} ${bold(visible(id))}  ${paint(verdict, palette)}${words === "" ? "" : `  ${isEnough === false ? red(words) : words}`}`;
}

/** `1.2.0 → 1.3.0`, with the required version if that is too low. */
export function versionWords({ change: how, version }: ToolComparison): string {
  const { asked, isEnough, new: now, old } = version;
  if (old === null && now === null) return "";
  if (how !== "changed") return visible(now ?? old ?? "");
  const [before, after] = [old ?? "no version", now ?? "no version"].map(visible);
  const change = before === after ? before : `${before} → ${after}`;
  if (isEnough !== false) return change ?? "";
  return asked === null ? `${change}: lower than before` : `${change}: must be ${asked}`;
}

function paint(verdict: Verdict | null, palette: Palette): string {
  const { blue, dim, red, yellow } = palette;
  const paints = { major: red, minor: yellow, patch: blue };
  return verdict === null ? dim("no difference") : paints[verdict](verdict);
}

/** Minimum width of words, in columns. */
const narrowest = 24;
const indent = "      ";
const widestPlace = 36;

function differenceLines(
  differences: readonly Difference[],
  palette: Palette,
  width: number,
): readonly string[] {
  const places = differences.map(placeOf);
  const widest = Math.min(widestPlace, Math.max(0, ...places.map(({ length }) => length)));
  const verdictWidth = Math.max(...verdicts.map(({ length }) => length));
  const before = indent.length + verdictWidth + 2 + widest + 2;
  const room = Math.max(narrowest, width - before);
  return verdicts
    .flatMap((verdict) => differences.filter((each) => each.verdict === verdict))
    .flatMap((each) => {
      const place = placeOf(each);
      const head = `${indent}${paint(each.verdict, palette)}  ${palette.dim(place.padEnd(widest))}`;
      const [first = "", ...rest] = wrap(visible(each.what), room);
      const space = " ".repeat(before);
      const fits = place.length <= widest;
      const words = [
        ...(fits ? [`${head}  ${withCodeSpans(first, palette)}`] : [head, `${space}${first}`]),
        ...rest.map((line) => `${space}${withCodeSpans(line, palette)}`),
      ];
      const why = each.verdict === "major" ? wrap(`why: ${changeRules[each.rule].why}`, room) : [];
      return [...words, ...why.map((line) => `${space}${palette.dim(line)}`)];
    });
}

/** Prints a place: `input_schema /limit`. */
export function placeOf({ at, field }: Difference): string {
  return visible(at === "" ? field : `${field} ${at}`);
}

function summaryOf({ skills, tooLow, verdict }: Comparison, palette: Palette): string {
  if (verdict === null && skills.length === 0)
    return `${palette.green("✓")} no difference between the tools of the two sides`;
  const tools = skills.flatMap((each) => each.tools);
  const all = [...skills, ...tools].flatMap(({ differences }) => differences);
  const counts = verdicts.flatMap((each) => {
    const count = all.filter((one) => one.verdict === each).length;
    return count === 0 ? [] : [`${count} ${each}`];
  });
  const words =
    all.length === 0
      ? "no difference except in declared versions"
      : `${plural(all.length, "difference")}: ${counts.join(", ")}`;
  if (tooLow.length === 0) return `${palette.green("✓")} ${words}`;
  const which = plural(tooLow.length, "tool");
  return `${palette.red("✗")} ${words}; ${which} with a \`version:\` that is too low`;
}
