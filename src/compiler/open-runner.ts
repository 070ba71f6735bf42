import { runHere } from "./run-here.js";
import { runInThread } from "./run-in-thread.js";
import type { Runner, ScheduledRunner } from "./runner.js";
import type { Stopwatch } from "./stopwatch.js";

/** Number of tools for which printing takes longer than a thread takes to start. */
const manyTools = 50;

/**
 * Opens a runner. It works in the calling thread until many tools are to be printed, and then in
 * another thread. After `close` it works in the calling thread again.
 */
export function openRunner(stopwatch: Stopwatch): ScheduledRunner {
  const here = runHere(stopwatch);
  let runner: Runner = here;
  return {
    expect(tools) {
      if (tools >= manyTools && runner === here) runner = runInThread();
    },
    print: (statement, style) => runner.print(statement, style),
    each: (items, work) => runner.each(items, work),
    begin: (print) => runner.begin(print),
    parseAhead: (file) => runner.parseAhead(file),
    checkAhead: (ahead, settings) => runner.checkAhead(ahead, settings),
    typeProblems: (modules, all, settings) => runner.typeProblems(modules, all, settings),
    idle: () => runner.idle(),
    async close() {
      const ended = runner;
      runner = here;
      await ended.close();
    },
  };
}
