/** A plan with reads side by side, and with every kind of write. DBOS runs it. */
import { planWorkflow, type PlanWorkflow } from "@skillc/runtime/dbos";
import {
  callTool,
  type CallOptions,
  createRuntime,
  defineTool,
  type Runtime,
} from "@skillc/runtime";
import type { RunStore } from "@skillc/runtime/runs";
import {
  eachStep,
  plan,
  type ShadowedPlan,
  step,
  type SuspendedPlan,
} from "@skillc/runtime/v1/plan";
import {
  cancelOrder,
  createOrder,
  getOrder,
  refundOrder,
} from "../../../generated/order-desk/index.js";

interface Params {
  readonly order_id: string;
}

interface Sources {
  readonly params: Params;
}

type Answer = { readonly status: "success"; readonly data: string } | ShadowedPlan | SuspendedPlan;

const lines = [{ sku: "LAMP-OAK", quantity: 1, price: 8900 }];
const items = [0, 1, 2];
const isParams = Object.assign((value: unknown): value is Params => value !== null, {
  errors: null,
});
const get = { toolId: "order-desk/get-order", manifest: "get", effect: "read" } as const;
const create = {
  toolId: "order-desk/create-order",
  manifest: "create",
  effect: "write",
  isRepeatable: true,
} as const;
const cancel = { ...create, toolId: "order-desk/cancel-order", manifest: "cancel" } as const;
const refund = { toolId: "order-desk/refund-order", manifest: "refund", effect: "write" } as const;

const contract = defineTool<Params, Params, Answer>({
  skill: "desk",
  name: "work",
  version: { skill: "s", binding: "b", manifest: "m" },
  effect: "write",
  params: isParams,
  binding: plan<Params, Sources, string>({
    steps: [
      step(getOrder, {
        id: "order",
        ...get,
        params: (from) => ({ order_id: from.params.order_id }),
      }),
      eachStep(getOrder, {
        id: "orders",
        ...get,
        list: () => items,
        params: (_, item) => ({ order_id: `ord_${item}` }),
      }),
      step(getOrder, { id: "after", ...get, after: ["order"], params: () => ({ order_id: "a" }) }),
      step(createOrder, {
        id: "keyed",
        ...create,
        after: ["after", "orders"],
        params: () => ({ customer_id: "cus_kill", reference: "keyed", lines }),
      }),
      eachStep(createOrder, {
        id: "keyeds",
        ...create,
        after: ["keyed"],
        list: () => items,
        params: (_, item) => ({ customer_id: "cus_kill", reference: `keyeds:${item}`, lines }),
      }),
      eachStep(cancelOrder, {
        id: "cancels",
        ...cancel,
        after: ["keyeds"],
        list: () => items,
        params: (_, item) => ({ order_id: `ord_${item}` }),
      }),
      step(refundOrder, {
        id: "other",
        ...refund,
        after: ["cancels"],
        params: (from) => ({ order_id: from.params.order_id, amount_cents: 100 }),
      }),
      eachStep(refundOrder, {
        id: "others",
        ...refund,
        after: ["other"],
        list: () => items,
        params: (from, item) => ({ order_id: from.params.order_id, amount_cents: item + 1 }),
      }),
      step(getOrder, { id: "last", ...get, after: ["others"], params: () => ({ order_id: "l" }) }),
    ],
    output: () => "done",
    outputNeeds: ["last"],
    facts: { capabilities: [], credentials: [], scopes: [], approvals: [], maxWrites: 11 },
  }),
});

/** Keys of the plan's writes, as runs and the counting service name them. */
export const keyedWrites = ["keyed", ...items.map((item) => `keyeds:${item}`)];
export const idempotentWrites = items.map((item) => `cancels:${item}`);
export const otherWrites = ["other", ...items.map((item) => `others:${item}`)];
/** Requests of a whole run: six reads and eleven writes. */
export const requests = 17;

export const version = "1";

function work(params: Params, options?: CallOptions): Promise<Answer> {
  return callTool(contract, params, options);
}

export function register(runtime: Runtime): PlanWorkflow<Params> {
  return planWorkflow(work, { name: "desk/work", runtime });
}

/** A runtime whose ledger is below a folder. */
export function runtimeFor(directory: string, url: string, runs: RunStore): Runtime {
  const credentials = { ORDERS_URL: url, ORDERS_TOKEN: "t-0k3n" };
  return createRuntime({ directory, inherit: false, env: {}, credentials, runs, mode: "active" });
}
