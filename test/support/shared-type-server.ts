/**
 * The programs of a process's tests are opened in one TypeScript process: starting one for each, and parsing the declarations that come with TypeScript, takes
 * longer than most checks. A program sees the disk as it is, as one in a process of its own does (`test/compiler/verify/open-program.test.ts`).
 *
 * TypeScript ends when the tests' process does: nobody asks it any more. It keeps no process from ending.
 */
import { vi } from "vitest";
import type * as OpenProgram from "../../src/compiler/verify/open-program.js";

declare global {
  /** One for the whole process: test files share the modules that use it. */
  var typeServerOfTests: OpenProgram.TypeServer | undefined;
}

vi.mock("../../src/compiler/verify/open-program.js", async (importOriginal) => {
  const original = await importOriginal<typeof OpenProgram>();
  return { ...original, openProgram: shared(original.startTypeServer) };
});

function shared(start: typeof OpenProgram.startTypeServer): typeof OpenProgram.openProgram {
  /** Whatever goes wrong, the next program is opened in a new process. */
  function ask<T>(question: (server: OpenProgram.TypeServer) => T): T {
    const server = (globalThis.typeServerOfTests ??= start());
    try {
      return question(server);
    } catch (error) {
      globalThis.typeServerOfTests = undefined;
      void server.close();
      throw error;
    }
  }
  return (...files) => {
    const program = ask((server) => server.open(...files));
    return {
      faultsIn: (path) => ask(() => program.faultsIn(path)),
      close: () => Promise.resolve(),
    };
  };
}
