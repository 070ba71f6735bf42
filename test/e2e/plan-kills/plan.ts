/** A plan with reads, keyed writes, other writes, and loops of each. Both sides of a kill run it. */
import {
  type CallOptions,
  callTool,
  createRuntime,
  defineTool,
  type Runtime,
} from "@skillc/runtime";
import type { RunStore } from "@skillc/runtime/runs";
import {
  eachStep,
  plan,
  type SuspendedPlan,
  type ShadowedPlan,
  step,
} from "@skillc/runtime/v1/plan";
import { createOrder, getOrder, refundOrder } from "../../../generated/order-desk/index.js";

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
        toolId: "order-desk/get-order",
        manifest: "get",
        effect: "read",
        params: (from) => ({ order_id: from.params.order_id }),
      }),
      eachStep(getOrder, {
        id: "orders",
        toolId: "order-desk/get-order",
        manifest: "get",
        effect: "read",
        list: () => items,
        params: (_, item) => ({ order_id: `ord_${item}` }),
      }),
      step(createOrder, {
        id: "keyed",
        toolId: "order-desk/create-order",
        manifest: "create",
        effect: "write",
        isRepeatable: true,
        after: ["order", "orders"],
        params: () => ({ customer_id: "cus_kill", reference: "keyed", lines }),
      }),
      eachStep(createOrder, {
        id: "keyeds",
        toolId: "order-desk/create-order",
        manifest: "create",
        effect: "write",
        isRepeatable: true,
        after: ["keyed"],
        list: () => items,
        params: (_, item) => ({ customer_id: "cus_kill", reference: `keyeds:${item}`, lines }),
      }),
      step(refundOrder, {
        id: "other",
        toolId: "order-desk/refund-order",
        manifest: "refund",
        effect: "write",
        after: ["keyeds"],
        params: (from) => ({ order_id: from.params.order_id, amount_cents: 100 }),
      }),
      eachStep(refundOrder, {
        id: "others",
        toolId: "order-desk/refund-order",
        manifest: "refund",
        effect: "write",
        after: ["other"],
        list: () => items,
        params: (from, item) => ({ order_id: from.params.order_id, amount_cents: item + 1 }),
      }),
      step(getOrder, {
        id: "last",
        toolId: "order-desk/get-order",
        manifest: "get",
        effect: "read",
        after: ["others"],
        params: (from) => ({ order_id: from.params.order_id }),
      }),
    ],
    output: () => "done",
    outputNeeds: ["last"],
    facts: { capabilities: [], credentials: [], scopes: [], approvals: [], maxWrites: 8 },
  }),
});

/** Keys of the plan's writes, as runs and the counting service name them. */
export const keyedWrites = ["keyed", ...items.map((item) => `keyeds:${item}`)];
export const otherWrites = ["other", ...items.map((item) => `others:${item}`)];

/** Begins the run, or goes on with it. */
export function work(run: string, options: CallOptions): Promise<Answer> {
  return callTool(contract, { order_id: "ord_1" }, { ...options, run });
}

/** A runtime whose ledger is below a folder. */
export function runtimeFor(directory: string, url: string, runs: RunStore): Runtime {
  const credentials = { ORDERS_URL: url, ORDERS_TOKEN: "t-0k3n" };
  return createRuntime({ directory, inherit: false, env: {}, credentials, runs });
}

/** Exit code of a process that was too slow to renew its lease of the run. */
export const lostExitCode = 75;
