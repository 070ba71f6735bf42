import { type Context, createContext, Script } from "node:vm";
import type { GuardedRegExp } from "./ajv-instance.js";

/** Milliseconds that a pattern may take on a value before it counts as not matching. */
const patternTimeout = 200;

/** The same for a second look: a machine that was busy at the first may not change what is found. */
const secondTimeout = 2000;

/** Patterns are the author's: one that backtracks for ever must not stop the compiler. */
export const timedRegExp: GuardedRegExp = Object.assign(
  (pattern: string, flags: string) => {
    const script = new Script("pattern.test(text)");
    return {
      test(text: string): boolean {
        const context = createContext({ pattern: new RegExp(pattern, flags), text });
        const answer = runWithin(script, context, patternTimeout);
        return (answer ?? runWithin(script, context, secondTimeout)) === true;
      },
      // Ajv tells patterns apart by this.
      toString: () => `/${pattern}/${flags}`,
    };
  },
  { code: "new RegExp" },
);

/** Undefined when its time was up. */
function runWithin(script: Script, context: Context, timeout: number): unknown {
  try {
    return script.runInContext(context, { timeout });
  } catch {
    return undefined;
  }
}
