/** Number of code units that identify candidates. Shorter patterns are not searched. */
export const keyLength = 4;

/**
 * Maximum number of code units of a pattern in the trie. A longer pattern is compared with the text
 * after them, so that it doesn't need more memory.
 */
const maxDepth = 512;

/** The part of a string that the matcher reads. */
export type Units = Pick<string, "charCodeAt" | "length">;

/** Reports a stretch of the text that contains a pattern. */
export type ReportMatch<Label> = (start: number, end: number, label: Label) => void;

/** A prefix of patterns. */
interface TrieNode<Label> {
  readonly unit: number;
  readonly depth: number;
  readonly parent: TrieNode<Label> | undefined;
  /** Most nodes have only one child. */
  child: TrieNode<Label> | undefined;
  children: Map<number, TrieNode<Label>> | undefined;
  /** Set if a pattern ends here, or is too long for the trie. */
  end: PatternEnd<Label> | undefined;
  links: Links<Label> | undefined;
}

interface PatternEnd<Label> {
  readonly label: Label;
  /** Parts of long patterns after the longest prefix. */
  readonly rests: string[];
}

/** Links of the Aho–Corasick algorithm, valid for one version of the trie. */
interface Links<Label> {
  readonly version: number;
  /**
   * Node of the longest proper suffix that is a prefix of a pattern and has at least `keyLength`
   * units.
   */
  readonly suffix: TrieNode<Label> | undefined;
  /** Node of the longest pattern that ends here. */
  readonly match: TrieNode<Label> | undefined;
}

/**
 * Finds all patterns of a set in one pass over a text, by the Aho–Corasick algorithm. The time
 * depends on the text, not on the number of patterns. A filter on the first four units finds where
 * a pattern may begin, so that most of a text only passes the filter. Patterns can be added at any
 * time; links are computed only for prefixes that occur in a text.
 */
export class PatternMatcher<Label> {
  /**
   * By `filterIndex` of four units: whether a pattern begins with them, and whether the last one is
   * a mark.
   */
  readonly #filter = new Uint8Array(2 ** 16);
  readonly #root = nodeOf<Label>(0, undefined);
  #version = 0;
  #longest = 0;

  /** @param marks characters that `isPlain` searches in addition to the patterns */
  constructor(marks = "") {
    for (let at = 0; at < marks.length; at += 1)
      for (let high = 0; high < 2 ** 9; high += 1)
        this.#filter[filterIndex(high, marks.charCodeAt(at))] = isMark;
  }

  /** Length of the longest pattern in code units; 0 if there is none. */
  get longest(): number {
    return this.#longest;
  }

  /** Adds a pattern, unless it is too short. If a pattern is added twice, the first label stays. */
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

  /** Returns whether a text has no mark and no beginning of a pattern. */
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
   * Returns the first offset from `from` on at which a pattern may begin, by its first units; -1 if
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
   * Reports each match that is not part of another match with the same end. Matches come in the
   * order of their ends, long patterns in the order of their starts.
   *
   * @param from an offset from `candidate`
   */
  search(text: Units, from: number, report: ReportMatch<Label>): void {
    for (let start = from; start >= 0;) {
      const node = this.#keyAt(text, start);
      if (node === undefined) return;
      start = this.candidate(text, this.#follow(node, text, start + keyLength, report));
    }
  }

  /** @returns the next offset at which a pattern may begin that was not followed */
  #follow(from: TrieNode<Label>, text: Units, start: number, report: ReportMatch<Label>): number {
    let node = from;
    for (let at = start; ; at += 1) {
      const { match } = this.#linksOf(node);
      if (match?.end !== undefined) {
        const rest = longestRest(match.end.rests, text, at);
        report(at - match.depth, at + rest, match.end.label);
        // Skip the rest of the match.
        if (rest > 0) return at + rest;
      }
      const next = this.#nextOf(node, text.charCodeAt(at));
      if (next === undefined) return at + 1 - keyLength;
      node = next;
    }
  }

  /** Returns the longest prefix that ends with this unit and is longer than `keyLength`. */
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

/** Returns how many units after the longest prefix belong to a long pattern. */
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

/** @param before result of `withUnit` for the three units before */
function filterIndex(before: number, unit: number): number {
  return (before << 7) | (unit & 0x7f);
}

/** Adds a unit to nine bits of the last three units. Older units have been shifted out. */
function withUnit(before: number, unit: number): number {
  return ((before << 3) ^ unit) & 0x1ff;
}

function keyIndex(pattern: string): number {
  let before = 0;
  for (let at = 0; at < keyLength - 1; at += 1) before = withUnit(before, pattern.charCodeAt(at));
  return filterIndex(before, pattern.charCodeAt(keyLength - 1));
}
