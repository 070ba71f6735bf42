import { jsonProblemInWords, parseJson, UnheldNumber } from "@skillc/runtime/internal";
import type { JsonValue } from "../../core/json.js";
import { CommandFailure } from "../exit.js";

/** A value in JSON that the user gave, in messages. */
export interface JsonOption {
  /** Name of its place: `` `--args` ``. */
  readonly name: string;
  /** Beginning of the message about a number that JavaScript can't hold. */
  readonly unusable: string;
  /** Right usage. */
  readonly help: string;
}

/**
 * Parses JSON that the user gave.
 *
 * @throws CommandFailure if the text is not JSON, or has a number that JavaScript can't hold
 */
export function parseJsonOption(text: string, { help, name, unusable }: JsonOption): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof UnheldNumber) throw CommandFailure.usage(`${unusable}: ${error.message}`);
    throw CommandFailure.usage(`${name} is not JSON${jsonProblemInWords(text)}`, help);
  }
}
