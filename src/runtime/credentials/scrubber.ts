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
  /** Characters of the longest spelling, with some room for its escapes. */
  longest(): number;
  /** The same for JSON, which stays JSON. */
  scrubJson(json: string): string;
  /**
   * Every text in a value, names of properties included; the value itself where there is nothing to
   * do. Numbers that are a whole secret become text.
   */
  scrubValue(value: unknown): unknown;
}

interface Spelling {
  readonly shown: string;
}

/** A stretch of a text that holds a secret. */
interface SecretMatch extends Stretch {
  readonly shown: string;
}

/**
 * Looks for all secrets at once: in the text, in the text without its line breaks, and in what its
 * escapes mean.
 */
export function createScrubber(): Scrubber {
  const matcher = new PatternMatcher<Spelling>(`${escapeMarks}\n`);
  /** For texts in which each `+` is a space: a form may have `%20` beside it. */
  const spaced = new PatternMatcher<Spelling>();
  const whole = new Map<string, string>();
  const breakable = new Set(base64Characters);

  const searchJoined = (view: TextView, found: SecretMatch[]): void => {
    const joined = view.text.includes("\n") ? withoutBreaks(view.text, breakable) : undefined;
    if (joined !== undefined) search(matcher, viewThrough(view, joined), found, shortestLine);
  };

  const scrub = (text: string): string => {
    if (matcher.longest === 0 || text.length < keyLength) return text;
    // Most texts end here.
    if (matcher.isPlain(text)) return text;
    const found: SecretMatch[] = [];
    for (const view of viewsOf(text)) {
      search(matcher, view, found);
      searchJoined(view, found);
      // Only what was decoded mixes the two spellings of a space.
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
      // Names put in between quotes and brackets may leave no JSON: the text only tells whether
      // there is anything to do.
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

/** The text with each finding replaced. Those that overlap are replaced as one. */
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

/** The longest of those that begin at one place is the first. */
function byPlace(a: Stretch, b: Stretch): number {
  return a.start - b.start || b.end - a.end;
}

/** Columns that the next line may be indented by. */
const maxIndent = 40;

/**
 * The text without the line breaks that may stand inside a spelling, and without what the next line
 * is indented by; undefined if it has none.
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
