import { type OtherWords, plainWord, wordsOf, type WordTable } from "../../schema/other-words.js";

/**
 * What authors who know MCP, OpenAI's tools or OpenAPI write for a tool's keys. A word with `!`
 * could be no parameter's name.
 */
const table = {
  description: ["desc", "summary"],
  parameters: [
    "input_schema!",
    "inputs",
    "input_parameters!",
    "args",
    "args_schema!",
    "arguments",
    "arguments_schema!",
    "params_schema!",
    "parameters_schema!",
    "parameter_schema!",
    "json_schema",
    "schema",
  ],
  returns: ["output_schema!", "outputs", "result", "return_type", "returns_schema!"],
} satisfies WordTable;

export const toolWords: OtherWords = wordsOf(
  Object.fromEntries(
    Object.entries(table).map(([key, words]) => [key, words.map((each) => each.replace("!", ""))]),
  ),
);

const onlyToolWords: ReadonlySet<string> = new Set(
  Object.values(table)
    .flat()
    .flatMap((word) => (word.endsWith("!") ? [plainWord(word.slice(0, -1))] : [])),
);

/** Whether it is another word for a tool's key, and never a name for a parameter. */
export function isOnlyToolWord(key: string): boolean {
  return onlyToolWords.has(plainWord(key));
}
