/** Policies about the paths of one tool, as the compiler would write them. */
import type { GovernedTool, ProjectPolicy } from "../../../src/runtime/governance/policy.js";
import { policyOf } from "./governed.js";

const text = { type: "String" } as const;
const texts = { type: "Set", element: text } as const;

export interface PathPolicy {
  readonly toolId: string;
  /** Names of the parameters that policies know; all are text. */
  readonly parameters: readonly string[];
  /** Cedar's text of a policy. */
  readonly text: string;
  readonly tool: Partial<GovernedTool>;
}

/** Makes the policy of a project with one tool and one Cedar policy. */
export function pathPolicy({ parameters, text: guard, tool, toolId }: PathPolicy): ProjectPolicy {
  const context: GovernedTool["context"] = {
    as: "record",
    fields: parameters.map((name) => ({ name, field: { as: "string" }, required: true })),
  };
  const args = {
    type: "Record",
    attributes: Object.fromEntries(parameters.map((name) => [name, text])),
  };
  const attributes = { args, origin: text, risk: text, effect: text };
  const sets = { scopes: texts, capabilities: texts, paths: texts, within: texts };
  const action = {
    appliesTo: {
      principalTypes: ["Caller"],
      resourceTypes: ["Tenant"],
      context: { type: "Record", attributes: { ...attributes, ...sets } },
    },
  };
  const entityTypes = {
    Caller: { memberOfTypes: ["Role", "Tenant"] },
    Role: {},
    Tenant: {},
  };
  const schema = { "": { entityTypes, actions: { [toolId]: action } } };
  const { tools, ...policy } = policyOf(
    { manifest: "m", risk: "low", context, namesPaths: true, ...tool },
    { cedar: { schema, policies: { guard }, approvals: {} } },
  );
  const [only] = Object.values(tools);
  if (only === undefined) throw new Error("the policy has no tool");
  return { ...policy, tools: { [toolId]: only } };
}
