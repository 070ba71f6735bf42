/** Tools, their catalog and a scripted model, for tests of the planner. */
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { handler } from "../../src/bindings/handler/execute.js";
import { type CallOptions, callTool, currentCaller } from "../../src/runtime/index.js";
import { createMemoryLedger } from "../../src/runtime/ledger/memory-store.js";
import { createRuntime, type RuntimeOptions } from "../../src/runtime/runtime.js";
import { defineTool, type Effect } from "../../src/runtime/tool.js";
import type { JsonObject, JsonValue } from "../../src/core/json.js";
import type {
  DynamicPlan,
  Llm,
  LlmRequest,
  PlanEvent,
  PlannerCatalog,
} from "../../src/planner/index.js";
import { readPlan } from "../../src/planner/plan.js";
import { type OpenParameter, solve } from "../../src/planner/solve.js";
import { PlannerTools } from "../../src/planner/tools.js";

/** Any JSON, which these tests read without types. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read any output
export type Any = any;

/** A tool of a test: its schemas, and what it does. */
export interface TestTool {
  readonly effect?: Effect;
  readonly input?: JsonObject;
  readonly required?: readonly string[];
  readonly output?: JsonValue;
  readonly aliases?: { readonly [parameter: string]: readonly string[] };
  readonly description?: string;
  readonly serve?: (params: Any, context: Any) => Any;
}

/** Makes the tools of a skill, with catalog, runtime and a log of what was called. */
export function createPlannerProject(
  tools: { readonly [id: string]: TestTool },
  options: RuntimeOptions = {},
) {
  const ledger = createMemoryLedger();
  const calls: { readonly tool: string; readonly params: Any; readonly caller: Any }[] = [];
  const handlers = Object.fromEntries(
    Object.entries(tools).map(([id, { serve = () => ({}) }]) => [
      id,
      (params: Any, context: Any) => {
        calls.push({ tool: id, params, caller: currentCaller() });
        return serve(params, context);
      },
    ]),
  );
  const runtime = createRuntime({ ledger, handlers, ...options } as RuntimeOptions);
  const catalog = catalogOf(tools);
  const map = Object.fromEntries(
    Object.entries(tools).map(([id, tool]) => {
      const call = functionOf(id, tool);
      return [id.replace("/", "__"), async () => call];
    }),
  );
  return { runtime, catalog, tools: map, calls, ledger };
}

const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));

function functionOf(id: string, { effect = "read", input = {}, required = [] }: TestTool) {
  const [skill = "", name = ""] = id.split("/");
  const contract = defineTool<Any, Any, Any>({
    skill,
    name,
    version: { skill: "s", binding: "b", manifest: manifestOf(id) },
    effect,
    params: ajv.compile(inputSchema(input, required)) as Any,
    binding: handler(id),
  });
  return (params: Any, call?: CallOptions) => callTool(contract, params, call);
}

function inputSchema(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: "object", additionalProperties: false, properties, required: [...required] };
}

export function manifestOf(id: string): string {
  return `m-${id.split("/")[1]}`;
}

export function catalogOf(tools: { readonly [id: string]: TestTool }): PlannerCatalog {
  return {
    skills: [
      {
        tools: Object.entries(tools).map(([id, tool]) => ({
          id,
          name: id.split("/")[1] ?? id,
          description: tool.description ?? "",
          input_schema: inputSchema(tool.input ?? {}, tool.required ?? []),
          output_schema: tool.output ?? null,
          manifest_hash: manifestOf(id),
          side_effect: tool.effect ?? "read",
          ...(tool.aliases && { param_aliases: tool.aliases }),
        })),
      },
    ],
  };
}

/** A plan for the solver. By default, it has a step for each tool, called `1`, `2` and so on. */
export interface TestPlan {
  readonly steps?: DynamicPlan["steps"];
  readonly inputs?: JsonObject;
  readonly goal?: string;
  /** Description of each step. */
  readonly description?: string;
  /** Bindings that the plan gives for each step. */
  readonly bindings?: DynamicPlan["steps"][number]["bindings"];
}

/** Lets types and names decide, and returns `STEP.PARAMETER` of each parameter by its decision. */
export function solved(
  tools: { readonly [id: string]: TestTool },
  { bindings, description, goal, inputs = {}, steps }: TestPlan = {},
) {
  const shared = { ...(bindings && { bindings }), ...(description && { description }) };
  const each = Object.keys(tools).map((tool, at) => ({ id: String(at + 1), tool, ...shared }));
  const read = readPlan({ steps: steps ?? each }, new PlannerTools(catalogOf(tools)));
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  const solution = solve(read.plan, { inputs, goal });
  const nameOf = ({ parameter, step }: OpenParameter) => `${step.id}.${parameter.name}`;
  const decided = [...solution.bindings].flatMap(([step, own]) =>
    [...own].flatMap(([name, { default_value: value, rule, source }]) =>
      rule === "open"
        ? []
        : [[`${step}.${name}`, `${source || JSON.stringify(value)} (${rule})`] as const],
    ),
  );
  return {
    decided: Object.fromEntries(decided),
    open: solution.open.map(nameOf),
    optional: solution.optional.map(nameOf),
  };
}

/** A model that answers by a function, and keeps its requests. */
export function modelOf(answers: (request: LlmRequest) => Any): Llm & {
  readonly requests: LlmRequest[];
} {
  const requests: LlmRequest[] = [];
  return {
    requests,
    async complete(request) {
      requests.push(request);
      const answer = await answers(request);
      const text = typeof answer === "string" ? answer : JSON.stringify(answer);
      return { text, tokens: { input: 10, output: 2 } };
    },
  };
}

/** An answer about bindings, with the lists that a test leaves out. */
export function decisions(lists: Any = {}): Any {
  return { sources: [], values: [], later: [], unsure: [], ...lists };
}

/** A model that must not be asked. */
export const noModel: Llm = {
  complete: async ({ name }) => Promise.reject(new Error(`the model was asked for ${name}`)),
};

/** Reads all events. */
export async function eventsOf(events: AsyncIterable<PlanEvent>): Promise<PlanEvent[]> {
  const all: PlanEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** Data of the last event, which says how the plan has ended. */
export function outcomeOf(events: readonly PlanEvent[]): Any {
  const last = events.at(-1);
  if (last?.event !== "done") throw new Error("the last event is not `done`");
  return last.data;
}

/** The names of events, with the step if they have one. */
export function namesOf(events: readonly PlanEvent[]): readonly string[] {
  return events.map(({ data, event }) =>
    "step" in data && event !== "done" ? `${event} ${data.step}` : event,
  );
}
