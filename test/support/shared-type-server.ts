/**
 * Opens all programs of a test process in one TypeScript process. A process for each program would
 * parse TypeScript's own declarations again, which takes longer than most checks. Each program
 * still sees the present files (`test/compiler/verify/open-program.test.ts`).
 *
 * The TypeScript process ends with the test process, and does not keep it alive.
 */
import { vi } from "vitest";
import type * as OpenProgram from "../../src/compiler/verify/open-program.js";

declare global {
  /** Global, because test files share the modules that use the server. */
  var typeServerOfTests: OpenProgram.TypeServer | undefined;
}

vi.mock("../../src/compiler/verify/open-program.js", async (importOriginal) => {
  const original = await importOriginal<typeof OpenProgram>();
  return { ...original, openProgram: shared(original.startTypeServer) };
});

function shared(start: typeof OpenProgram.startTypeServer): typeof OpenProgram.openProgram {
  /** After any error, the next program is opened in a new process. */
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
