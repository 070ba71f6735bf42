import type { Connection, Served } from "./served.js";
import { visibleSkills } from "./visible-skills.js";

/** Maximum length of the instructions, in characters. */
const longest = 2000;
/** Maximum length of a skill's description among them, in characters. */
const longestDescription = 200;

const preface =
  "The tools of this server belong to skills. The name of a tool is the name of its skill, two underscores, and a name of its own. Before you use a skill for the first time, read its instructions with the tool skillc__skill.";
const heading = "The skills, each with its author's description:";

/** Time for which the instructions of a caller are kept, in milliseconds. */
const keptMs = 60_000;
/** Maximum number of callers whose instructions are kept. */
const maxKept = 1000;

/**
 * Makes the instructions for clients that know tools alone. The SDK wants them for every request
 * over HTTP, although few requests need them, so the server keeps those of a caller for a minute.
 */
export function createInstructions(): Served["instructions"] {
  const kept = new Map<string, Promise<string>>();
  return (connection) => {
    const key = JSON.stringify(connection.client.caller);
    const known = kept.get(key);
    if (known !== undefined) return known;
    if (kept.size >= maxKept) kept.clear();
    const forget = (): void => void kept.delete(key);
    const made = instructionsFor(connection).catch((error: unknown) => {
      forget();
      connection.served.onError(error);
      return preface;
    });
    kept.set(key, made);
    setTimeout(forget, keptMs).unref();
    return made;
  };
}

/** Each skill is one line, so that no author's text looks like that of the server. */
async function instructionsFor(connection: Connection): Promise<string> {
  const lines = (await visibleSkills(connection)).map(
    ({ description, name }) => `- ${name}: ${JSON.stringify(shortened(description))}`,
  );
  const more = (count: number) => (count === 0 ? [] : [`- and ${count} more`]);
  for (let shown = lines.length; shown > 0; shown -= 1) {
    const text = [
      `${preface} ${heading}`,
      ...lines.slice(0, shown),
      ...more(lines.length - shown),
    ].join("\n");
    if (text.length <= longest) return text;
  }
  return preface;
}

function shortened(text: string): string {
  const line = text.trim().replace(/\s+/gu, " ");
  return line.length <= longestDescription ? line : `${line.slice(0, longestDescription - 1)}…`;
}
