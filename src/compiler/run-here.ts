import { printStatement } from "./print-statement.js";
import type { Runner } from "./runner.js";
import type { Stopwatch } from "./stopwatch.js";

/** A runner that works in the calling thread, one task after the other. */
export function runHere(stopwatch: Stopwatch): Runner {
  return {
    print: (statement, style) => printStatement(statement, style, stopwatch.time),
    async each(items, work) {
      const done: Awaited<ReturnType<typeof work>>[] = [];
      for (const item of items) done.push(await work(item));
      return done;
    },
    async begin(print) {
      const printed = await print();
      return async () => printed;
    },
    parseAhead: () => undefined,
    checkAhead() {},
    async typeProblems(modules, all, settings) {
      const { checkTypes } = await import("./verify/check-types.js");
      return checkTypes(modules, all, settings);
    },
    idle() {},
    async close() {},
  };
}
