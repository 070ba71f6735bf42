/** Units by which patterns are found; a shorter pattern is not looked for. */
export const keyLength = 4;

/**
 * So many units of a pattern identify it. A match goes on behind them as far as the text agrees
 * with the pattern, so that the memory of a long pattern stays small.
 */
const maxDepth = 512;

/** What is read of a text. */
export type Units = Pick<string, "charCodeAt" | "length">;

/** Reports a stretch of the text that holds a pattern. */
export type ReportMatch<Label> = (start: number, end: number, label: Label) => void;

/** A prefix of patterns. */
interface TrieNode<Label> {
  readonly unit: number;
  readonly depth: number;
  readonly parent: TrieNode<Label> | undefined;
  /** Most nodes have one child. */
  child: TrieNode<Label> | undefined;
  children: Map<number, TrieNode<Label>> | undefined;
  /** Set if a pattern ends here, or is too long to be held whole. */
  end: PatternEnd<Label> | undefined;
  links: Links<Label> | undefined;
}

interface PatternEnd<Label> {
  readonly label: Label;
  /** What long patterns have behind the longest prefix. */
  readonly rests: string[];
}

/** Links of Aho and Corasick, valid for one version of the trie. */
interface Links<Label> {
  readonly version: number;
  /** Node of the longest proper suffix that is a prefix of a pattern, of `keyLength` units at least. */
  readonly suffix: TrieNode<Label> | undefined;
  /** Node of the longest pattern that ends here. */
  readonly match: TrieNode<Label> | undefined;
}

/**
 * Finds every pattern of a set in one pass over a text, in time that grows with the text and not
 * with the number of patterns (Aho–Corasick). A filter tells where a pattern may begin, by its
 * first four units, so that most of a text is read by the filter alone. Patterns can be added at
 * any time: the links between prefixes are made for the prefixes that a text has.
 */
export class PatternMatcher<Label> {
  /** By `filterIndex` of four units: whether a pattern begins with them, and whether the last is a mark. */
  readonly #filter = new Uint8Array(2 ** 16);
  readonly #root = nodeOf<Label>(0, undefined);
  #version = 0;
  #longest = 0;

  /** @param marks characters that `isPlain` looks for beside the patterns */
  constructor(marks = "") {
    for (let at = 0; at < marks.length; at += 1)
      for (let high = 0; high < 2 ** 9; high += 1)
        this.#filter[filterIndex(high, marks.charCodeAt(at))] = isMark;
  }

  /** Units of the longest pattern; 0 if there is none. */
  get longest(): number {
    return this.#longest;
  }

  /** Does nothing for a pattern that is too short. The first label of a pattern stays. */
  add(pattern: string, label: Label): void {
    if (pattern.length < keyLength) return;
    const depth = Math.min(pattern.length, maxDepth);
    let node = this.#root;
    for (let at = 0; at < depth; at += 1) node = childFor(node, pattern.charCodeAt(at));
    node.end ??= { label, rests: [] };
    if (pattern.length > maxDepth) node.end.rests.push(pattern.slice(maxDepth));
    const index = keyIndex(pattern);
    this.#filter[index] = (this.#filter[index] ?? 0) | isKey;
    this.#version += 1;
    this.#longest = Math.max(this.#longest, pattern.length);
  }

  /** Whether a text has no mark, and nothing that a pattern begins with. */
  isPlain(text: Units): boolean {
    const filter = this.#filter;
    let before = 0;
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      const found = filter[filterIndex(before, unit)];
      before = withUnit(before, unit);
      if (found === 0) continue;
      if (found !== isKey || this.#keyBehind(text, 0, at) !== undefined) return false;
    }
    return true;
  }

  /**
   * Offset of the first place from there on at which a pattern may begin, by its first units; -1 if
   * there is none.
   */
  candidate(text: Units, from: number): number {
    const filter = this.#filter;
    let before = 0;
    for (let at = from; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      const found = filter[filterIndex(before, unit)] ?? 0;
      before = withUnit(before, unit);
      if (found < isKey || this.#keyBehind(text, from, at) === undefined) continue;
      return at + 1 - keyLength;
    }
    return -1;
  }

  /**
   * Reports each match that is no part of another one with the same end, by its end, or by its start
   * if it is a long pattern.
   *
   * @param from what `candidate` gave
   */
  search(text: Units, from: number, report: ReportMatch<Label>): void {
    for (let start = from; start >= 0;) {
      const node = this.#keyAt(text, start);
      if (node === undefined) return;
      start = this.candidate(text, this.#follow(node, text, start + keyLength, report));
    }
  }

  /** @returns offset of the next place at which a pattern may begin that was not looked for */
  #follow(from: TrieNode<Label>, text: Units, start: number, report: ReportMatch<Label>): number {
    let node = from;
    for (let at = start; ; at += 1) {
      const { match } = this.#linksOf(node);
      if (match?.end !== undefined) {
        const rest = longestRest(match.end.rests, text, at);
        report(at - match.depth, at + rest, match.end.label);
        // What belongs to a match is read once.
        if (rest > 0) return at + rest;
      }
      const next = this.#nextOf(node, text.charCodeAt(at));
      if (next === undefined) return at + 1 - keyLength;
      node = next;
    }
  }

  /** The longest prefix that ends with this unit, of those that are longer than `keyLength`. */
  #nextOf(node: TrieNode<Label> | undefined, unit: number): TrieNode<Label> | undefined {
    let at = node;
    while (at !== undefined) {
      const next = childOf(at, unit);
      if (next !== undefined) return next;
      at = this.#linksOf(at).suffix;
    }
    return undefined;
  }

  #keyBehind(text: Units, from: number, last: number): TrieNode<Label> | undefined {
    const start = last + 1 - keyLength;
    return start < from ? undefined : this.#keyAt(text, start);
  }

  #keyAt(text: Units, start: number): TrieNode<Label> | undefined {
    let node: TrieNode<Label> | undefined = this.#root;
    for (let at = start; at < start + keyLength; at += 1) {
      node = childOf(node, text.charCodeAt(at));
      if (node === undefined) return undefined;
    }
    return node;
  }

  #linksOf(node: TrieNode<Label>): Links<Label> {
    if (node.links?.version === this.#version) return node.links;
    const suffix = this.#suffixOf(node);
    const match = node.end === undefined ? suffix && this.#linksOf(suffix).match : node;
    node.links = { version: this.#version, suffix, match };
    return node.links;
  }

  #suffixOf(node: TrieNode<Label>): TrieNode<Label> | undefined {
    const { depth, parent, unit } = node;
    if (parent === undefined || depth <= keyLength) return undefined;
    const longer = this.#nextOf(this.#linksOf(parent).suffix, unit);
    return longer ?? this.#keyAt(lastUnits(node), 0);
  }
}

function nodeOf<Label>(unit: number, parent: TrieNode<Label> | undefined): TrieNode<Label> {
  const depth = parent === undefined ? 0 : parent.depth + 1;
  return {
    unit,
    depth,
    parent,
    child: undefined,
    children: undefined,
    end: undefined,
    links: undefined,
  };
}

function childOf<Label>(node: TrieNode<Label>, unit: number): TrieNode<Label> | undefined {
  const { child } = node;
  return child?.unit === unit ? child : node.children?.get(unit);
}

function childFor<Label>(node: TrieNode<Label>, unit: number): TrieNode<Label> {
  const known = childOf(node, unit);
  if (known !== undefined) return known;
  const child = nodeOf(unit, node);
  if (node.child === undefined) node.child = child;
  else (node.children ??= new Map()).set(unit, child);
  return child;
}

function lastUnits<Label>(node: TrieNode<Label>): string {
  let text = "";
  for (
    let at: TrieNode<Label> | undefined = node;
    at !== undefined && text.length < keyLength;
    at = at.parent
  )
    text = String.fromCharCode(at.unit) + text;
  return text;
}

/** How many units behind the longest prefix belong to a long pattern. */
function longestRest(rests: readonly string[], text: Units, from: number): number {
  let longest = 0;
  for (const rest of rests) {
    let length = 0;
    while (length < rest.length && rest.charCodeAt(length) === text.charCodeAt(from + length))
      length += 1;
    longest = Math.max(longest, length);
  }
  return longest;
}

const isMark = 1;
const isKey = 2;

/** @param before what `withUnit` made of the three units before */
function filterIndex(before: number, unit: number): number {
  return (before << 7) | (unit & 0x7f);
}

/** Nine bits of the last three units: those that are older have left them. */
function withUnit(before: number, unit: number): number {
  return ((before << 3) ^ unit) & 0x1ff;
}

function keyIndex(pattern: string): number {
  let before = 0;
  for (let at = 0; at < keyLength - 1; at += 1) before = withUnit(before, pattern.charCodeAt(at));
  return filterIndex(before, pattern.charCodeAt(keyLength - 1));
}
