import type { OutputFile } from "../core/output.js";
import { type CompileCache, putAll } from "./compile-cache.js";
import type { Runner } from "./runner.js";
import type { PrintedModule, Unit } from "./unit.js";
import { keyOfTypeCheck } from "./verify/checked-code.js";
import type { TypeCheckSettings, TypeProblem } from "./verify/check-types.js";

/** The type checks of a run's new modules. */
export interface TypeChecks {
  /** Starts to check a skill's modules ahead, if the runner supports that. */
  begin(unit: Unit): void;
  /**
   * Finds type problems of modules. Skips modules whose code an earlier run checked, because
   * comments and texts for models don't affect types.
   *
   * @param all every generated file, for imports
   */
  problems(
    fresh: readonly PrintedModule[],
    all: readonly OutputFile[],
  ): Promise<readonly TypeProblem[]>;
}

interface Checking {
  readonly cache?: CompileCache;
  readonly runner: Pick<Runner, "checkAhead" | "typeProblems">;
  readonly typeCheck: TypeCheckSettings;
}

export function openTypeChecks({ cache, runner, typeCheck }: Checking): TypeChecks {
  const isUnchecked = (each: PrintedModule) =>
    each.importsOwnCode === true || cache?.get(keyOfTypeCheck(each, typeCheck)) === undefined;
  return {
    begin({ files, fresh = [], shared }) {
      const ahead = () => ({
        modules: fresh.filter(isUnchecked).map(({ file }) => file),
        known: [...files, ...shared],
      });
      runner.checkAhead(ahead, typeCheck);
    },
    async problems(fresh, all) {
      const unchecked = fresh.filter(isUnchecked);
      if (unchecked.length === 0) return [];
      const problems = await runner.typeProblems(unchecked, all, typeCheck);
      const sound = (each: PrintedModule) => ({
        key: keyOfTypeCheck(each, typeCheck),
        value: "sound",
      });
      if (problems.length === 0) putAll(cache, unchecked.map(sound));
      return problems;
    },
  };
}
