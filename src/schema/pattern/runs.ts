import { alphabetOf } from "./characters.js";
import type { Program, Step } from "./program.js";

/**
 * Decides how the time of a backtracking matcher grows with the text. The matcher tries one way
 * through the pattern after another. Its number of steps is the number of ways to read the prefixes
 * of the text, which must be bounded per character for every text.
 *
 * The ways are counted, not walked: how many lead to each step of the program after a given prefix.
 * One count and one character determine the next count, and there are only as many kinds of
 * characters as the pattern distinguishes. So all counts can be enumerated, unless they grow
 * without limit, which also answers the question.
 *
 * After the matcher reaches a place from which it can't fail, it never backtracks. Such a place is
 * therefore counted once, however many ways lead to it.
 */
export type Runs =
  /** Maximum number of steps for each character of a text. */
  | { readonly kind: "bounded"; readonly most: number }
  /**
   * The number of ways grows with the repetitions of `pump` after `start`. The rest of the text
   * decides if the matcher tries them all.
   */
  | { readonly kind: "unbounded"; readonly start: string; readonly pump: string }
  /** The pattern is too large for the analysis. */
  | { readonly kind: "untold" };

/**
 * Use of the matcher: `test` stops at the first match; `all` continues behind each match, like
 * `replaceAll`; `sticky` matches at one position.
 */
export type Search = "test" | "all" | "sticky";

/** Maximum number of steps for each character of a linear pattern. */
const maxPerCharacter = 1000;

/** Maximum number of steps of this analysis for a pattern of a schema. */
const ordinaryWork = 200_000;

/** Number of ways from one place to each character that may come next. */
interface Reach {
  readonly next: ReadonlyMap<number, number>;
  /** Characters that the matcher reaches, whatever text follows. */
  readonly sure: ReadonlySet<number>;
  /** Number of steps on all ways together. */
  readonly steps: number;
  readonly accepts: boolean;
  /** True if the place matches at the end of the text. */
  readonly acceptsAtEnd: boolean;
}

class TooMuch extends Error {}

/** Counts the ways through a program. */
export function runsOf(
  program: Program,
  greatest: number,
  search: Search,
  maxWork = ordinaryWork,
): Runs {
  try {
    return new Analysis(program, greatest, search, maxWork).run();
  } catch (error) {
    if (error instanceof TooMuch) return { kind: "untold" };
    throw error;
  }
}

/** Place before the first character. Other places are numbers of the last matched character. */
const begin = -1;
/** Place that stands for starting the match at a later position. */
const later = -2;

type Counts = ReadonlyMap<number, number>;

interface Visit {
  readonly counts: Counts;
  readonly steps: number;
  readonly before: Visit | undefined;
  readonly character: number;
}

class Analysis {
  readonly #program: Program;
  readonly #search: Search;
  readonly #alphabet;
  readonly #reaches = new Map<number, Reach>();
  readonly #certain: ReadonlySet<number>;
  readonly #maxWork: number;
  #work = 0;

  constructor(program: Program, greatest: number, search: Search, maxWork: number) {
    this.#maxWork = maxWork;
    this.#program = program;
    this.#search = search;
    this.#alphabet = alphabetOf(program.sets, greatest);
    this.#certain = this.#certainPlaces();
  }

  run(): Runs {
    const isSearched = this.#search !== "sticky" && this.#canStartLater();
    const first: Counts = new Map(
      isSearched
        ? [
            [begin, 1],
            [later, 1],
          ]
        : [[begin, 1]],
    );
    const seen = new Set<string>();
    const visits = new Queue();
    visits.add({ counts: first, steps: this.#stepsOf(first), before: undefined, character: 0 });
    let most = 0;
    for (let visit = visits.take(); visit !== undefined; visit = visits.take()) {
      most = Math.max(most, visit.steps);
      if (visit.steps > maxPerCharacter) return this.#family(visit);
      for (const [character] of this.#alphabet.examples.entries()) {
        const counts = this.#after(visit.counts, character);
        const key = countsKey(counts);
        if (counts.size === 0 || seen.has(key)) continue;
        seen.add(key);
        visits.add({ counts, steps: this.#stepsOf(counts), before: visit, character });
      }
    }
    return { kind: "bounded", most };
  }

  #canStartLater(): boolean {
    const { acceptsAtEnd, next } = this.#reach(later);
    return acceptsAtEnd || next.size > 0;
  }

  #after(counts: Counts, character: number): Counts {
    const result = new Map<number, number>();
    const add = (place: number, ways: number): void => {
      const isOne = place === later || this.#certain.has(place);
      result.set(place, isOne ? 1 : (result.get(place) ?? 0) + ways);
    };
    for (const [place, ways] of counts) {
      if (place === later) add(later, 1);
      const { accepts, next } = this.#reach(place);
      if (accepts && this.#search === "all") add(later, 1);
      for (const [id, more] of next) {
        this.#spend(1);
        if (this.#takes(id, character)) add(id, ways * more);
      }
    }
    return result;
  }

  #takes(id: number, character: number): boolean {
    const set = this.#program.characters[id]?.set;
    return set !== undefined && this.#alphabet.holds[set]?.[character] === true;
  }

  #stepsOf(counts: Counts): number {
    let sum = 0;
    for (const [place, ways] of counts) sum += ways * this.#reach(place).steps;
    return sum;
  }

  #spend(work: number): void {
    this.#work += work;
    if (this.#work > this.#maxWork) throw new TooMuch();
  }

  #reach(place: number): Reach {
    let reach = this.#reaches.get(place);
    if (reach === undefined) this.#reaches.set(place, (reach = this.#reachOf(place)));
    return reach;
  }

  /**
   * Counts the ways from a place to each next character, by the rules of a matcher that has just
   * matched one.
   */
  #reachOf(place: number): Reach {
    const next = new Map<number, number>();
    const sure = new Set<number>();
    const entered = new Set<number>();
    const found = { steps: 0, accepts: false, acceptsAtEnd: false };
    /** @param condition condition for this way: none, that the text ends here, or another one */
    const go = (step: Step, condition: "none" | "at-end" | "other", depth: number): void => {
      found.steps += 1;
      this.#spend(1);
      if (depth > deepest) throw new TooMuch();
      switch (step.kind) {
        case "character":
          // The text has ended, so no character can follow.
          if (condition === "at-end") return;
          next.set(step.id, (next.get(step.id) ?? 0) + 1);
          if (condition === "none") sure.add(step.id);
          return;
        case "choice":
          for (const each of step.to) go(each, condition, depth + 1);
          return;
        case "enter": {
          const isFirst = !entered.has(step.part);
          entered.add(step.part);
          go(step.next, condition, depth + 1);
          if (isFirst) entered.delete(step.part);
          return;
        }
        case "leave":
          if (!entered.has(step.part)) go(step.next, condition, depth + 1);
          return;
        case "start":
          if (place === begin) go(step.next, condition, depth + 1);
          return;
        case "end":
          go(step.next, condition === "other" ? condition : "at-end", depth + 1);
          return;
        case "maybe":
          go(step.next, "other", depth + 1);
          return;
        case "ahead":
          go(step.body, "other", depth + 1);
          go(step.next, "other", depth + 1);
          return;
        case "accept":
          found.accepts ||= condition === "none";
          found.acceptsAtEnd ||= condition !== "other";
          return;
        case "stop":
          return;
      }
    };
    go(this.#startOf(place), "none", 0);
    return { next, sure, ...found };
  }

  #startOf(place: number): Step {
    return this.#program.characters[place]?.next ?? this.#program.start;
  }

  /**
   * Finds the places from which every text matches. Some match at once. Others accept any character
   * or the end, and lead to such a place.
   */
  #certainPlaces(): ReadonlySet<number> {
    const counted = this.#program.characters.filter(({ loose }) => !loose);
    const places = [begin, ...counted.map(({ id }) => id)];
    const certain = new Set(places.filter((each) => this.#reach(each).acceptsAtEnd));
    for (let before = -1; before !== certain.size;) {
      before = certain.size;
      for (const place of certain) if (!this.#isCertain(place, certain)) certain.delete(place);
    }
    return certain;
  }

  #isCertain(place: number, certain: ReadonlySet<number>): boolean {
    const { accepts, sure } = this.#reach(place);
    if (accepts) return true;
    const on = [...sure].filter((id) => certain.has(id));
    this.#spend(on.length * this.#alphabet.examples.length);
    return this.#alphabet.examples.every((_, character) =>
      on.some((id) => this.#takes(id, character)),
    );
  }

  /** Returns the texts that prove unbounded growth, from the path to the visit. */
  #family(visit: Visit): Runs {
    const word: number[] = [];
    for (let at: Visit | undefined = visit; at?.before !== undefined; at = at.before)
      word.unshift(at.character);
    const length = periodOf(word);
    if (length === undefined) return { kind: "untold" };
    let start = word.length - length;
    while (start > 0 && word[start - 1] === word[start - 1 + length]) start -= 1;
    return {
      kind: "unbounded",
      start: this.#textOf(word.slice(0, start)),
      pump: this.#textOf(word.slice(start, start + length)),
    };
  }

  #textOf(word: readonly number[]): string {
    return word.map((each) => String.fromCodePoint(this.#alphabet.examples[each] ?? 0)).join("");
  }
}

/** Levels of recursion that are safe for the stack. */
const deepest = 4000;

/** Finds the shortest part that occurs three times at the end of the word. */
function periodOf(word: readonly number[]): number | undefined {
  for (let length = 1; length * 3 <= word.length; length += 1) {
    const tail = word.slice(-3 * length);
    if (tail.every((each, index) => each === tail[index % length])) return length;
  }
  return undefined;
}

function countsKey(counts: Counts): string {
  return [...counts].toSorted(([a], [b]) => a - b).join(";");
}

/** Queue that visits the largest number of steps first, to find unbounded growth early. */
class Queue {
  readonly #bySteps: Visit[][] = [];

  add(visit: Visit): void {
    (this.#bySteps[Math.min(visit.steps, maxPerCharacter + 1)] ??= []).push(visit);
  }

  take(): Visit | undefined {
    while (this.#bySteps.length > 0) {
      const found = this.#bySteps.at(-1)?.pop();
      if (found !== undefined) return found;
      this.#bySteps.pop();
    }
    return undefined;
  }
}
