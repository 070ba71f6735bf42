import type { ProjectFiles } from "./diagnostic-entry.js";

/**
 * Returns the files of a skill, for the example of a diagnostic: the form in which every page of the
 * docs writes a skill.
 *
 * @param lines metadata.yaml: tools, under `tools_schema`, and settings
 */
export function exampleSkill(
  name: string,
  description: string,
  lines: readonly string[],
): ProjectFiles {
  return {
    [`skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: ${description}\n---\n`,
    ...(lines.length > 0 && { [`skills/${name}/metadata.yaml`]: `${lines.join("\n")}\n` }),
  };
}
