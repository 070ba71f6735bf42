/** Prints the files of the skill that a hub manifest becomes. */
import {
  harmless,
  headingOf,
  longestDescription,
  printKnowledge,
  printYaml,
  type SkillFiles,
} from "../skills/print-files.js";
import { cut, oneLine } from "../skills/texts.js";
import type { NamedTool } from "../tools/entry.js";
import type { HubTool } from "./hub-tool.js";

export function printHubSkill(skill: string, tools: readonly NamedTool<HubTool>[]): SkillFiles {
  const uses = tools.map(
    ({ name, source }) => oneLine(source.name ?? "") || name.replaceAll("-", " "),
  );
  const lines = tools.map(({ name, source }) => {
    const title = oneLine(source.name ?? "");
    return `- \`${name}\`${title === "" ? "" : `: ${title}`}`;
  });
  const metadata = {
    tools_schema: Object.fromEntries(tools.map(({ name, tool }) => [name, tool])),
  };
  return new Map([
    [
      `${skill}/SKILL.md`,
      printKnowledge(
        skill,
        cut(`Runs the tools of a tool hub: ${uses.join("; ")}.`, longestDescription),
        [
          `# ${skill}`,
          "Each tool starts one program. Tell the user what a tool will change before you call it.",
          harmless(lines.join("\n")),
        ],
      ),
    ],
    [`${skill}/metadata.yaml`, printYaml(metadata, headingOf("skillc import manifest"))],
  ]);
}
