/** Prints the files of the skill whose tools are plans. */
import type { JsonObject } from "../../core/json.js";
import {
  harmless,
  headingOf,
  longestDescription,
  printKnowledge,
  printYaml,
  type SkillFiles,
} from "../skills/print-files.js";
import { cut, oneLine, prose } from "../skills/texts.js";
import type { Description } from "./description.js";
import type { DraftedPlan } from "./plan-parts.js";

/** Warnings that the import accepts, by the name of the tool. */
export type AcceptedWarnings = ReadonlyMap<string, readonly string[]>;

export function printPlans(
  skill: string,
  { summary, title }: Pick<Description, "summary" | "title">,
  plans: readonly DraftedPlan[],
  accepted: AcceptedWarnings = new Map(),
): SkillFiles {
  const uses = plans.map(
    ({ named }) => oneLine(named.workflow.summary) || named.name.replaceAll("-", " "),
  );
  const start = oneLine(title) || skill;
  const lines = plans.map(({ named }, index) => `- \`${named.name}\`: ${uses[index] ?? ""}`);
  const tools = plans.map(({ named, tool }): [string, JsonObject] => {
    const codes = accepted.get(named.name) ?? [];
    const accept = Object.fromEntries(codes.map((code) => [code, "the Arazzo document has it"]));
    return [named.name, codes.length === 0 ? tool : { ...tool, accept }];
  });
  return new Map([
    [
      `${skill}/SKILL.md`,
      printKnowledge(
        skill,
        cut(
          `${start.replace(/[.…]?$/, ".")} Runs its workflows: ${uses.map((each) => each.replace(/\.$/, "")).join("; ")}.`,
          longestDescription,
        ),
        [
          `# ${harmless(start)}`,
          ...(summary === "" ? [] : [harmless(prose(summary))]),
          "Each tool runs all steps of one workflow.",
          harmless(lines.join("\n")),
        ],
      ),
    ],
    [
      `${skill}/metadata.yaml`,
      printYaml({ tools_schema: Object.fromEntries(tools) }, headingOf("skillc import arazzo")),
    ],
  ]);
}
