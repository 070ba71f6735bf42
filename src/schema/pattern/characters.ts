import type { AST } from "@eslint-community/regexpp";

/**
 * A set of characters: pairs of the first and the last of each run, ascending, with gaps between
 * the runs.
 */
export type CharacterSet = readonly (readonly [first: number, last: number])[];

/** The flags that decide what a character of a pattern matches. */
export interface CharacterFlags {
  readonly unicode: boolean;
  readonly ignoreCase: boolean;
  readonly dotAll: boolean;
}

export type CharacterNode = AST.Character | AST.CharacterSet | AST.CharacterClass;

/** The greatest character: a code point with the flag `u`, or else a code unit. */
export function greatestOf({ unicode }: CharacterFlags): number {
  return unicode ? 0x10ffff : 0xffff;
}

/** The set of characters that a character, an escape or a class matches. */
export function charactersOf(node: CharacterNode, flags: CharacterFlags): CharacterSet {
  // The engine decides which letters differ only in case.
  return flags.ignoreCase || (node.type === "CharacterClass" && node.unicodeSets)
    ? charactersByEngine(node.raw, flags)
    : plain(node, flags);
}

function plain(node: CharacterNode, flags: CharacterFlags): CharacterSet {
  if (node.type === "Character") return [[node.value, node.value]];
  if (node.type === "CharacterSet") return plainSet(node, flags);
  const parts = node.elements.map((each): CharacterSet => {
    if (each.type === "CharacterClassRange") return [[each.min.value, each.max.value]];
    return each.type === "Character" || each.type === "CharacterSet"
      ? plain(each, flags)
      : charactersByEngine(node.raw, flags);
  });
  const all = merged(parts.flat());
  return node.negate ? complement(all, greatestOf(flags)) : all;
}

const digits: CharacterSet = [[0x30, 0x39]];
const wordCharacters: CharacterSet = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
/** WhiteSpace and LineTerminator of ECMAScript. */
const spaces: CharacterSet = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
const lineEnds: CharacterSet = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];

function plainSet(node: AST.CharacterSet, flags: CharacterFlags): CharacterSet {
  const greatest = greatestOf(flags);
  if (node.kind === "any") return complement(flags.dotAll ? [] : lineEnds, greatest);
  // The characters of a Unicode property depend on the engine's version of Unicode.
  if (node.kind === "property") return charactersByEngine(node.raw, flags);
  const set = { digit: digits, space: spaces, word: wordCharacters }[node.kind];
  return node.negate ? complement(set, greatest) : set;
}

const answers = new Map<string, CharacterSet>();

/** Asks the engine about each character. */
function charactersByEngine(raw: string, flags: CharacterFlags): CharacterSet {
  const letters = `${flags.ignoreCase ? "i" : ""}${flags.dotAll ? "s" : ""}${flags.unicode ? "u" : ""}`;
  const key = `${letters}/${raw}`;
  const known = answers.get(key);
  if (known !== undefined) return known;
  // Tests one character against a pattern of one character.
  const pattern = new RegExp(`^(?:${raw})$`, letters);
  const runs: [number, number][] = [];
  const greatest = greatestOf(flags);
  for (let at = 0; at <= greatest; at += 1) {
    if (!pattern.test(String.fromCodePoint(at))) continue;
    const last = runs.at(-1);
    if (last !== undefined && last[1] === at - 1) last[1] = at;
    else runs.push([at, at]);
  }
  answers.set(key, runs);
  return runs;
}

function merged(runs: CharacterSet): CharacterSet {
  const result: [number, number][] = [];
  for (const [first, last] of runs.toSorted(([a], [b]) => a - b)) {
    const before = result.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else result.push([first, last]);
  }
  return result;
}

function complement(set: CharacterSet, greatest: number): CharacterSet {
  const result: [number, number][] = [];
  let next = 0;
  for (const [first, last] of set) {
    if (first > next) result.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= greatest) result.push([next, greatest]);
  return result;
}

/** Classes of characters that the sets of a pattern don't distinguish. */
export interface Alphabet {
  /** One example of each class, printable if possible. */
  readonly examples: readonly number[];
  /** For each set, and each class: true if the set contains the characters of the class. */
  readonly holds: readonly (readonly boolean[])[];
}

/** Computes the classes of characters that the sets distinguish. */
export function alphabetOf(sets: readonly CharacterSet[], greatest: number): Alphabet {
  const starts = new Set([0]);
  for (const [first, last] of sets.flat()) {
    starts.add(first);
    if (last < greatest) starts.add(last + 1);
  }
  const sorted = [...starts].toSorted((a, b) => a - b);
  const members = sets.map((set) => membership(set, sorted));
  const classes = new Map<string, { example: number; readonly holds: readonly boolean[] }>();
  sorted.forEach((first, index) => {
    const holds = members.map((each) => each[index] === true);
    const key = holds.map(Number).join("");
    const example = mostReadable(first, (sorted[index + 1] ?? greatest + 1) - 1);
    const known = classes.get(key);
    if (known === undefined) classes.set(key, { example, holds });
    else if (rank(example) < rank(known.example)) known.example = example;
  });
  const all = [...classes.values()];
  return {
    examples: all.map(({ example }) => example),
    holds: sets.map((_, set) => all.map(({ holds }) => holds[set] === true)),
  };
}

/**
 * Tells for each run that begins at `starts` if the set contains it. No run is contained in part.
 */
function membership(set: CharacterSet, starts: readonly number[]): readonly boolean[] {
  let at = 0;
  return starts.map((start) => {
    while (at < set.length && (set[at]?.[1] ?? 0) < start) at += 1;
    const run = set[at];
    return run !== undefined && run[0] <= start;
  });
}

/** Characters to show, best first. */
const readable = [..."a0A-!@. "].map((each) => each.codePointAt(0) ?? 0);

function mostReadable(first: number, last: number): number {
  const found = readable.find((each) => first <= each && each <= last);
  return found ?? (first < 0x21 && last > 0x21 ? 0x21 : first);
}

function rank(character: number): number {
  const found = readable.indexOf(character);
  if (found >= 0) return found;
  return character > 0x20 && character < 0x7f ? readable.length : readable.length + character + 1;
}
