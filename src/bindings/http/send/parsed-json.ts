import { deepestJson, isTooDeep, NumberTooLarge, parseJson } from "../../../runtime/json/json.js";
import { type JsonValue, UnreadableAnswer } from "../../../runtime/executor.js";

/**
 * A server's JSON; undefined for text that is none.
 *
 * @param what it stands in, for messages: `the body`
 * @throws UnreadableAnswer for what nests too deep, and for a number that can't be held
 */
export function parsedJson(text: string, what: string): JsonValue | undefined {
  if (isTooDeep(text))
    throw new UnreadableAnswer(`the JSON of ${what} nests deeper than ${deepestJson} levels`);
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof NumberTooLarge)) return undefined;
    throw new UnreadableAnswer(
      `the JSON of ${what} has a number that is too large for JavaScript's`,
    );
  }
}
