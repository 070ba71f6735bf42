import {
  deepestJson,
  isTooDeep,
  type ParsedJson,
  readJson,
  UnheldNumber,
} from "../../runtime/json/json.js";
import { UnreadableAnswer } from "../../runtime/executor.js";

/**
 * Parses a server's JSON; undefined if the text isn't JSON.
 *
 * @param what name of the text in messages: `the body`
 * @throws UnreadableAnswer for JSON that is nested too deep, or has a number that would become
 * Infinity
 */
export function parsedJson(text: string, what: string): ParsedJson | undefined {
  if (isTooDeep(text))
    throw new UnreadableAnswer(`the JSON of ${what} nests deeper than ${deepestJson} levels`);
  try {
    return readJson(text);
  } catch (error) {
    if (!(error instanceof UnheldNumber)) return undefined;
    throw new UnreadableAnswer(`in the JSON of ${what}, ${error.message}`);
  }
}
