import { AsyncLocalStorage } from "node:async_hooks";
import type { Catalog } from "../model/catalog.js";
import type { AnyHandlers, Handler } from "../handler.js";
import { createMemoryLedger, type MemoryLedger } from "../ledger/memory-store.js";
import { createRuntime, type Runtime, scopeDefaultRuntime } from "../runtime.js";
import type { Mode } from "../tool.js";
import { FakedCalls, type RecordedCall } from "./faked-calls.js";
import type { Fakes } from "./fakes.js";

/**
 * Options of `createTestRuntime`.
 *
 * @typeParam Handlers the `Handlers` type of generated/handlers.ts, which a catalog carries
 */
export interface TestRuntimeOptions<Handlers = unknown> {
  /** The application's own handlers, to test them too. A fake of the same tool comes first. */
  readonly handlers?: unknown extends Handlers ? AnyHandlers : Partial<Handlers>;
  /** Mode of all calls. By default each tool has its own mode. */
  readonly mode?: Mode;
}

/** A runtime whose calls never leave the process. */
export interface TestRuntime<Handlers = unknown> extends Runtime {
  /** Ledger in memory: see `ledger.records`. */
  readonly ledger: MemoryLedger;
  /**
   * Returns the calls so far whose parameters were valid, in order; of one tool, or of all.
   *
   * @param tool id of the tool: `skill/tool`
   * @throws TypeError if the catalog has no such tool
   */
  calls(): readonly RecordedCall[];
  calls<Id extends IdOf<Handlers>>(tool: Id): readonly RecordedCall<ParamsOf<Handlers, Id>>[];
  /**
   * Runs a function with this runtime as the default of all calls that it makes, also later ones.
   * Use it for application code in tests that run in parallel.
   */
  run<T>(body: () => T): T;
}

type IdOf<Handlers> = unknown extends Handlers ? string : keyof Handlers & string;
type ParamsOf<Handlers, Id> = Id extends keyof Handlers
  ? NonNullable<Handlers[Id]> extends Handler<infer Params, infer _Data, infer _Result>
    ? Params
    : unknown
  : unknown;

const scope = new AsyncLocalStorage<Runtime>();

/**
 * Creates a runtime for tests. Calls validate parameters, build requests and validate answers as
 * usual, but fakes answer in place of services. The runtime needs no credentials and no
 * prerequisites, reads no files, and doesn't wait between attempts. A call of a tool without a fake
 * throws a `FakeError`, unless shadow mode only records the call.
 *
 * @param catalog the `catalog` of generated/index.ts, which knows the tools and their answers
 * @param fakes an answer, an error or a function for each tool that the test calls, by
 * `"skill/tool"`
 * @throws TypeError if the catalog is not valid, or a name is not one of its tools
 */
export function createTestRuntime<Handlers>(
  catalog: Catalog<string, string, Handlers>,
  fakes: Fakes<NoInfer<Handlers>> = {},
  options: TestRuntimeOptions<NoInfer<Handlers>> = {},
): TestRuntime<Handlers> {
  scopeDefaultRuntime(() => scope.getStore());
  const run = <T>(body: () => T): T => scope.run(runtime, body);
  const calls = new FakedCalls(toolsOf(catalog), fakes, options.handlers ?? {}, run);
  const ledger = createMemoryLedger();
  const base = createRuntime({
    inherit: false,
    ledger,
    ...(options.mode === undefined ? {} : { mode: options.mode }),
  });
  const runtime: TestRuntime<Handlers> = Object.assign(base, {
    fakes: calls,
    ledger,
    surroundings: { ...base.surroundings, isFaked: true },
    run,
    // The parameters are those that the tool's validator accepted.
    calls: (tool?: string) => calls.of(tool) as readonly RecordedCall<never>[],
  });
  return runtime;
}

/** Returns whether each tool of a catalog needs a handler, by `skill/tool`. */
function toolsOf(catalog: Catalog): ReadonlyMap<string, boolean> {
  // JavaScript tests may pass anything.
  const { skills }: { readonly skills?: unknown } = { ...catalog };
  if (!Array.isArray(skills))
    throw new TypeError(
      "the first argument of `createTestRuntime` must be the `catalog` of generated/index.ts",
    );
  const tools = catalog.skills.flatMap((skill) => skill.tools);
  return new Map(tools.map((tool) => [tool.id, tool.needs_handler]));
}
