/**
 * What governing a call costs: all steps with a store in memory, against the bare decision of
 * Cedar; and a call that nothing governs, against the same call made by hand.
 */
import { createRequire } from "node:module";
import type * as CedarModule from "@cedar-policy/cedar-wasm/nodejs";
import { callTool, createRuntime, defineTool, type Runtime, withCaller } from "@skillc/runtime";
import { governance, type ProjectPolicy } from "@skillc/runtime/governance";
import { compareTasks, type Measurement } from "./measurement.js";

interface Params {
  readonly id: string;
  readonly amount_cents: number;
}

interface Done {
  readonly status: "success";
  readonly data: { readonly ok: true; readonly email: string };
}

const manifest = "bench";
const done: Done = { status: "success", data: { ok: true, email: "ada@example.com" } };
const params: Params = { id: "ord_1001", amount_cents: 1200 };
const isParams = Object.assign((value: unknown): value is Params => value !== null, {
  errors: null,
});

const tool = defineTool<Params, Params, Done>({
  skill: "order-desk",
  name: "refund",
  version: { skill: "s", binding: "b", manifest },
  effect: "write",
  params: isParams,
  binding: {
    kind: "bench",
    prepare: (args) => ({
      credentials: [],
      reach: () => [{ kind: "bench", capabilities: ["bench:call"] }],
      describe: () => ({ ...args }),
      send: () => Promise.resolve({ result: done }),
    }),
  },
});

const schema = {
  "": {
    entityTypes: { Tenant: {}, Role: {}, Caller: { memberOfTypes: ["Role", "Tenant"] } },
    actions: {
      "order-desk/refund": {
        appliesTo: {
          principalTypes: ["Caller"],
          resourceTypes: ["Tenant"],
          context: {
            type: "Record",
            attributes: {
              args: {
                type: "Record",
                attributes: { id: { type: "String" }, amount_cents: { type: "Long" } },
              },
              origin: { type: "String" },
              risk: { type: "String" },
              effect: { type: "String" },
              scopes: { type: "Set", element: { type: "String" } },
              capabilities: { type: "Set", element: { type: "String" } },
            },
          },
        },
      },
    },
  },
} as const;
const policies = {
  large: `forbid(principal, action == Action::"order-desk/refund", resource) when { context.args.amount_cents > 100000 };`,
  clerks: `permit(principal in Role::"clerk", action, resource);`,
};

const policy: ProjectPolicy = {
  hash: "bench",
  strict: true,
  cedar: { schema, policies, approvals: {} },
  tools: {
    "order-desk/refund": {
      manifest,
      effect: "write",
      risk: "high",
      tags: [],
      scopes: ["orders.write"],
      capabilities: ["bench:call"],
      limits: { callsPerMinute: 1e9, concurrent: 64, bytesIn: 4096, bytesOut: 4096 },
      idempotency: "keyed",
      concurrency: "serial",
      deprecated: false,
      context: {
        as: "record",
        fields: [
          { name: "id", field: { as: "string" }, required: true },
          { name: "amount_cents", field: { as: "long" }, required: true },
        ],
      },
    },
  },
  grants: [{ to: { role: "clerk" }, scopes: ["orders.write"] }],
  quotas: [{ name: "day", per: ["tenant", "caller"], callsPerDay: 1e9, costPerDay: 1e9 }],
  obligations: [
    {
      name: "emails",
      tools: ["order-desk/refund"],
      action: { do: "mask", at: ["email"] },
      unless: [],
    },
  ],
};

const caller = {
  tenant: "acme",
  subject: "ada",
  scopes: ["orders.write"],
  roles: ["clerk"],
  origin: "llm",
} as const;

let keys = 0;

const call = (runtime: Runtime) => callTool(tool, params, { runtime });
const keyedCall = (runtime: Runtime) =>
  callTool(tool, params, { runtime, idempotencyKey: `k${(keys += 1)}` });

export function measureGovernance(): Promise<readonly Measurement[]> {
  return withCaller(caller, measure);
}

async function measure(): Promise<readonly Measurement[]> {
  const bare = createRuntime({ ledger: false, env: {}, inherit: false });
  const governed = createRuntime({
    ledger: false,
    env: {},
    inherit: false,
    governance: governance({ policy }),
  });
  const measured = await compareTasks(
    {
      cedar: bareDecision(),
      "not governed": () => call(bare),
      governed: () => keyedCall(governed),
    },
    { rounds: 15, roundMs: 200 },
  );
  await governed.close();
  const microseconds = (name: string) => (measured.get(name)?.ms ?? Number.NaN) * 1000;
  const cedar = microseconds("cedar");
  const beyond = microseconds("governed") - microseconds("not governed") - cedar;
  const baseline = `Cedar's bare decision (${cedar.toFixed(0)} µs)`;
  return [
    {
      name: "governed call, all steps: p50",
      value: microseconds("governed"),
      unit: "µs",
      baseline,
    },
    {
      name: "governed call, all steps: beyond Cedar and the call itself",
      value: beyond,
      unit: "µs",
      baseline,
    },
    {
      name: "governed call, all steps: p50",
      value: microseconds("governed") / cedar,
      unit: "×",
      baseline,
    },
  ];
}

/** The same question, with nothing around it. */
function bareDecision(): () => unknown {
  const cedar = createRequire(import.meta.url)(
    "@cedar-policy/cedar-wasm/nodejs",
  ) as typeof CedarModule;
  cedar.preparseSchema("bench", schema as unknown as Parameters<typeof cedar.preparseSchema>[1]);
  cedar.preparsePolicySet("bench", { staticPolicies: policies });
  const principal = { type: "Caller", id: caller.subject };
  const resource = { type: "Tenant", id: caller.tenant };
  return () =>
    cedar.statefulIsAuthorized({
      principal,
      action: { type: "Action", id: "order-desk/refund" },
      resource,
      context: {
        args: { ...params },
        origin: caller.origin,
        scopes: [...caller.scopes],
        risk: "high",
        effect: "write",
        capabilities: ["bench:call"],
      },
      preparsedSchemaName: "bench",
      validateRequest: true,
      preparsedPolicySetId: "bench",
      entities: [{ uid: principal, attrs: {}, parents: [resource, { type: "Role", id: "clerk" }] }],
    });
}
