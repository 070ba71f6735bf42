/**
 * Types of plans: what a generated module of a plan may write, and what a plan answers. `npx tsc
 * --noEmit` is the test; nothing runs.
 */
import { expectTypeOf } from "vitest";
import {
  type ApprovalRequest,
  type AnyResult,
  type CallOptions,
  createRuntime,
  preflight,
  resumeRun,
  type ToolResult,
  waitForRun,
} from "@skillc/runtime";
import {
  eachStep,
  missing,
  plan,
  present,
  type ShadowedPlan,
  step,
  type StepData,
  type StepStop,
  type SuspendedPlan,
} from "@skillc/runtime/v1/plan";
import { tools } from "../../generated/index.js";

interface Order {
  readonly id: string;
  readonly note?: string;
  readonly lines: readonly { readonly sku: string; readonly quantity: number }[];
}

declare function getOrder(
  params: { order_id: string },
  options?: CallOptions,
): Promise<ToolResult<Order, "not_found" | "error"> | { status: "shadow"; request: null }>;

declare function reserve(
  params: { sku: string; quantity?: number },
  options?: CallOptions,
): Promise<ToolResult<{ readonly place: number }, "conflict">>;

declare function inner(
  params: { order_id: string },
  options?: CallOptions,
): Promise<
  ToolResult<string> | StepStop<typeof getOrder, "x", "error"> | SuspendedPlan | ShadowedPlan
>;

interface Sources {
  readonly params: { readonly order_id: string };
  readonly step_1: { readonly output: StepData<typeof getOrder> };
  readonly step_2?: { readonly output: readonly (StepData<typeof reserve> | null)[] };
}

const common = { id: "1", toolId: "desk/get-order", manifest: "m", effect: "read" } as const;

export const first = step<Sources, Parameters<typeof getOrder>[0], AnyResult>(getOrder, {
  ...common,
  params: (from) => ({ order_id: from.params.order_id }),
});

export const binding = plan<{ order_id: string }, Sources, number>({
  steps: [
    step(getOrder, { ...common, params: (from) => ({ order_id: from.params.order_id }) }),
    eachStep(reserve, {
      ...common,
      after: ["1"],
      list: (from) => from.step_1.output.lines,
      params: (_from, item) => ({ sku: item.sku, quantity: item.quantity }),
    }),
    step(getOrder, {
      ...common,
      // @ts-expect-error the tool takes text
      params: () => ({ order_id: 7 }),
    }),
    step(getOrder, {
      ...common,
      // @ts-expect-error the tool has no such parameter
      params: () => ({ order: "7" }),
    }),
    step(getOrder, {
      ...common,
      // @ts-expect-error there is no such step
      params: (from) => ({ order_id: from.step_9.output }),
    }),
    step(getOrder, {
      ...common,
      // @ts-expect-error the order has no such field
      params: (from) => ({ order_id: from.step_1.output.customer }),
    }),
    step(getOrder, {
      ...common,
      // @ts-expect-error the note may be absent
      params: (from) => ({ order_id: from.step_1.output.note }),
    }),
    step(getOrder, {
      ...common,
      // @ts-expect-error the step may have no output
      params: (from) => ({ order_id: String(from.step_2.output.length) }),
    }),
    eachStep(reserve, {
      ...common,
      // @ts-expect-error an order is no list
      list: (from) => from.step_1.output,
      params: () => ({ sku: "a" }),
    }),
    eachStep(reserve, {
      ...common,
      list: (from) => from.step_1.output.lines,
      // @ts-expect-error an item has no such field
      params: (_from, item) => ({ sku: item.id }),
    }),
    step(reserve, {
      ...common,
      infer: (from) => ["sku", ...missing("quantity", from.step_2?.output.length)],
      params: (from, inferred) => ({
        sku: inferred.sku,
        quantity: from.step_2?.output.length ?? inferred.quantity,
      }),
    }),
    eachStep(reserve, {
      ...common,
      list: (from) => from.step_1.output.lines,
      infer: (_from, item) => missing("quantity", item.quantity),
      params: (_from, item, inferred) => ({ sku: item.sku, quantity: inferred.quantity }),
    }),
    step(reserve, {
      ...common,
      // @ts-expect-error the tool has no such parameter
      infer: () => ["size"],
      params: () => ({ sku: "a" }),
    }),
    step(reserve, {
      ...common,
      infer: () => ["quantity"],
      // @ts-expect-error a quantity is no text
      params: (_from, inferred) => ({ sku: inferred.quantity }),
    }),
    step(reserve, {
      ...common,
      infer: () => ["sku"],
      // @ts-expect-error nobody asks for the quantity
      params: (_from, inferred) => ({ sku: inferred.sku, quantity: inferred.quantity }),
    }),
    step(reserve, {
      ...common,
      // @ts-expect-error nobody asks for anything
      params: (_from, inferred) => ({ sku: inferred.sku }),
    }),
    // @ts-expect-error a status is followed by stop, continue or skip
    step(getOrder, { ...common, on: { not_found: "retry" }, params: () => ({ order_id: "1" }) }),
  ],
  output: (from) => from.step_1.output.lines.length,
  facts: { capabilities: [], credentials: [], scopes: [], approvals: [], maxWrites: 0 },
});

export const wrongOutput = plan<{ order_id: string }, Sources, number>({
  steps: [],
  // @ts-expect-error the data are a number
  output: (from) => from.step_1.output.id,
  facts: { capabilities: [], credentials: [], scopes: [], approvals: [], maxWrites: 0 },
});

export function answers(
  stop: StepStop<typeof getOrder, "1">,
  handled: StepStop<typeof getOrder, "1", "not_found">,
  nested: StepStop<typeof inner, "2">,
  suspended: SuspendedPlan,
  shadowed: ShadowedPlan,
): void {
  // Answers with data, and those of shadow mode, don't stop a plan.
  expectTypeOf(stop.status).toEqualTypeOf<"not_found" | "error">();
  expectTypeOf(stop.step).toEqualTypeOf<"1">();
  expectTypeOf(stop.error).toEqualTypeOf<unknown>();
  expectTypeOf(handled.status).toEqualTypeOf<"error">();
  expectTypeOf(nested.status).toEqualTypeOf<"not_found">();
  expectTypeOf(nested.step).toEqualTypeOf<"2.x">();
  expectTypeOf(suspended.request).toEqualTypeOf<ApprovalRequest | undefined>();
  expectTypeOf(shadowed.step).toEqualTypeOf<string | undefined>();
  expectTypeOf(present(["a", undefined])).toEqualTypeOf<string[]>();
  expectTypeOf(missing("sku", 1)).toEqualTypeOf<readonly "sku"[]>();
  expectTypeOf<StepData<typeof getOrder>>().toEqualTypeOf<Order>();
}

export async function callers(): Promise<void> {
  expectTypeOf(await resumeRun(tools, "r-1", { approval: "a" })).toEqualTypeOf<AnyResult>();
  expectTypeOf(await waitForRun(tools, "r-1")).toEqualTypeOf<AnyResult>();
  // @ts-expect-error the tools are missing
  await resumeRun("r-1");
  // @ts-expect-error waiting gives no approval
  await waitForRun(tools, "r-1", { approval: "a" });
  // @ts-expect-error a store is no folder's name
  createRuntime({ runs: ".skillc/runs" });
  // @ts-expect-error the id of a run is text
  await getOrder({ order_id: "1" }, { run: 1 });
  const { plan: facts } = await preflight(getOrder, { order_id: "1" });
  expectTypeOf(facts?.maxWrites).toEqualTypeOf<number | undefined>();
}
