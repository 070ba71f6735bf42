import { createContext, Script } from "node:vm";
import type { GuardedRegExp } from "./ajv-instance.js";

/** Milliseconds that a pattern may take on a value before it counts as not matching. */
const patternTimeout = 200;

/** The same for a second look: a machine that was busy at the first may not change what is found. */
const secondTimeout = 2000;

/** Milliseconds of second looks that found nothing, after which there is none. */
const mostLost = 4000;

/** The same for a pattern that was given up on another value, and how many values it may be given up on before it is no longer asked. */
const laterTimeout = 20;
const mostGivenUp = 3;

/** The values that patterns were given up on. */
const givenUp = new Map<string, Set<string>>();
let lost = 0;

/** Patterns are the author's: one that backtracks for ever must not stop the compiler. */
export const timedRegExp: GuardedRegExp = Object.assign(
  (pattern: string, flags: string) => {
    const compiled = new RegExp(pattern, flags);
    const name = `/${pattern}/${flags}`;
    return {
      test: (text: string) => matches(compiled, name, text),
      // Ajv tells patterns apart by this.
      toString: () => name,
    };
  },
  { code: "new RegExp" },
);

function matches(pattern: RegExp, name: string, text: string): boolean {
  const before = givenUp.get(name);
  if (before !== undefined && (before.has(text) || before.size >= mostGivenUp)) return false;
  Object.assign(context, { pattern, text });
  const answer = before === undefined ? patientAnswer() : runWithin(laterTimeout);
  if (answer === undefined) givenUp.set(name, (before ?? new Set()).add(text));
  return answer === true;
}

function patientAnswer(): unknown {
  const answer = runWithin(patternTimeout);
  if (answer !== undefined || lost >= mostLost) return answer;
  const second = runWithin(secondTimeout);
  if (second === undefined) lost += secondTimeout;
  return second;
}

const script = new Script("pattern.test(text)");
/** One for all: making one takes longer than most patterns. */
const context = createContext({});

/** Undefined when its time was up. */
function runWithin(timeout: number): unknown {
  try {
    return script.runInContext(context, { timeout });
  } catch {
    return undefined;
  }
}
