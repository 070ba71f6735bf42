/** Shortens the description of a tool to the limit of models' APIs. */
import { plainText } from "./plain-text.js";

/**
 * Maximum length of a tool's description, in characters. Source: OpenAI's API, which rejects a
 * request with a longer one.
 */
const longestDescription = 1024;

const note = " … (The description of the parameters goes on.)";

/** A description for models. */
export interface OfferedDescription {
  readonly description: string;
  /** The rest of a text that is too long; empty if there is none. */
  readonly rest: string;
}

/** Returns a description as plain text, cut at the end of a sentence if it is too long. */
export function offeredDescription(text: string): OfferedDescription {
  const plain = plainText(text);
  if (plain.length <= longestDescription) return { description: plain, rest: "" };
  const most = longestDescription - note.length;
  const end = endOfPart(plain.slice(0, most));
  return { description: plain.slice(0, end).trimEnd() + note, rest: plain.slice(end).trim() };
}

/**
 * Returns the end of the last sentence or word in the second half of a text, else the text's end.
 */
function endOfPart(text: string): number {
  const half = text.length / 2;
  const ends = ["\n", ". ", " "].map((each) => text.lastIndexOf(each) + 1);
  const found = ends.find((each) => each > half);
  if (found !== undefined) return found;
  // Never cut between the halves of a surrogate pair.
  return /[\uD800-\uDBFF]$/.test(text) ? text.length - 1 : text.length;
}
