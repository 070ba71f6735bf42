import type { OutputFile } from "../core/output.js";
import { type CompileCache, putAll } from "./compile-cache.js";
import type { Printer } from "./printer.js";
import type { CompileThread } from "./compile-thread.js";
import type { PrintedModule, Unit } from "./unit.js";
import { keyOfTypeCheck } from "./verify/checked-code.js";
import type { TypeCheckSettings, TypeFault, TypeProblem } from "./verify/check-types.js";

/** The type checks of a run's new modules. */
export interface TypeChecks {
  /**
   * Has the modules of a skill looked at, with others, where a thread can do that while further
   * skills are compiled; here all are looked at together, which is faster.
   */
  begin(unit: Unit): void;
  /**
   * What is wrong with modules, but for those whose code was checked in another run: a comment, or
   * what a model is told, has no types.
   *
   * @param all every generated file, for imports
   */
  problems(
    fresh: readonly PrintedModule[],
    all: readonly OutputFile[],
  ): Promise<readonly TypeProblem[]>;
}

/**
 * Modules that are looked at together: what they import of the runtime is looked at once for all of
 * them. With more the last ones are waited for longer.
 */
const together = 400;

interface Checking {
  readonly cache?: CompileCache;
  readonly printer: Printer;
  readonly typeCheck: TypeCheckSettings;
}

export function openTypeChecks({ cache, printer, typeCheck }: Checking): TypeChecks {
  const begun = new Map<OutputFile, Promise<readonly TypeFault[]>>();
  /** Modules of skills that are printed, and all that those may import. */
  const waiting: OutputFile[] = [];
  const known: OutputFile[] = [];
  const isUnchecked = (each: PrintedModule) =>
    each.importsOwnCode === true || cache?.get(keyOfTypeCheck(each, typeCheck)) === undefined;
  const inThread = async (
    thread: CompileThread,
    modules: readonly PrintedModule[],
    all: readonly OutputFile[],
  ): Promise<readonly TypeProblem[]> => {
    const later = modules.map(({ file }) => file).filter((file) => !begun.has(file));
    const late = thread.findTypeFaults(later, all, typeCheck);
    // A module that was compiled again has another text, and what was found in the first is past.
    const faultsOf = async ({ file }: PrintedModule) =>
      (await (begun.get(file) ?? late)).filter(({ path }) => path === file.path);
    const found = await Promise.all(modules.map(faultsOf));
    // Here TypeScript is loaded for what it has something to say of.
    if (found.every((faults) => faults.length === 0)) return [];
    const { typeProblem } = await import("./verify/check-types.js");
    return modules.flatMap((each, index) =>
      (found[index] ?? []).map((fault) => typeProblem(each, fault)),
    );
  };
  const problemsOf: TypeChecks["problems"] = async (modules, all) => {
    if (printer.thread !== undefined) return inThread(printer.thread, modules, all);
    const { checkTypes } = await import("./verify/check-types.js");
    return checkTypes(modules, all, typeCheck);
  };
  return {
    begin({ files, fresh = [], shared }) {
      if (printer.thread === undefined) return;
      waiting.push(...fresh.filter(isUnchecked).map(({ file }) => file));
      known.push(...files, ...shared);
      if (waiting.length < together) return;
      const modules = waiting.splice(0);
      const faults = printer.thread.findTypeFaults(modules, known.splice(0), typeCheck);
      // Told to who asks for the problems, if anybody does.
      faults.catch(() => undefined);
      for (const each of modules) begun.set(each, faults);
    },
    async problems(fresh, all) {
      const unchecked = fresh.filter(isUnchecked);
      if (unchecked.length === 0) return [];
      const problems = await problemsOf(unchecked, all);
      const sound = (each: PrintedModule) => ({
        key: keyOfTypeCheck(each, typeCheck),
        value: "sound",
      });
      if (problems.length === 0) putAll(cache, unchecked.map(sound));
      return problems;
    },
  };
}
