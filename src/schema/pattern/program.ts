import type { AST } from "@eslint-community/regexpp";
import {
  type CharacterFlags,
  type CharacterNode,
  type CharacterSet,
  charactersOf,
} from "./characters.js";

/**
 * A step of a pattern, as a backtracking matcher runs it. The matcher tries the steps in `to` in
 * order. It passes the `leave` of a `part` only if it matched something since the `enter`:
 * ECMAScript's rule for empty repetitions.
 */
export type Step =
  /** A `loose` character stands for a repetition that the program doesn't count. */
  | {
      readonly kind: "character";
      readonly set: number;
      readonly id: number;
      readonly loose: boolean;
      readonly next: Step;
    }
  | { readonly kind: "choice"; readonly to: Step[] }
  | { readonly kind: "enter" | "leave"; readonly part: number; next: Step }
  /** `$` and similar assertions. `start` and `end` are those of the whole text. */
  | { readonly kind: "start" | "end" | "maybe"; readonly next: Step }
  /** A lookahead: the matcher runs `body` here, and then `next`. */
  | { readonly kind: "ahead"; readonly body: Step; readonly next: Step }
  | { readonly kind: "accept" }
  /** The end of a lookahead. */
  | { readonly kind: "stop" };

export interface Program {
  readonly start: Step;
  readonly sets: readonly CharacterSet[];
  readonly characters: readonly (Step & { readonly kind: "character" })[];
}

export interface PatternFlags extends CharacterFlags {
  readonly multiline: boolean;
}

/** Maximum number of steps in a program, with repetitions written out. */
const maxSteps = 200_000;

/** Maximum number of characters that a lookbehind may read, on all ways together. */
const maxBehind = 200;

/**
 * Compiles a pattern. Undefined if the program would be too large, or if a lookbehind is unbounded.
 *
 * @param maxCounted maximum counted repetitions of one character. If `.{1,4000}` is counted only to
 * 16, it becomes `.+`, which a matcher can run in the same ways and more.
 */
export function programOf(
  pattern: AST.Pattern,
  flags: PatternFlags,
  maxCounted = Infinity,
): Program | undefined {
  const builder = new Builder(flags, maxCounted);
  try {
    const start = builder.alternatives(pattern.alternatives, accept);
    return { start, sets: builder.sets, characters: builder.characters };
  } catch (error) {
    if (error instanceof UnsupportedPattern) return undefined;
    throw error;
  }
}

class UnsupportedPattern extends Error {}

const accept: Step = { kind: "accept" };
const stop: Step = { kind: "stop" };

/** Builds a program from its end: each step gets the step that follows it. */
class Builder {
  readonly sets: CharacterSet[] = [];
  readonly characters: (Step & { readonly kind: "character" })[] = [];
  readonly #flags: PatternFlags;
  readonly #maxCounted: number;
  readonly #known = new Map<string, number>();
  /** Groups under construction. A reference from inside its own group matches the empty text. */
  readonly #open = new Set<AST.CapturingGroup>();
  #steps = 0;
  #parts = 0;

  constructor(flags: PatternFlags, maxCounted: number) {
    this.#flags = flags;
    this.#maxCounted = maxCounted;
  }

  alternatives(all: readonly AST.Alternative[], next: Step): Step {
    const to = all.map((each) => this.#sequence(each.elements, next));
    const [only] = to;
    return to.length === 1 && only !== undefined ? only : this.#count({ kind: "choice", to });
  }

  #sequence(elements: readonly AST.Element[], next: Step): Step {
    return elements.reduceRight((after, each) => this.#element(each, after), next);
  }

  #element(element: AST.Element, next: Step): Step {
    switch (element.type) {
      case "Character":
      case "CharacterSet":
      case "CharacterClass":
        return this.#character(element, next);
      case "Group":
        if (element.modifiers) throw new UnsupportedPattern();
        return this.alternatives(element.alternatives, next);
      case "CapturingGroup":
        return this.#group(element, next);
      case "Quantifier":
        return this.#quantifier(element, next);
      case "Assertion":
        return this.#assertion(element, next);
      case "Backreference":
        return this.#backreference(element, next);
      case "ExpressionCharacterClass":
        throw new UnsupportedPattern();
    }
  }

  #character(node: CharacterNode, next: Step, loose = false): Step {
    const { raw } = node;
    let set = this.#known.get(raw);
    if (set === undefined) {
      set = this.sets.push(charactersOf(node, this.#flags)) - 1;
      this.#known.set(raw, set);
    }
    const step = { kind: "character" as const, set, id: this.characters.length, loose, next };
    this.characters.push(step);
    return this.#count(step);
  }

  #group(group: AST.CapturingGroup, next: Step): Step {
    const isOuter = !this.#open.has(group);
    this.#open.add(group);
    const step = this.alternatives(group.alternatives, next);
    if (isOuter) this.#open.delete(group);
    return step;
  }

  /**
   * Replaces a back reference with the steps of its group. The reference matches the text of the
   * group, or nothing.
   */
  #backreference({ resolved }: AST.Backreference, next: Step): Step {
    const groups = [resolved].flat().filter((each) => !this.#open.has(each));
    // The program doesn't record the text of a group, so the reference may or may not match.
    const after = this.#count({ kind: "maybe" as const, next });
    const to = groups.map((each) => this.#group(each, after));
    return this.#count({ kind: "choice", to: [...to, after] });
  }

  #quantifier({ element, greedy, max, min }: AST.Quantifier, next: Step): Step {
    const isLoose =
      isCharacter(element) && Math.max(min, max === Infinity ? 0 : max) > this.#maxCounted;
    if (isLoose) return this.#looseLoop(element, min, next);
    const isLoop = max === Infinity;
    let step = isLoop
      ? this.#loop(element, greedy, next)
      : this.#upTo(max - min, element, greedy, next);
    for (let left = min; left > 0; left -= 1) step = this.#element(element, step);
    return step;
  }

  #looseLoop(node: CharacterNode, min: number, next: Step): Step {
    const head: Step & { readonly kind: "choice" } = { kind: "choice", to: [] };
    const round = this.#character(node, head, true);
    head.to.push(round, next);
    return min === 0 ? this.#count(head) : round;
  }

  #loop(element: AST.Element, greedy: boolean, next: Step): Step {
    const head: Step & { readonly kind: "choice" } = { kind: "choice", to: [] };
    const part = this.#part(element, head);
    head.to.push(...(greedy ? [part, next] : [next, part]));
    return this.#count(head);
  }

  #upTo(times: number, element: AST.Element, greedy: boolean, next: Step): Step {
    let step = next;
    for (let left = times; left > 0; left -= 1) {
      const part = this.#part(element, step);
      step = this.#count({ kind: "choice", to: greedy ? [part, next] : [next, part] });
    }
    return step;
  }

  /** One round of a repetition. It must match at least one character. */
  #part(element: AST.Element, next: Step): Step {
    if (isCharacter(element)) return this.#character(element, next);
    const part = (this.#parts += 1);
    const leave = this.#count({ kind: "leave" as const, part, next });
    return this.#count({ kind: "enter", part, next: this.#element(element, leave) });
  }

  #assertion(assertion: AST.Assertion, next: Step): Step {
    switch (assertion.kind) {
      case "start":
      case "end":
        return this.#count({ kind: this.#flags.multiline ? "maybe" : assertion.kind, next });
      case "word":
        return this.#count({ kind: "maybe", next });
      case "lookahead":
        return this.#count({
          kind: "ahead",
          body: this.alternatives(assertion.alternatives, stop),
          next,
        });
      case "lookbehind":
        if (readsOf(assertion.alternatives) > maxBehind) throw new UnsupportedPattern();
        return this.#count({ kind: "maybe", next });
    }
  }

  #count<Kind extends Step>(step: Kind): Kind {
    this.#steps += 1;
    if (this.#steps > maxSteps) throw new UnsupportedPattern();
    return step;
  }
}

function isCharacter(element: AST.Element): element is CharacterNode {
  return ["Character", "CharacterSet", "CharacterClass"].includes(element.type);
}

/** Number of characters that all ways through a part read together. */
function readsOf(alternatives: readonly AST.Alternative[]): number {
  return alternatives.reduce((sum, { elements }) => sum + sequenceReads(elements).reads, 0);
}

interface Reads {
  readonly ways: number;
  readonly reads: number;
}

function sequenceReads(elements: readonly AST.Element[]): Reads {
  return elements.reduce<Reads>(
    (before, each) => {
      const { reads, ways } = elementReads(each);
      return { ways: before.ways * ways, reads: before.reads + before.ways * reads };
    },
    { ways: 1, reads: 0 },
  );
}

function elementReads(element: AST.Element): Reads {
  switch (element.type) {
    case "Character":
    case "CharacterSet":
    case "CharacterClass":
      return { ways: 1, reads: 1 };
    case "Group":
    case "CapturingGroup": {
      const all = element.alternatives.map((each) => sequenceReads(each.elements));
      return {
        ways: all.reduce((sum, { ways }) => sum + ways, 0),
        reads: all.reduce((sum, { reads }) => sum + reads, 0),
      };
    }
    case "Quantifier": {
      const { reads, ways } = elementReads(element.element);
      if (element.max > maxBehind) return { ways: Infinity, reads: Infinity };
      return {
        ways: (element.max - element.min + 1) * ways ** element.max,
        reads: (reads + 1) * element.max * (element.max - element.min + 1) * ways ** element.max,
      };
    }
    case "Assertion":
      return element.kind === "lookahead" || element.kind === "lookbehind"
        ? { ways: Infinity, reads: Infinity }
        : { ways: 1, reads: 0 };
    default:
      return { ways: Infinity, reads: Infinity };
  }
}
