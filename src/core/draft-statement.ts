import { type Code, piecesOf, printCode } from "./code.js";
import type { JsonValue } from "./json.js";
import type { CodeBody } from "./output.js";

/** A statement of a draft as plain data, which a thread can be sent. */
export interface DraftStatement {
  /** Path of its module, for messages. */
  readonly path: string;
  readonly kind: CodeBody["kind"];
  readonly text: string;
  readonly meanings: readonly Meaning[];
}

/** A run of the text that represents author data, and the value that it must have. */
export interface Meaning {
  readonly start: number;
  readonly end: number;
  readonly value: JsonValue;
}

export function draftStatement(path: string, code: Code, kind: CodeBody["kind"]): DraftStatement {
  return { path, kind, text: printCode(code), meanings: meaningsOf(code) };
}

/** Meanings of a rope, in source order, outer before inner. */
function meaningsOf(draft: Code): readonly Meaning[] {
  const meanings: Meaning[] = [];
  let start = 0;
  for (const { meant, text } of piecesOf(draft)) {
    const end = start + text.length;
    if (meant !== undefined) meanings.push({ start, end, value: meant.value });
    start = end;
  }
  return meanings;
}
