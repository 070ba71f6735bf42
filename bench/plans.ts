/**
 * Measures the cost of a plan: its steps compared with hand-written awaits of the same tools, in CPU
 * time, because nothing waits; and two independent branches that wait, compared with the same
 * branches in order. The ledger is off, and no run is kept.
 */
import { deepStrictEqual } from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import {
  type CallOptions,
  callTool,
  createRuntime,
  defineTool,
  type Runtime,
} from "@skillc/runtime";
import { plan, step } from "@skillc/runtime/v1/plan";
import {
  compareTasks,
  type Measurement,
  median,
  middleHalf,
  processorTimes,
} from "./measurement.js";

interface Params {
  readonly value: number;
}

interface Done {
  readonly status: "success";
  readonly data: Params;
}

interface Sources {
  readonly params: Params;
  /** Outputs of steps. Each step reads those that `after` names. */
  readonly [step: `step_${number}`]: { readonly output: Params };
}

/** Steps of the chain. */
const steps = 10;
/** Time that a call of a branch waits, in milliseconds. */
const waitMs = 10;
const version = { skill: "s", binding: "b", manifest: "m" };
const isParams = Object.assign((value: unknown): value is Params => value !== null, {
  errors: null,
});
const facts = { capabilities: [], credentials: [], scopes: [], approvals: [], maxWrites: 0 };

type Tool = (params: Params, options?: CallOptions) => Promise<Done>;

/** A tool that adds one. */
function toolOf(name: string, send: (value: number) => Promise<number>): Tool {
  const contract = defineTool<Params, Params, Done>({
    skill: "bench",
    name,
    version,
    effect: "read",
    params: isParams,
    binding: {
      kind: "bench",
      prepare: ({ value }) => ({
        credentials: [],
        reach: () => [],
        describe: () => ({ value }),
        send: async () => ({ result: { status: "success", data: { value: await send(value) } } }),
      }),
    },
  });
  return (params, options) => callTool(contract, params, options);
}

/** A plan whose steps call one tool. `before` returns the number of the step that a step reads. */
function planOf(
  name: string,
  tool: Tool,
  count: number,
  before: (number: number) => { readonly reads?: number; readonly after?: number },
): Tool {
  const numbers = Array.from({ length: count }, (_, number) => number);
  const contract = defineTool<Params, Params, Done>({
    skill: "bench",
    name,
    version,
    effect: "read",
    params: isParams,
    binding: plan<Params, Sources, Params>({
      steps: numbers.map((number) => {
        const { after, reads } = before(number);
        const source = reads === undefined ? [] : [`${reads}`];
        return step(tool, {
          id: `${number}`,
          toolId: "bench/tool",
          manifest: "m",
          effect: "read",
          after: after === undefined ? source : [`${after}`],
          needs: source,
          reads: source.map((id) => [id, "value"]),
          params: (from: Sources) => ({
            value: reads === undefined ? from.params.value : outputOf(from, reads).value,
          }),
        });
      }),
      output: (from) => outputOf(from, count - 1),
      outputNeeds: [`${count - 1}`],
      facts,
    }),
  });
  return (params, options) => callTool(contract, params, options);
}

function outputOf(from: Sources, number: number): Params {
  const source = from[`step_${number}`];
  if (source === undefined) throw new Error(`step ${number} has no output`);
  return source.output;
}

export async function measurePlans(): Promise<readonly Measurement[]> {
  const runtime = createRuntime({ ledger: false, env: {}, inherit: false });
  const measured = [...(await measureSteps(runtime)), ...(await measureBranches(runtime))];
  await runtime.close();
  return measured;
}

/** A chain, in which each step reads the output of the one before. */
async function measureSteps(runtime: Runtime): Promise<readonly Measurement[]> {
  const tool = toolOf("tool", (value) => Promise.resolve(value + 1));
  const chain = planOf("chain", tool, steps, (number) =>
    number === 0 ? {} : { reads: number - 1 },
  );
  const planned = () => chain({ value: 0 }, { runtime });
  const byHand = async (): Promise<Done> => {
    let result = await tool({ value: 0 }, { runtime });
    for (let made = 1; made < steps; made += 1) result = await tool(result.data, { runtime });
    return result;
  };
  deepStrictEqual(await planned(), await byHand());
  const rounds = await processorTimes(
    { byHand, planned },
    { rounds: 60, roundMs: 50, warmUpMs: 2000 },
  );
  const hand = rounds.map((round) => round.byHand / steps);
  const added = rounds.map((round) => (round.planned - round.byHand) / steps);
  const ratios = rounds.map((round) => round.planned / round.byHand);
  const baseline = `hand-written awaits of the same ${steps} tools (${median(hand).toFixed(1)} µs per step)`;
  return [
    {
      name: `a plan of ${steps} steps, added per step: CPU`,
      value: median(added),
      unit: "µs",
      baseline: `${baseline}; middle half ${middleHalf(added)}`,
    },
    { name: `a plan of ${steps} steps: CPU`, value: median(ratios), unit: "×", baseline },
  ];
}

/** Two branches of two steps: 0 and 2, 1 and 3. */
async function measureBranches(runtime: Runtime): Promise<readonly Measurement[]> {
  const tool = toolOf("slow", (value) => setTimeout(waitMs, value + 1));
  const readsOf = (number: number) => (number < 2 ? {} : { reads: number - 2 });
  const branches = planOf("branches", tool, 4, readsOf);
  const inOrder = planOf("in-order", tool, 4, (number) => ({
    ...readsOf(number),
    ...(number > 0 && { after: number - 1 }),
  }));
  const measured = await compareTasks(
    {
      "in order": () => inOrder({ value: 0 }, { runtime }),
      branches: () => branches({ value: 0 }, { runtime }),
    },
    { rounds: 10, roundMs: 500 },
  );
  const baseline = `the same plan with its four calls in order (${(measured.get("in order")?.ms ?? Number.NaN).toFixed(0)} ms)`;
  return [
    {
      name: `two branches of two calls that wait ${waitMs} ms: p50`,
      value: measured.get("branches")?.ratio ?? Number.NaN,
      unit: "×",
      baseline,
    },
  ];
}
