import { setImmediate } from "node:timers/promises";
import type { OutputFile } from "../core/output.js";
import { collectGarbage } from "./collect-garbage.js";
import { CompileThread } from "./compile-thread.js";
import type { Runner } from "./runner.js";
import { startThread } from "./start-compile-thread.js";
import type { PrintedModule } from "./unit.js";
import type { TypeFault } from "./verify/check-types.js";

/**
 * Number of modules that are type-checked together, so that TypeScript checks their runtime imports
 * once. A larger number delays the last batch.
 */
const together = 400;

/** A runner that uses a worker thread, in the order of the requests. */
export function runInThread(): Runner {
  const thread = new CompileThread(startThread());
  return {
    print: (statement, style) => thread.print(statement, style),
    each: (items, work) => Promise.all(items.map(work)),
    async begin(print) {
      const printed = print();
      // The error reaches whoever awaits the promise later; this avoids an unhandled rejection.
      printed.catch(() => undefined);
      // Between two turns of the event loop, this thread receives results of the other.
      await setImmediate();
      return () => printed;
    },
    parseAhead: (file) => thread.parse(file),
    ...typeChecksIn(thread),
    idle: collectGarbage,
    close: () => thread.close(),
  };
}

function typeChecksIn(thread: CompileThread): Pick<Runner, "checkAhead" | "typeProblems"> {
  const begun = new Map<OutputFile, Promise<readonly TypeFault[]>>();
  /** Printed modules of skills, and all modules that they may import. */
  const waiting: OutputFile[] = [];
  const imported: OutputFile[] = [];
  return {
    checkAhead(ahead, settings) {
      const { known, modules } = ahead();
      waiting.push(...modules);
      imported.push(...known);
      if (waiting.length < together) return;
      const checked = waiting.splice(0);
      const faults = thread.findTypeFaults(checked, imported.splice(0), settings);
      // The error reaches a later caller that waits for the problems, if there is one.
      faults.catch(() => undefined);
      for (const each of checked) begun.set(each, faults);
    },
    async typeProblems(modules, all, settings) {
      const later = modules.map(({ file }) => file).filter((file) => !begun.has(file));
      const late = thread.findTypeFaults(later, all, settings);
      // A recompiled module has another text, so results for its old text don't count.
      const faultsOf = async ({ file }: PrintedModule) =>
        (await (begun.get(file) ?? late)).filter(({ path }) => path === file.path);
      const found = await Promise.all(modules.map(faultsOf));
      // This thread loads TypeScript only to describe problems.
      if (found.every((faults) => faults.length === 0)) return [];
      const { typeProblem } = await import("./verify/check-types.js");
      return modules.flatMap((each, index) =>
        (found[index] ?? []).map((fault) => typeProblem(each, fault)),
      );
    },
  };
}
