/** Prints the files of the skill that a category becomes. */
import {
  headingOf,
  longestDescription,
  printKnowledge,
  printYaml,
  type SkillFiles,
} from "../skills/print-files.js";
import { cut, oneLine } from "../skills/texts.js";
import type { NamedTool } from "../tools/entry.js";
import type { AgentTool } from "./definition.js";

export function printCategory(skill: string, tools: readonly NamedTool<AgentTool>[]): SkillFiles {
  const categories = [...new Set(tools.map(({ source }) => oneLine(source.category ?? "")))];
  const named = categories.filter((each) => each !== "");
  const about =
    named.length === 0 ? "Tools of an agent" : `Tools of the category ${named.join(", ")}`;
  const uses = tools.map(({ name }) => name.replaceAll("-", " "));
  const metadata = {
    tools_schema: Object.fromEntries(tools.map(({ name, tool }) => [name, tool])),
  };
  return new Map([
    [
      `${skill}/SKILL.md`,
      printKnowledge(skill, cut(`${about}: ${uses.join("; ")}.`, longestDescription), [
        `# ${skill}`,
        "The application serves each tool with a handler.",
        tools.map(({ name }) => `- \`${name}\``).join("\n"),
      ]),
    ],
    [`${skill}/metadata.yaml`, printYaml(metadata, headingOf("skillc import auto-agent"))],
  ]);
}
