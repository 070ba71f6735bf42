import type { ScalarNode } from "../../core/syntax-node.js";

/** A stretch of a scalar's value and the stretch of the file that spells it: the same text, an escape, or a line break. */
export interface Spelling {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Where each stretch of a value stands. Spellings that follow on from one another character by character share a pair; at any other
 * border a first pair says where the spelling before it ends, a second where the next begins.
 */
export function originOf(spellings: readonly Spelling[]): NonNullable<ScalarNode["origin"]> {
  const pairs: [number, number][] = [];
  let value = 0;
  let expected = -1;
  let spelledTo = -1;
  for (const spelling of spellings) {
    if (spelling.value === "") continue;
    if (spelling.start !== expected || spelledTo !== expected) {
      if (pairs.length > 0) pairs.push([value, spelledTo]);
      if (spelling.start !== spelledTo) pairs.push([value, spelling.start]);
    }
    value += spelling.value.length;
    expected = spelling.start + spelling.value.length;
    spelledTo = spelling.end;
  }
  if (pairs.length > 0 && spelledTo !== expected) pairs.push([value, spelledTo]);
  return pairs;
}

/** Text that stands in the file as it is. */
export function verbatim(value: string, start: number): Spelling {
  return { value, start, end: start + value.length };
}
