import { type OtherWords, plainWord, wordsOf, type WordTable } from "../../schema/other-words.js";

/**
 * Words for a tool's keys from MCP, OpenAI's tools and OpenAPI. A word with `!` can't be a
 * parameter's name.
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

/** Checks for another word for a tool's key that is never a parameter's name. */
export function isOnlyToolWord(key: string): boolean {
  return onlyToolWords.has(plainWord(key));
}
