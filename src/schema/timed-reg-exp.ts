import { createContext, Script } from "node:vm";
import type { GuardedRegExp } from "./ajv-instance.js";

/** Milliseconds that a pattern may take on a value before it counts as not matching. */
const patternTimeout = 200;

/** The same for a second look: a machine that was busy at the first may not change what is found. */
const secondTimeout = 2000;

/** Patterns are the author's: one that backtracks for ever must not stop the compiler. */
export const timedRegExp: GuardedRegExp = Object.assign(
  (pattern: string, flags: string) => {
    const compiled = new RegExp(pattern, flags);
    return {
      test(text: string): boolean {
        Object.assign(context, { pattern: compiled, text });
        const answer = runWithin(patternTimeout);
        return (answer ?? runWithin(secondTimeout)) === true;
      },
      // Ajv tells patterns apart by this.
      toString: () => `/${pattern}/${flags}`,
    };
  },
  { code: "new RegExp" },
);

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
