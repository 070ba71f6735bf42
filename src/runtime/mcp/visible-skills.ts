import { usableSkills } from "../model/offer-entries.js";
import type { McpSkill } from "./mcp-data.js";
import { offerOptions } from "./offer-options.js";
import { namesFor } from "./offered-names.js";
import type { Connection } from "./served.js";

/** Returns the derived skills that have a tool which the client may call, or no tools. */
export async function visibleSkills(connection: Connection): Promise<readonly McpSkill[]> {
  const { catalog, data } = connection.served;
  const usable = await usableSkills(catalog, offerOptions(connection));
  const visible = new Set(usable.map(({ name }) => name));
  return data.skills.filter(({ name }) => visible.has(name));
}

/** Returns the same skills as the client gets them: their files name only tools that it may call. */
export async function skillsFor(connection: Connection): Promise<readonly McpSkill[]> {
  const own = new Set(await namesFor(connection));
  const visible = await visibleSkills(connection);
  return visible.map((skill) => {
    const tools = skill.tools.filter((name) => own.has(name));
    return tools.length === skill.tools.length ? skill : withTools(skill, tools);
  });
}

/** Changes the list of tools in the front matter, which the compiler wrote as one line. */
function withTools(skill: McpSkill, tools: readonly string[]): McpSkill {
  const lines = (names: readonly string[]) => `\nmetadata:\n  skillc.tools: ${names.join(" ")}\n`;
  const files = skill.files.map((file) =>
    file.path === "SKILL.md" && file.text !== undefined
      ? { ...file, text: file.text.replace(lines(skill.tools), () => lines(tools)) }
      : file,
  );
  return { ...skill, tools, files };
}
