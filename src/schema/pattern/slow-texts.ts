import type { AST } from "@eslint-community/regexpp";
import {
  alphabetOf,
  type CharacterFlags,
  type CharacterSet,
  charactersOf,
  greatestOf,
} from "./characters.js";
import { type PatternFlags, programOf } from "./program.js";
import type { Runs } from "./runs.js";

/** Texts of any length that prove a pattern slow: `start + pump.repeat(n) + end`. */
export interface SlowTexts {
  readonly start: string;
  readonly pump: string;
  readonly end: string;
}

/** Repetitions to compare. The number of steps must grow faster than the text. */
const times = [24, 48] as const;
const growth = 2.5;

/** Maximum number of counted steps. A match with more is slow. */
const maxSteps = 50_000;

/** Maximum number of characters to try for a part of a text. */
const maxTried = 8;

/**
 * Looks for texts for which the counted steps grow faster than the text. Tries texts from the
 * analysis first.
 */
export function slowTexts(
  pattern: AST.Pattern,
  flags: PatternFlags,
  runs: Runs,
): SlowTexts | undefined {
  const sets = programOf(pattern, flags, 1)?.sets ?? [];
  const examples = alphabetOf(sets, greatestOf(flags)).examples.slice(0, maxTried);
  const characters = examples.map((each) => String.fromCodePoint(each));
  const beginnings = [
    ...(runs.kind === "unbounded" ? [{ start: runs.start, pump: runs.pump }] : []),
    ...characters.map((pump) => ({ start: "", pump })),
  ];
  for (const beginning of beginnings) {
    const end = ["", ...characters].find((each) =>
      isSlow(pattern, flags, { ...beginning, end: each }),
    );
    if (end !== undefined) return { ...beginning, end };
  }
  return undefined;
}

function isSlow(pattern: AST.Pattern, flags: PatternFlags, texts: SlowTexts): boolean {
  const [few, many] = times.map((each) => {
    const text = texts.start + texts.pump.repeat(each) + texts.end;
    return backtrack(pattern, text, flags, maxSteps)?.steps;
  });
  // The steps of the short text are uncounted for another reason than their number, so those of the
  // long text are too.
  if (few === undefined) return isCounted(pattern, flags);
  return many === undefined || many > growth * few;
}

function isCounted(pattern: AST.Pattern, flags: PatternFlags): boolean {
  return backtrack(pattern, "", flags, maxSteps) !== undefined;
}

/** Counts the steps of a match, and stops a match that takes too many. */
interface Meter {
  steps: number;
  readonly most: number;
}

class NotCounted extends Error {}

type Continue = (at: number) => boolean;
type Matcher = (at: number, next: Continue) => boolean;

/**
 * Runs a match as ECMAScript's specification describes it, closures included, and counts each
 * attempt of an element as a step.
 *
 * @returns the steps, and if the text matches. Undefined for more than `most` steps, or for a
 * pattern with a lookbehind.
 */
export function backtrack(
  pattern: AST.Pattern,
  text: string,
  flags: CharacterFlags,
  most: number,
): { readonly matches: boolean; readonly steps: number } | undefined {
  const meter: Meter = { steps: 0, most };
  const characters = Array.from(text, (each) => each.codePointAt(0) ?? 0);
  try {
    const match = new Matchers(characters, flags, meter).alternatives(pattern.alternatives);
    for (let start = 0; start <= characters.length; start += 1)
      if (match(start, () => true)) return { matches: true, steps: meter.steps };
    return { matches: false, steps: meter.steps };
  } catch (error) {
    if (error instanceof NotCounted) return undefined;
    throw error;
  }
}

class Matchers {
  readonly #text: readonly number[];
  readonly #flags: CharacterFlags;
  readonly #meter: Meter;
  readonly #groups = new Map<AST.CapturingGroup, readonly [number, number] | undefined>();

  constructor(text: readonly number[], flags: CharacterFlags, meter: Meter) {
    this.#text = text;
    this.#flags = flags;
    this.#meter = meter;
  }

  alternatives(all: readonly AST.Alternative[]): Matcher {
    const each = all.map(({ elements }) => this.#sequence(elements));
    return (at, next) => each.some((match) => match(at, next));
  }

  #sequence(elements: readonly AST.Element[]): Matcher {
    const all = elements.map((each) => this.#element(each));
    return (at, next) =>
      all.reduceRight<Continue>((after, match) => (here) => match(here, after), next)(at);
  }

  #element(element: AST.Element): Matcher {
    const match = this.#plain(element);
    return (at, next) => {
      this.#meter.steps += 1;
      if (this.#meter.steps > this.#meter.most) throw new NotCounted();
      return match(at, next);
    };
  }

  #plain(element: AST.Element): Matcher {
    switch (element.type) {
      case "Character":
      case "CharacterSet":
      case "CharacterClass": {
        const set = charactersOf(element, this.#flags);
        return (at, next) =>
          at < this.#text.length && holds(set, this.#text[at] ?? 0) && next(at + 1);
      }
      case "Group":
        return this.alternatives(element.alternatives);
      case "CapturingGroup":
        return this.#group(element);
      case "Quantifier":
        return this.#quantifier(element);
      case "Assertion":
        return this.#assertion(element);
      case "Backreference":
        return this.#backreference(element);
      case "ExpressionCharacterClass":
        throw new NotCounted();
    }
  }

  #group(group: AST.CapturingGroup): Matcher {
    const match = this.alternatives(group.alternatives);
    return (at, next) => {
      const before = this.#groups.get(group);
      const isMatch = match(at, (end) => {
        const inner = this.#groups.get(group);
        this.#groups.set(group, [at, end]);
        if (next(end)) return true;
        this.#groups.set(group, inner);
        return false;
      });
      if (!isMatch) this.#groups.set(group, before);
      return isMatch;
    };
  }

  #backreference({ resolved }: AST.Backreference): Matcher {
    const [group] = [resolved].flat();
    return (at, next) => {
      const [from, to] = (group && this.#groups.get(group)) ?? [0, 0];
      for (let index = from; index < to; index += 1) {
        this.#meter.steps += 1;
        if (this.#text[index] !== this.#text[at + index - from]) return false;
      }
      return next(at + to - from);
    };
  }

  #quantifier(quantifier: AST.Quantifier): Matcher {
    const { element, greedy, max, min } = quantifier;
    const match = this.#element(element);
    /** Each round starts with empty groups. */
    const round = (at: number, next: Continue): boolean => {
      const before = new Map(this.#groups);
      for (const group of before.keys())
        if (quantifier.start <= group.start && group.end <= quantifier.end)
          this.#groups.delete(group);
      if (match(at, next)) return true;
      this.#restore(before);
      return false;
    };
    const repeat = (at: number, done: number, next: Continue): boolean => {
      const again = (): boolean =>
        done < max &&
        round(at, (end) => (done >= min && end === at ? false : repeat(end, done + 1, next)));
      if (done < min) return again();
      return greedy ? again() || next(at) : next(at) || again();
    };
    return (at, next) => repeat(at, 0, next);
  }

  #assertion(assertion: AST.Assertion): Matcher {
    switch (assertion.kind) {
      case "start":
        return (at, next) => at === 0 && next(at);
      case "end":
        return (at, next) => at === this.#text.length && next(at);
      case "word":
        return (at, next) =>
          (this.#isWord(at - 1) !== this.#isWord(at)) !== assertion.negate && next(at);
      case "lookahead": {
        const match = this.alternatives(assertion.alternatives);
        return (at, next) => {
          const before = new Map(this.#groups);
          const isMatch = match(at, () => true);
          // Groups keep the captures of a lookahead only if the lookahead and the rest match.
          if (isMatch && assertion.negate) this.#restore(before);
          if (isMatch !== assertion.negate && next(at)) return true;
          this.#restore(before);
          return false;
        };
      }
      case "lookbehind":
        throw new NotCounted();
    }
  }

  #restore(groups: ReadonlyMap<AST.CapturingGroup, readonly [number, number] | undefined>): void {
    this.#groups.clear();
    for (const [group, found] of groups) this.#groups.set(group, found);
  }

  #isWord(at: number): boolean {
    const character = this.#text[at];
    return character !== undefined && /\w/.test(String.fromCodePoint(character));
  }
}

function holds(set: CharacterSet, character: number): boolean {
  return set.some(([first, last]) => first <= character && character <= last);
}
