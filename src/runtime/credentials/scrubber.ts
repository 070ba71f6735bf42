import { breakableSpellingsOf, spellingsOf } from "./secret-spellings.js";

/** Replaces secrets in text, in every spelling they can take there. */
export interface Scrubber {
  /** @param shown what stands in the secret's place: `${NAME}` */
  learn(value: string, shown: string): void;
  /**
   * The same for a text that is wholly the value, and never for a part of one: a value too short to
   * be looked for elsewhere.
   */
  learnWhole(value: string, shown: string): void;
  scrub(text: string): string;
  /** Characters of the longest spelling that is looked for, without line breaks in it. */
  longest(): number;
  /** The same for JSON, which stays JSON. */
  scrubJson(json: string): string;
  /**
   * Every text in a value, names of properties included; the value itself where there is nothing to
   * do. Numbers that are a whole secret become text.
   */
  scrubValue(value: unknown): unknown;
}

/** Characters by which spellings are found; a shorter one is none. */
const keyLength = 4;

interface Spelling {
  readonly text: string;
  readonly shown: string;
  /** Whether line breaks may stand between its characters. */
  readonly isBreakable: boolean;
}

interface FoundSpelling {
  readonly shown: string;
  /** Offset behind it. */
  readonly end: number;
}

/**
 * One pass over a text, however many secrets there are: a filter tells where one may begin, by its
 * first four characters.
 */
export function createScrubber(): Scrubber {
  const filter = new Uint8Array(2 ** 16);
  const starts = new Map<string, Spelling[]>();
  const whole = new Map<string, string>();
  let longest = 0;

  /** The longest spelling that begins there. */
  const spellingAt = (text: string, at: number): FoundSpelling | undefined => {
    for (const each of starts.get(text.slice(at, at + keyLength)) ?? []) {
      const end = endOf(each, text, at);
      if (end !== undefined) return { shown: each.shown, end };
    }
    return undefined;
  };

  const scrub = (text: string): string => {
    if (starts.size === 0) return text;
    let clean = "";
    let done = 0;
    let hash = 0;
    for (let end = 0; end < text.length; end += 1) {
      hash = nextHash(hash, text.charCodeAt(end));
      if (filter[hash] === 0) continue;
      const at = end + 1 - keyLength;
      const found = at < done ? undefined : spellingAt(text, at);
      if (found === undefined) continue;
      clean += text.slice(done, at) + found.shown;
      done = found.end;
    }
    return done === 0 ? text : clean + text.slice(done);
  };

  const scrubValue = (value: unknown): unknown => {
    if (typeof value === "string") return whole.get(value) ?? scrub(value);
    if (Array.isArray(value)) return changedItems(value, scrubValue);
    if (typeof value === "object" && value !== null) return changedFields(value, scrub, scrubValue);
    // A credential of digits inside a longer number is not that credential.
    const text = String(value);
    return spellingAt(text, 0)?.end === text.length ? scrub(text) : value;
  };

  const keep = (spelling: Spelling): void => {
    const key = spelling.text.slice(0, keyLength);
    const others = starts.get(key) ?? [];
    if (others.some((each) => coversAll(each, spelling))) return;
    filter[hashOf(key)] = 1;
    starts.set(key, [...others, spelling].toSorted(longestFirst));
    longest = Math.max(longest, spelling.text.length);
  };

  return {
    learn(value, shown) {
      for (const text of spellingsOf(value)) keep({ text, shown, isBreakable: false });
      // Where the first characters are apart, the rest is found all the same.
      for (const text of breakableSpellingsOf(value))
        for (let from = 0; from < keyLength; from += 1)
          keep({ text: text.slice(from), shown, isBreakable: true });
    },
    learnWhole: (value, shown) => void whole.set(value, shown),
    scrub,
    longest: () => longest,
    scrubJson(json) {
      // Names put in between quotes and brackets may leave no JSON: the text only tells whether
      // there is anything to do.
      const isClean = whole.size === 0 && scrub(json) === json;
      return isClean ? json : JSON.stringify(scrubValue(JSON.parse(json)));
    },
    scrubValue,
  };
}

/** Whether looking for the one finds all that looking for the other would. */
function coversAll(one: Spelling, other: Spelling): boolean {
  return one.text === other.text && (one.isBreakable || !other.isBreakable);
}

/**
 * A line break as it is, or escaped in JSON and in JSON within JSON, and what the next line is
 * indented by.
 */
const lineBreak = /(?:\r|\\{1,4}r)?(?:\n|\\{1,4}n)[ \t]{0,40}/y;

/** Where the spelling that begins there ends; undefined when it doesn't stand there. */
function endOf(
  { isBreakable, text: spelling }: Spelling,
  text: string,
  start: number,
): number | undefined {
  if (text.startsWith(spelling, start)) return start + spelling.length;
  if (!isBreakable) return undefined;
  let at = start;
  for (let index = 0; index < spelling.length; index += 1, at += 1) {
    if (text[at] === spelling[index]) continue;
    lineBreak.lastIndex = at;
    if (!lineBreak.test(text) || text[lineBreak.lastIndex] !== spelling[index]) return undefined;
    at = lineBreak.lastIndex;
  }
  return at;
}

function longestFirst(a: Spelling, b: Spelling): number {
  return b.text.length - a.text.length;
}

/** Of the last four characters: what is older has left the 16 bits. */
function nextHash(hash: number, unit: number): number {
  return ((hash << 4) ^ unit) & 0xffff;
}

function hashOf(key: string): number {
  let hash = 0;
  for (let at = 0; at < key.length; at += 1) hash = nextHash(hash, key.charCodeAt(at));
  return hash;
}

function changedItems(items: readonly unknown[], change: (value: unknown) => unknown): unknown {
  const changed = items.map(change);
  return changed.every((each, index) => each === items[index]) ? items : changed;
}

function changedFields(
  value: object,
  changeName: (name: string) => string,
  change: (value: unknown) => unknown,
): unknown {
  const entries = Object.entries(value);
  const changed = entries.map(([name, each]) => [changeName(name), change(each)] as const);
  const isSame = changed.every(
    ([name, each], index) => name === entries[index]?.[0] && each === entries[index][1],
  );
  // `fromEntries` defines own properties: one named `__proto__` stays a property.
  return isSame ? value : Object.fromEntries(changed);
}
