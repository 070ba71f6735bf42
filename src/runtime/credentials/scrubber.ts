import { escapeMarks, viewsOf } from "./escapes.js";
import { keyLength, PatternMatcher } from "./pattern-matcher.js";
import {
  base64Characters,
  joinedSpellingsOf,
  shortestLine,
  spacedSpellingsOf,
  spellingsOf,
} from "./secret-spellings.js";
import { type Stretch, type TextView, ViewWriter, viewThrough } from "./text-view.js";

/** Replaces secrets in text, in all their spellings. */
export interface Scrubber {
  /**
   * Learns a secret.
   *
   * @param shown replaces the secret: `${NAME}`
   */
  learn(value: string, shown: string): void;
  /**
   * Learns a value that is too short to be found inside other texts. It is replaced only if it is
   * the whole text.
   */
  learnWhole(value: string, shown: string): void;
  /** Replaces the secrets in a text. */
  scrub(text: string): string;
  /** Returns the length of the longest spelling in characters, with room for its escapes. */
  longest(): number;
  /** Replaces the secrets in JSON, which stays valid JSON. */
  scrubJson(json: string): string;
  /**
   * Replaces the secrets in all texts of a value, also in property names. Returns the value itself
   * if there are none. Numbers that equal a secret become text.
   */
  scrubValue(value: unknown): unknown;
}

interface Spelling {
  readonly shown: string;
}

/** A stretch of a text that contains a secret. */
interface SecretMatch extends Stretch {
  readonly shown: string;
}

/**
 * Creates a scrubber. It searches for all secrets at once: in the text, in the text without its
 * line breaks, and in the text with its escapes decoded.
 */
export function createScrubber(): Scrubber {
  const matcher = new PatternMatcher<Spelling>(`${escapeMarks}\n`);
  /** For texts in which each `+` is a space, because a form may contain `%20` too. */
  const spaced = new PatternMatcher<Spelling>();
  const whole = new Map<string, string>();
  const breakable = new Set(base64Characters);

  const searchJoined = (view: TextView, found: SecretMatch[]): void => {
    const joined = view.text.includes("\n") ? withoutBreaks(view.text, breakable) : undefined;
    if (joined !== undefined) search(matcher, viewThrough(view, joined), found, shortestLine);
  };

  const scrub = (text: string): string => {
    if (matcher.longest === 0 || text.length < keyLength) return text;
    // Most texts are plain and need no search.
    if (matcher.isPlain(text)) return text;
    const found: SecretMatch[] = [];
    for (const view of viewsOf(text)) {
      search(matcher, view, found);
      searchJoined(view, found);
      // Only a decoded text can mix both spellings of a space.
      if (view.text !== text && spaced.longest > 0 && view.text.includes("+"))
        search(spaced, { ...view, text: view.text.replaceAll("+", " ") }, found);
    }
    return found.length === 0 ? text : replaced(text, found);
  };

  const scrubValue = (value: unknown): unknown => {
    if (typeof value === "string") return whole.get(value) ?? scrub(value);
    if (Array.isArray(value)) return changedItems(value, scrubValue);
    if (typeof value === "object" && value !== null) return changedFields(value, scrub, scrubValue);
    // A credential of digits inside a longer number is not that credential.
    const text = String(value);
    if (matcher.candidate(text, 0) !== 0) return value;
    let shown: string | undefined;
    matcher.search(text, 0, (start, end, each) => {
      if (end - start === text.length) ({ shown } = each);
    });
    return shown ?? value;
  };

  return {
    learn(value, shown) {
      for (const text of spellingsOf(value)) matcher.add(text, { shown });
      for (const text of spacedSpellingsOf(value)) spaced.add(text, { shown });
      for (const text of joinedSpellingsOf(value)) {
        matcher.add(text, { shown });
        for (const char of text.split("")) breakable.add(char);
      }
    },
    learnWhole: (value, shown) => void whole.set(value, shown),
    scrub,
    longest: () => 2 * matcher.longest,
    scrubJson(json) {
      // Replacing inside the text could break the JSON, for example in numbers. So the text only
      // shows whether there is anything to replace.
      const isClean = whole.size === 0 && scrub(json) === json;
      return isClean ? json : JSON.stringify(scrubValue(JSON.parse(json)));
    },
    scrubValue,
  };
}

function search(
  matcher: PatternMatcher<Spelling>,
  { sourceOf, text }: TextView,
  found: SecretMatch[],
  shortest = 0,
): void {
  matcher.search(text, matcher.candidate(text, 0), (start, end, { shown }) => {
    if (end - start >= shortest) found.push({ ...sourceOf({ start, end }), shown });
  });
}

/** Replaces the matches. Overlapping matches are replaced as one. */
function replaced(text: string, found: readonly SecretMatch[]): string {
  let clean = "";
  let done = 0;
  let last: SecretMatch | undefined;
  const write = ({ shown, start }: SecretMatch, end: number): void => {
    clean += text.slice(done, start) + shown;
    done = end;
  };
  let end = 0;
  for (const each of found.toSorted(byPlace)) {
    if (last !== undefined && each.start < end) end = Math.max(end, each.end);
    else {
      if (last !== undefined) write(last, end);
      last = each;
      ({ end } = each);
    }
  }
  if (last !== undefined) write(last, end);
  return clean + text.slice(done);
}

/** Orders matches by start; the longest of those with the same start is first. */
function byPlace(a: Stretch, b: Stretch): number {
  return a.start - b.start || b.end - a.end;
}

/** Maximum indentation of the next line, in columns. */
const maxIndent = 40;

/**
 * Removes line breaks that may be inside a spelling, with the indentation after them; undefined if
 * there are none.
 */
function withoutBreaks(text: string, breakable: ReadonlySet<string>): TextView | undefined {
  const writer = new ViewWriter(text);
  const isInside = (at: number): boolean => breakable.has(text[at] ?? "");
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    const start = text[at - 1] === "\r" ? at - 1 : at;
    if (!isInside(start - 1)) continue;
    let end = at + 1;
    while (end - at <= maxIndent && (text[end] === " " || text[end] === "\t")) end += 1;
    if (isInside(end)) writer.replace(start, end, "");
  }
  return writer.finish();
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
