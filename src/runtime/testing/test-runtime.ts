import { AsyncLocalStorage } from "node:async_hooks";
import type { Catalog } from "../model/catalog.js";
import type { AnyHandlers, Handler } from "../handler.js";
import { createMemoryLedger, type MemoryLedger } from "../ledger/memory-store.js";
import { createRuntime, type Runtime, scopeDefaultRuntime } from "../runtime.js";
import type { Mode } from "../tool.js";
import { FakedCalls, type RecordedCall } from "./faked-calls.js";
import type { Fakes } from "./fakes.js";

/** @typeParam Handlers the `Handlers` type of generated/handlers.ts, which a catalog carries */
export interface TestRuntimeOptions<Handlers = unknown> {
  /**
   * The application's own handlers, to be tested with the rest. A fake of the same tool goes
   * before.
   */
  readonly handlers?: unknown extends Handlers ? AnyHandlers : Partial<Handlers>;
  /** Overrides the mode of every tool. */
  readonly mode?: Mode;
}

/** A runtime of which no call leaves the process. */
export interface TestRuntime<Handlers = unknown> extends Runtime {
  /** In memory: `ledger.records`. */
  readonly ledger: MemoryLedger;
  /**
   * The calls so far whose parameters were accepted, in the order in which they were made: of one
   * tool, or of all.
   */
  calls(): readonly RecordedCall[];
  calls<Id extends IdOf<Handlers>>(tool: Id): readonly RecordedCall<ParamsOf<Handlers, Id>>[];
  /**
   * Runs the function so that calls which it makes, at once or later, use this runtime when they
   * name none. For application code, in tests that run side by side.
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
 * A runtime for tests: calls take their usual way, with parameters checked, requests built and
 * answers checked, but what would be sent is answered by fakes. It asks for no credential and no
 * prerequisite, reads no file, and waits for nothing between attempts. A tool without a fake is
 * refused, unless shadow mode only records its call.
 *
 * @param catalog of generated/index.ts: it knows the tools, and what each may answer
 * @param fakes an answer, an error or a function for each tool that the test calls, by
 * `"skill/tool"`
 * @throws TypeError for what is no catalog, and for a name that is no tool of it
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
    // The parameters of a tool's calls are those that its validator accepted.
    calls: (tool?: string) => calls.of(tool) as readonly RecordedCall<never>[],
  });
  return runtime;
}

/** Whether each tool of a catalog needs a handler, by `skill/tool`. */
function toolsOf(catalog: Catalog): ReadonlyMap<string, boolean> {
  // Tests in JavaScript may pass anything.
  const { skills }: { readonly skills?: unknown } = { ...catalog };
  if (!Array.isArray(skills))
    throw new TypeError("`createTestRuntime` takes the `catalog` of generated/index.ts first");
  const tools = catalog.skills.flatMap((skill) => skill.tools);
  return new Map(tools.map((tool) => [tool.id, tool.needs_handler]));
}
