/**
 * Type-checks each correct module only once in a process. Thousands of tests compile the same few
 * skills, each in a new project without a cache. The key is that of skillc's own cache. Modules
 * that import an author's code are checked each time, as in that cache.
 *
 * Most of the time of a check goes into opening a program and reading the runtime's types. A test
 * file that compiles many projects can postpone its checks (`putOffChecks`) and run them as one.
 */
import { vi } from "vitest";
import type { checkTypes } from "../../src/compiler/verify/check-types.js";
import type { PrintedModule } from "../../src/compiler/unit.js";
import { keyOfTypeCheck } from "../../src/compiler/verify/checked-code.js";

type Check = typeof checkTypes;
type Original = { readonly checkTypes: Check };

export interface PutOffCheck {
  readonly modules: Parameters<Check>[0];
  readonly files: Parameters<Check>[1];
}

declare global {
  /**
   * Keys of correct modules. The set is global, because test files share the modules that use it.
   */
  var soundOfTests: Set<string> | undefined;
  /** Set while a test file postpones its type checks. */
  var putOffChecks: PutOffCheck[] | undefined;
}

vi.mock("../../src/compiler/verify/check-types.js", async (importOriginal) => {
  const original = await importOriginal<Original>();
  return { ...original, checkTypes: onlyUnknown(original.checkTypes) };
});

function onlyUnknown(check: Check): Check {
  const sound = (globalThis.soundOfTests ??= new Set());
  return async (fresh, all, settings) => {
    if (globalThis.putOffChecks !== undefined) {
      globalThis.putOffChecks.push({ modules: fresh, files: all });
      return [];
    }
    // The compiler checks only modules that it printed.
    const modules = fresh as readonly PrintedModule[];
    const keyOf = (each: PrintedModule) => keyOfTypeCheck(each, settings);
    const unknown = modules.filter(
      (each) => each.importsOwnCode === true || !sound.has(keyOf(each)),
    );
    const problems = await check(unknown, all, settings);
    if (problems.length === 0) for (const each of unknown) sound.add(keyOf(each));
    return problems;
  };
}
