import type { ToolComparison } from "../../compiler/compare-tools/compare-catalogs.js";
import type { Difference } from "../../compiler/compare-tools/difference.js";
import { changeRules, type Verdict, verdicts } from "../../compiler/compare-tools/rules.js";
import { visible } from "../console/visible.js";
import type { ComparedSide, Comparison } from "./comparison.js";
import { placeOf, versionWords } from "./render.js";

/** Renders a comparison for a comment on a pull request. Author text can't become markup. */
export function renderMarkdown(found: Comparison): string {
  const { new: now, old, skills, tooLow, verdict } = found;
  const head = [
    `# Tools: ${verdict ?? "no difference"}`,
    "",
    `From ${sideWords(old)} to ${sideWords(now)}.`,
    "",
  ];
  const problem = tooLow.map(
    (id) => `- **${code(id)}: its \`version:\` was raised by less than its differences require**`,
  );
  const tables = skills.flatMap((skill) => [
    `## ${escaped(visible(skill.name))}: ${skill.verdict ?? "no difference"}`,
    "",
    "| tool | version | verdict | where | difference | why |",
    "| --- | --- | --- | --- | --- | --- |",
    ...sorted(skill.differences).map((each) => row("", "", each)),
    ...skill.tools.flatMap(toolRows),
    "",
  ]);
  return [...head, ...(problem.length === 0 ? [] : [...problem, ""]), ...tables].join("\n");
}

function toolRows(tool: ToolComparison): readonly string[] {
  const { differences, id } = tool;
  const words = escaped(versionWords(tool));
  if (differences.length === 0) return [cells([code(id), words, "", "", "no difference", ""])];
  return sorted(differences).map((each, index) =>
    row(index === 0 ? code(id) : "", index === 0 ? words : "", each),
  );
}

function sorted(differences: readonly Difference[]): readonly Difference[] {
  return verdicts.flatMap((verdict: Verdict) =>
    differences.filter((each) => each.verdict === verdict),
  );
}

function row(tool: string, version: string, difference: Difference): string {
  const { rule, verdict, what } = difference;
  const why = escaped(changeRules[rule].why);
  return cells([tool, version, verdict, code(placeOf(difference)), escaped(visible(what)), why]);
}

function cells(all: readonly string[]): string {
  return `| ${all.join(" | ")} |`;
}

function sideWords({ commit, name, note }: ComparedSide): string {
  const which = commit === null ? code(name) : `${code(name)} (${commit.slice(0, 10)})`;
  return note === null ? which : `${which}, ${escaped(visible(note))}`;
}

/** Makes a code span, unless the text contains a backtick, which would end it. */
function code(text: string): string {
  return `\`${visible(text).replaceAll("`", "'").replaceAll("|", "\\|")}\``;
}

/** Escapes text outside of code spans. */
function escaped(text: string): string {
  const parts = text.split("`");
  // A backtick without a partner is author text.
  if (parts.length % 2 === 0) return plain(text);
  return parts
    .map((part, index) => (index % 2 === 0 ? plain(part) : `\`${part.replaceAll("|", "\\|")}\``))
    .join("");
}

function plain(text: string): string {
  return text.replace(/[\\`|<>[\]*_~#!&@]/g, (each) => `\\${each}`);
}
