/** Tools and plans as generated modules declare them, with handlers in place of services. */
import { answer } from "../../../../src/runtime/handler.js";
import { callTool } from "../../../../src/runtime/call/call-tool.js";
import type { CallOptions } from "../../../../src/runtime/call/call-options.js";
import { createMemoryLedger } from "../../../../src/runtime/ledger/memory-store.js";
import type { AnyResult } from "../../../../src/runtime/result.js";
import { createRuntime, type RuntimeOptions } from "../../../../src/runtime/runtime.js";
import { defineTool, type Effect, type ToolDeclaration } from "../../../../src/runtime/tool.js";
import type { Validator } from "../../../../src/runtime/validation/validation.js";
import { handler } from "../../../../src/bindings/handler/execute.js";
import type { PlanContract, PlanStep } from "../../../../src/bindings/plan/run/contract.js";
import { eachStep, plan, step } from "../../../../src/bindings/plan/run/runtime.js";

/** Any JSON, which these tests read without types. */
// oxlint-disable-next-line typescript/no-explicit-any -- contracts of tests read any output
export type Any = any;
export type Tool = (params: Any, options?: CallOptions) => Promise<Any>;

const anything: Validator<Any> = Object.assign(
  (value: unknown): value is Any => value !== anything,
  { errors: null },
);

/** A validator that accepts nothing. */
export const nothing: Validator<Any> = Object.assign(
  (value: unknown): value is Any => value === nothing,
  { errors: [{ instancePath: "/x", keyword: "type", message: "must be string" }] },
);

export const facts = {
  capabilities: [],
  credentials: [],
  scopes: [],
  approvals: [],
  maxWrites: 0,
} as const;

type Declaration = ToolDeclaration<Any, Any, Any>;

function define(name: string, effect: Effect, changes: Partial<Declaration>): Tool {
  const contract = defineTool<Any, Any, Any>({
    skill: "desk",
    name,
    version: { skill: "s", binding: "b", manifest: `m-${name}` },
    effect,
    params: anything,
    binding: handler(`desk/${name}`),
    ...changes,
  });
  return (params, options) => callTool(contract, params, options);
}

/** A tool that reads, and is served by the handler of its name. */
export function read(name: string, changes: Partial<Declaration> = {}): Tool {
  return define(name, "read", changes);
}

/** A tool that writes. */
export function write(name: string, changes: Partial<Declaration> = {}): Tool {
  return define(name, "write", changes);
}

type Steps = readonly PlanStep<Any>[];

/** A plan of these steps. It writes if one of them does. */
export function planOf(
  steps: Steps,
  more: Partial<PlanContract<Any, Any>> & {
    readonly name?: string;
    readonly tool?: Partial<Declaration>;
  } = {},
): Tool {
  const { name = "plan", tool = {}, ...rest } = more;
  const effect = steps.some((each) => each.effect === "write") ? "write" : "read";
  const binding = plan<Any, Any, Any, Any>({ steps, facts, ...rest });
  return define(name, effect, { binding, ...tool });
}

type Declared = Partial<Omit<PlanStep<Any>, "id" | "params" | "tool">> & {
  readonly params?: (from: Any, item: Any, inferred: Any) => Any;
};

/** A step that reads; it passes nothing on if `params` is left out. */
export function reads(id: string, name: string, declared: Declared = {}): PlanStep<Any> {
  return stepOf(id, name, "read", read(name), declared);
}

/** A step that writes. */
export function writes(id: string, name: string, declared: Declared = {}): PlanStep<Any> {
  return stepOf(id, name, "write", write(name), declared);
}

/** A step that calls a tool of the test, such as another plan. */
export function calling(
  id: string,
  name: string,
  effect: Effect,
  tool: Tool,
  declared: Declared = {},
): PlanStep<Any> {
  return stepOf(id, name, effect, tool, declared);
}

function stepOf(
  id: string,
  name: string,
  effect: Effect,
  tool: Tool,
  declared: Declared,
): PlanStep<Any> {
  const { list, params = () => ({}), ...rest } = declared;
  const common = {
    id,
    toolId: `desk/${name}`,
    manifest: `m-${name}`,
    effect,
    ...rest,
  } as Any;
  return list === undefined
    ? step<Any, Any, AnyResult>(tool, {
        ...common,
        params: (from, inferred) => params(from, undefined, inferred),
      })
    : eachStep<Any, Any, Any, AnyResult>(tool, { ...common, list, params });
}

/** Handlers by the names of tools. */
export type Handlers = { readonly [name: string]: (params: Any, context: Any) => Any };

/** A runtime with these handlers. It notes the order in which calls begin and end. */
export function createProject(handlers: Handlers, options: RuntimeOptions = {}) {
  const ledger = createMemoryLedger();
  const log: string[] = [];
  const served = Object.entries(handlers).map(([name, serve]) => [
    `desk/${name}`,
    async (params: Any, context: Any) => {
      log.push(`+${name}`);
      try {
        return await serve(params, context);
      } finally {
        log.push(`-${name}`);
      }
    },
  ]);
  const runtime = createRuntime({
    ledger,
    env: {},
    inherit: false,
    ...options,
    handlers: Object.fromEntries(served),
  });
  return { ledger, log, runtime };
}

/** Answers with a status that has no data. */
export function failed(status: string): Any {
  return answer({ status, error: `it is ${status}` });
}

/** A promise, and the functions that settle it. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

/** Waits until everything that can go on without a timer has gone on. */
export async function idle(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Returns the error of a call. */
export async function errorOf(call: Promise<unknown>): Promise<Any> {
  return call.then(
    (value) => {
      throw new Error(`no error, but ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
}
