/** Runs plans with skillc's planner and a model that always answers rightly, and counts its tokens. */
import { isDeepStrictEqual } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import {
  type CallOptions,
  callTool,
  createRuntime,
  defineTool,
  type ToolMap,
} from "@skillc/runtime";
import { handler } from "@skillc/runtime/v1/handler";
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "../../src/core/json.js";
import { type Llm, type LlmRequest, type PlanEvent, runPlan } from "../../src/planner/index.js";
import type { BoundPlan, PlanTool } from "./bound-plan.js";
import { catalogOf } from "./catalog.js";
import type { PlanWithTools } from "./read-bound-plans.js";
import { exampleCall } from "./source-value.js";
import { sumOf, type Usage, usageOf } from "./usage.js";

/** How a plan went. */
export interface OurRun {
  readonly usage: Usage;
  /** Steps whose call did not get the right parameters, each with what it got. */
  readonly wrongCalls: readonly string[];
}

/** @throws Error if the plan does not succeed */
export async function runOurs({ plan, tools }: PlanWithTools): Promise<OurRun> {
  const usages: Usage[] = [];
  const llm: Llm = {
    async complete(request) {
      const text = JSON.stringify(rightAnswer(plan, request));
      const usage = usageOf(request, text);
      usages.push(usage);
      return { text, tokens: usage };
    },
  };
  const { goal, inputs, outputs, plan: steps } = plan;
  const calls: JsonObject[] = [];
  const answers = Object.values(outputs);
  const answer = (params: JsonObject): JsonValue => {
    calls.push(params);
    return answers[calls.length - 1] ?? null;
  };
  const handlers = Object.fromEntries(tools.map(({ id }) => [id, answer]));
  const runtime = createRuntime({ ledger: false, handlers, env: {}, inherit: false });
  const map = Object.fromEntries(
    tools.map((tool) => [tool.id.replace("/", "__"), async () => functionOf(tool)]),
  ) as ToolMap;
  const options = {
    plan: steps,
    goal,
    inputs,
    tools: map,
    catalog: catalogOf(tools),
    llm,
    runtime,
  };
  let last: PlanEvent | undefined;
  for await (const event of runPlan(options)) last = event;
  await runtime.close();
  if (last?.event !== "done" || last.data.status !== "success")
    throw new Error(`${plan.name} did not succeed: ${JSON.stringify(last?.data)}`);
  const wrongCalls = steps.steps.flatMap(({ id }, index) => {
    const got = withoutDefaults(calls[index] ?? {}, plan.bound[id] ?? {});
    return isDeepStrictEqual(got, exampleCall(plan, id))
      ? []
      : [`${plan.name}, step ${id}: got ${JSON.stringify(got).slice(0, 200)}`];
  });
  return { usage: sumOf(usages), wrongCalls };
}

/** Leaves out the parameters that shall have their default, whether it is sent or not. */
function withoutDefaults(params: JsonObject, bound: BoundPlan["bound"][string]): JsonObject {
  const others = Object.entries(params).filter(([name]) => {
    const right = getOwn(bound, name);
    return right === undefined || !("default" in right);
  });
  return Object.fromEntries(others);
}

function functionOf(tool: PlanTool) {
  const [skill = "", name = ""] = tool.id.split("/");
  const ajv = new Ajv2020({ strict: false, formats: fullFormats });
  const contract = defineTool<
    JsonObject,
    JsonObject,
    { readonly status: "success"; readonly data: JsonValue }
  >({
    skill,
    name,
    version: { skill: "s", binding: "b", manifest: tool.id },
    effect: tool.side_effect,
    params: ajv.compile<JsonObject>(tool.input_schema),
    binding: handler(tool.id),
  });
  return (params: JsonObject, call?: CallOptions) => callTool(contract, params, call);
}

function rightAnswer(plan: BoundPlan, { messages, name, schema }: LlmRequest): JsonObject {
  const prompt = messages.map(({ content }) => content).join("\n");
  return name === "bindings" ? rightBindings(plan, prompt) : rightParameters(plan, prompt, schema);
}

/** Binds the parameters that the prompt lists, as the plan's author has bound them. */
function rightBindings(plan: BoundPlan, prompt: string): JsonObject {
  const listed = listedIn(prompt);
  const entries = Object.entries(plan.bound).flatMap(([step, parameters]) =>
    Object.entries(parameters)
      .filter(([parameter]) => listed.has(`${step}.${parameter}`))
      .map(([parameter, binding]) => ({ at: `${step}.${parameter}`, binding })),
  );
  return {
    sources: entries.flatMap(({ at, binding }) =>
      "source" in binding ? [{ at, path: binding.source }] : [],
    ),
    values: entries.flatMap(({ at, binding }) =>
      "value" in binding ? [{ at, json: JSON.stringify(binding.value) }] : [],
    ),
    later: entries.flatMap(({ at, binding }) =>
      "generate" in binding ? [{ at, from: binding.from }] : [],
    ),
    unsure: [],
  };
}

/** Reads the parameters that the prompt lists below each step: `ID.PARAMETER`. */
function listedIn(prompt: string): ReadonlySet<string> {
  const listed = new Set<string>();
  let step = "";
  for (const line of prompt.slice(prompt.indexOf("\nSteps:\n")).split("\n")) {
    step = /^(\w+)\. /.exec(line)?.[1] ?? step;
    if (!line.startsWith("- ")) continue;
    // Optional parameters share a line. A word too many does no harm: it is bound nowhere.
    for (const [, name] of line.matchAll(/(?:^- |, )(\w+)\b/g)) listed.add(`${step}.${name}`);
  }
  return listed;
}

function rightParameters(plan: BoundPlan, prompt: string, schema: JsonObject): JsonObject {
  const step = /^Step (\w+)/m.exec(prompt)?.[1] ?? "";
  const wanted = isJsonObject(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  const call = exampleCall(plan, step);
  return Object.fromEntries(
    wanted.flatMap((name) => {
      const value = getOwn(call, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
