import type { Connection } from "./served.js";
import { visibleSkills } from "./visible-skills.js";

/** Maximum length of the instructions, in characters. */
const longest = 2000;
/** Maximum length of a skill's description among them, in characters. */
const longestDescription = 200;

const preface =
  "The tools of this server belong to skills. The name of a tool is the name of its skill, two underscores, and a name of its own. Before you use a skill for the first time, read its instructions with the tool skillc__skill. The skills, each with its author's description:";

/**
 * Returns the instructions for clients that know tools alone. Each skill is one line, so that no
 * author's text looks like that of the server.
 */
export async function instructionsFor(connection: Connection): Promise<string> {
  const lines = (await visibleSkills(connection)).map(
    ({ description, name }) => `- ${name}: ${JSON.stringify(shortened(description))}`,
  );
  const more = (count: number) => (count === 0 ? [] : [`- and ${count} more`]);
  for (let shown = lines.length; shown > 0; shown -= 1) {
    const text = [preface, ...lines.slice(0, shown), ...more(lines.length - shown)].join("\n");
    if (text.length <= longest) return text;
  }
  return preface;
}

function shortened(text: string): string {
  const line = text.trim().replace(/\s+/gu, " ");
  return line.length <= longestDescription ? line : `${line.slice(0, longestDescription - 1)}…`;
}
