import {
  createMemoryStore,
  governance,
  type GovernanceOptions,
  type ToolEvent,
} from "../../../../src/runtime/governance/index.js";
import type { GovernedTool, ProjectPolicy } from "../../../../src/runtime/governance/policy.js";
import type { RuntimeOptions } from "../../../../src/runtime/runtime.js";
import { createProject, type Handlers } from "./plan-project.js";

/** A policy that knows the tools of these names, and the plans `plan` and `inner`. */
export function policyFor(
  names: readonly string[],
  tools: { readonly [name: string]: Partial<GovernedTool> } = {},
  more: Partial<ProjectPolicy> = {},
): ProjectPolicy {
  const known = [...names, "plan", "inner"].map((name) => [
    `desk/${name}`,
    {
      manifest: `m-${name}`,
      effect: "write",
      risk: "low",
      tags: [],
      scopes: [],
      capabilities: [],
      limits: {},
      deprecated: false,
      context: { as: "record", fields: [] },
      ...tools[name],
    },
  ]);
  return {
    hash: "p1",
    strict: false,
    tools: Object.fromEntries(known),
    quotas: [],
    obligations: [],
    ...more,
  };
}

/** A runtime whose calls a policy governs. */
export function governed(
  handlers: Handlers,
  policy: Partial<ProjectPolicy> = {},
  {
    tools,
    options,
    ...more
  }: Partial<GovernanceOptions> & {
    readonly tools?: { readonly [name: string]: Partial<GovernedTool> };
    readonly options?: RuntimeOptions;
  } = {},
) {
  const store = createMemoryStore();
  const events: ToolEvent[] = [];
  const project = createProject(handlers, {
    ...options,
    governance: governance({
      policy: policyFor(Object.keys(handlers), tools, policy),
      store,
      events: (event) => void events.push(event),
      ...more,
    }),
  });
  return { ...project, events, store };
}
