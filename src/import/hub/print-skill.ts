/** Prints the files of the skill that a hub manifest becomes. */
import type { JsonObject } from "../../core/json.js";
import {
  harmless,
  headingOf,
  longestDescription,
  printKnowledge,
  printYaml,
  type SkillFiles,
} from "../skills/print-files.js";
import { cut, oneLine } from "../skills/texts.js";
import type { HubTool } from "./hub-tool.js";

/** A tool with its name in the skill. */
export interface NamedTool {
  readonly name: string;
  readonly hub: HubTool;
  readonly tool: JsonObject;
}

export function printHubSkill(skill: string, tools: readonly NamedTool[]): SkillFiles {
  const uses = tools.map(({ hub, name }) => oneLine(hub.name ?? "") || name.replaceAll("-", " "));
  const lines = tools.map(({ hub, name }) => {
    const title = oneLine(hub.name ?? "");
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
