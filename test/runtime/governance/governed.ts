import { governance, type GovernanceOptions } from "../../../src/runtime/governance/index.js";
import type { GovernedTool, ProjectPolicy } from "../../../src/runtime/governance/policy.js";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import type { CallOptions } from "../../../src/runtime/call/call-options.js";
import { createMemoryLedger } from "../../../src/runtime/ledger/memory-store.js";
import { createRuntime, type RuntimeOptions } from "../../../src/runtime/runtime.js";
import type { Contract, Params } from "../example-tool.js";

/** The example tool's entry in a policy. */
export const governedTool: GovernedTool = {
  manifest: "t1",
  effect: "write",
  risk: "high",
  tags: [],
  scopes: [],
  capabilities: [],
  limits: {},
  deprecated: false,
  context: { as: "record", fields: [{ name: "id", field: { as: "string" }, required: true }] },
};

export function policyOf(
  tool: Partial<GovernedTool> = {},
  more: Partial<ProjectPolicy> = {},
): ProjectPolicy {
  return {
    hash: "p1",
    strict: false,
    tools: { "desk/do-it": { ...governedTool, ...tool } },
    quotas: [],
    obligations: [],
    ...more,
  };
}

/** Creates a runtime with this policy for its calls. */
export function govern(
  policy: ProjectPolicy,
  options: Partial<GovernanceOptions> = {},
  credentials: RuntimeOptions["credentials"] = {},
) {
  const ledger = createMemoryLedger();
  const runtime = createRuntime({
    ledger,
    env: {},
    inherit: false,
    credentials,
    governance: governance({ policy, ...options }),
  });
  const call = (tool: Contract, more: CallOptions = {}, params: Params = { id: "a" }) =>
    callTool(tool, params, { runtime, ...more });
  return { call, ledger, runtime };
}
