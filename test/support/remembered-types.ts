/**
 * What was found sound is not type-checked again in a process: thousands of tests compile the same few skills, each in a project of its own that has no cache yet. The
 * key is the one under which skillc's own cache keeps the same thing; modules that import an author's code are checked each time, as there.
 *
 * Most of a check is what comes before the first module: a program, and the runtime's types in it. A test file that compiles many projects can put its checks off
 * (`putOffChecks`), and make one of all in the end.
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
  /** One for the whole process: test files share the modules that use it. */
  var soundOfTests: Set<string> | undefined;
  /** Set while a test file puts type checks off, to make one of many. */
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
    // All that the compiler checks was printed by it.
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
