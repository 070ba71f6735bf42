import picomatch from "picomatch";
import type { Operation } from "./model.js";
import { keyOf } from "./skills/names.js";

/** Selects operations; all of them if it is empty. */
export interface Choice {
  readonly only?: readonly string[];
  readonly tags?: readonly string[];
  readonly paths?: readonly string[];
  readonly methods?: readonly string[];
}

export interface Chosen {
  readonly operations: readonly Operation[];
  /** Words of the choice without a match. */
  readonly unknown: readonly string[];
}

/** Selects the operations that match an entry in each given list. */
export function chooseOperations(all: readonly Operation[], choice: Choice): Chosen {
  const tests: readonly (readonly [readonly string[] | undefined, Fits])[] = [
    [choice.only, isNamed],
    [choice.tags, hasTag],
    [choice.paths, isBelow],
    [choice.methods, hasMethod],
  ];
  const given = tests.flatMap(([words, fits]) => (words === undefined ? [] : [{ words, fits }]));
  return {
    operations: all.filter((operation) =>
      given.every(({ fits, words }) => words.some((word) => fits(operation, word))),
    ),
    unknown: given.flatMap(({ fits, words }) =>
      words.filter((word) => !all.some((operation) => fits(operation, word))),
    ),
  };
}

type Fits = (operation: Operation, word: string) => boolean;

/** Matches the operationId, or `GET /pets`. */
export const isNamed: Fits = (operation, word) =>
  operation.id === word ||
  keyOf(operation).toLowerCase() === word.trim().replace(/\s+/g, " ").toLowerCase();

const hasTag: Fits = ({ tags }, word) =>
  tags.some((tag) => tag.toLowerCase() === word.toLowerCase());

const hasMethod: Fits = ({ method }, word) => method === word.toUpperCase();

/** Matches paths below a pattern such as `/pets/**`. Braces in a path are literal. */
const isBelow: Fits = ({ path }, word) =>
  picomatch.isMatch(plain(path), plain(word), { nobrace: true, noextglob: true, dot: true });

/** Escapes braces and brackets, which have a meaning in patterns but not in paths. */
function plain(path: string): string {
  return path.replace(/[{}[\]()]/g, "_");
}
