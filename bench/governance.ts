/**
 * Measures the CPU time that governance adds to a call. Governance runs all steps with a store in
 * memory and no ledger. The baselines are Cedar's bare decision of the same request, and an
 * ungoverned call. CPU time excludes other work on the machine, and no step waits.
 */
import { deepStrictEqual, notStrictEqual } from "node:assert/strict";
import { createRequire } from "node:module";
import type * as CedarModule from "@cedar-policy/cedar-wasm/nodejs";
import { callTool, createRuntime, defineTool, type Runtime, withCaller } from "@skillc/runtime";
import { governance, type ProjectPolicy } from "@skillc/runtime/governance";
import { type Measurement, median, middleHalf, processorTimes } from "./measurement.js";

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
  const cedar = loadCedar();
  const bare = createRuntime({ ledger: false, env: {}, inherit: false });
  const governed = createRuntime({
    ledger: false,
    env: {},
    inherit: false,
    governance: governance({ policy }),
  });
  const decide = bareDecision(cedar);
  await requireSameQuestion(cedar, decide, () => keyedCall(governed));
  const rounds = await processorTimes(
    {
      decision: decide,
      call: () => call(bare),
      byHand() {
        decide();
        return call(bare);
      },
      governed: () => keyedCall(governed),
    },
    { rounds: 60, roundMs: 50, warmUpMs: 2000 },
  );
  await governed.close();
  const line = (
    name: string,
    unit: "µs" | "×",
    baseline: string,
    valueOf: (round: (typeof rounds)[number]) => number,
  ): Measurement => {
    const values = rounds.map(valueOf);
    const spread = unit === "µs" ? `; middle half ${middleHalf(values)}` : "";
    return { name: `${name}: CPU`, value: median(values), unit, baseline: `${baseline}${spread}` };
  };
  const apart = "the two measured apart";
  const together = "the two by hand, one after the other";
  return [
    line("Cedar's bare decision", "µs", "nothing", ({ decision }) => decision),
    line("a call that nothing governs", "µs", "nothing", (round) => round.call),
    line("the two by hand, one after the other", "µs", "nothing", ({ byHand }) => byHand),
    line("governed call, all steps", "µs", "nothing", (round) => round.governed),
    line(
      "governed call, beyond decision and call",
      "µs",
      apart,
      (round) => round.governed - round.decision - round.call,
    ),
    line(
      "governed call, beyond decision and call",
      "µs",
      together,
      (round) => round.governed - round.byHand,
    ),
    line(
      "governed call, beyond decision and call",
      "×",
      "Cedar's bare decision",
      (round) => (round.governed - round.decision - round.call) / round.decision,
    ),
    line("governed call, all steps", "×", together, (round) => round.governed / round.byHand),
  ];
}

interface Cedar {
  readonly engine: typeof CedarModule;
  /** The last request to Cedar. */
  asked(): AuthorizationCall | undefined;
}

type AuthorizationCall = Parameters<typeof CedarModule.statefulIsAuthorized>[0];

/**
 * Wraps Cedar's function. Call it before the runtime loads Cedar, so that the runtime uses the same
 * function.
 */
function loadCedar(): Cedar {
  // The package's own declarations describe it.
  const engine = createRequire(import.meta.url)("@cedar-policy/cedar-wasm/nodejs") as {
    -readonly [Name in keyof typeof CedarModule]: (typeof CedarModule)[Name];
  };
  const decide = engine.statefulIsAuthorized;
  let asked: AuthorizationCall | undefined;
  engine.statefulIsAuthorized = (question) => {
    asked = question;
    return decide(question);
  };
  return { engine, asked: () => asked };
}

/**
 * Checks that the bare decision and governance send the same request to Cedar.
 *
 * @throws AssertionError if the requests differ
 */
async function requireSameQuestion(
  { asked }: Cedar,
  decide: () => unknown,
  governedCall: () => Promise<unknown>,
): Promise<void> {
  decide();
  const byHand = asked();
  await governedCall();
  const byGovernance = asked();
  // Prepared schemas and policies have different names in each engine.
  const names = { preparsedSchemaName: "", preparsedPolicySetId: "" };
  deepStrictEqual({ ...byGovernance, ...names }, { ...byHand, ...names });
  notStrictEqual(byGovernance, byHand);
}

/** The same request to Cedar without any other step. */
function bareDecision({ engine }: Cedar): () => unknown {
  // The schema is written in the JSON form that Cedar reads.
  engine.preparseSchema("bench", schema as unknown as Parameters<typeof engine.preparseSchema>[1]);
  engine.preparsePolicySet("bench", { staticPolicies: policies });
  const principal = { type: "Caller", id: caller.subject };
  const resource = { type: "Tenant", id: caller.tenant };
  return () =>
    engine.statefulIsAuthorized({
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
