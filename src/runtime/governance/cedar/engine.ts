/** Cedar, loaded when a project has policies. Whatever it can't decide is denied. */
import type * as CedarModule from "@cedar-policy/cedar-wasm/nodejs";
import type { CedarPolicies } from "../policy.js";
import type { CedarValue } from "./context.js";
import { type Cedar, loadCedar } from "./load.js";
import { type PolicyJson, withoutArguments } from "./without-arguments.js";

/** One question: may this caller make this call? */
export interface CedarRequest {
  readonly principal: string;
  readonly roles: readonly string[];
  readonly tenant: string;
  readonly action: string;
  readonly context: { readonly [name: string]: CedarValue };
}

export type CedarDecision =
  /** `policies`: ids of those that decided; none: nothing spoke. */
  | { readonly decision: "allow" | "deny"; readonly policies: readonly string[] }
  /**
   * Nobody could decide. `policies`: those whose conditions failed. `why` is never in Cedar's own
   * words, which quote values of arguments.
   */
  | { readonly decision: "failed"; readonly policies: readonly string[]; readonly why: string };

export interface CedarEngine {
  decide(request: CedarRequest): CedarDecision;
  /**
   * Whether the condition of the tool's approval holds: allowed means that an approval is needed.
   */
  needsApproval(request: CedarRequest): CedarDecision;
  /** Whether some arguments may be permitted; those of the request are not looked at. */
  mayPermit(request: CedarRequest): CedarDecision;
}

/** Engines of one thread share its names. */
let engines = 0;

/** @throws when the package is missing, or the policies are none of Cedar's */
export async function openCedar({
  approvals,
  policies,
  schema,
}: CedarPolicies): Promise<CedarEngine> {
  const cedar = await loadCedar();
  engines += 1;
  const name = `skillc-${engines}`;
  // The compiler printed it from Cedar's own form.
  require(cedar.preparseSchema(name, schema as Parameters<Cedar["preparseSchema"]>[1]));
  require(cedar.preparsePolicySet(name, { staticPolicies: { ...policies } }));
  require(cedar.preparsePolicySet(`${name}-approvals`, { staticPolicies: { ...approvals } }));
  let hasPossible = false;
  return {
    decide: (request) => ask(cedar, { schema: name, policies: name }, request),
    needsApproval: (request) =>
      ask(cedar, { schema: name, policies: `${name}-approvals` }, request),
    mayPermit(request) {
      const possible = `${name}-possible`;
      if (!hasPossible) preparePossible(cedar, possible, policies);
      hasPossible = true;
      // A context without arguments is none of the schema's: what it says of groups is told apart.
      return ask(cedar, { groups: groupsIn(schema, request.action), policies: possible }, request);
    },
  };
}

/** Prepares what may be decided without arguments, when it is first asked for. */
function preparePossible(cedar: Cedar, name: string, policies: CedarPolicies["policies"]): void {
  const possible: Record<string, CedarModule.Policy> = {};
  for (const [id, text] of Object.entries(policies)) {
    const parsed = cedar.policyToJson(text);
    if (parsed.type === "failure")
      throw new Error(parsed.errors.map((each) => each.message).join());
    // What Cedar prints is JSON.
    const left = withoutArguments(parsed.json as CedarModule.PolicyJson & PolicyJson);
    if (left !== undefined) possible[id] = left;
  }
  require(cedar.preparsePolicySet(name, { staticPolicies: possible }));
}

/** By which names Cedar knows what was prepared. */
type Prepared = { readonly policies: string } & (
  | { readonly schema: string }
  /** Groups of the action, where no schema tells them. */
  | { readonly groups: readonly string[] }
);

/** The groups of an action, as the schema's `memberOf` has them. */
function groupsIn(schema: CedarPolicies["schema"], action: string): readonly string[] {
  // As the compiler prints it: a namespace without a name.
  const { actions = {} } = (schema as { readonly ""?: SchemaActions })[""] ?? {};
  const found = Object.hasOwn(actions, action) ? actions[action] : undefined;
  return (found?.memberOf ?? []).map(({ id }) => id);
}

interface SchemaActions {
  readonly actions?: {
    readonly [id: string]: { readonly memberOf?: readonly { readonly id: string }[] };
  };
}

function require(answer: ReturnType<Cedar["checkParsePolicySet"]>): void {
  if (answer.type === "success") return;
  throw new Error(answer.errors.map(({ message }) => message).join("; "));
}

function ask(
  cedar: Cedar,
  { policies, ...known }: Prepared,
  { action, context, principal, roles, tenant }: CedarRequest,
): CedarDecision {
  const caller = { type: "Caller", id: principal };
  const owner = { type: "Tenant", id: tenant };
  const parents = [owner, ...roles.map((id) => ({ type: "Role", id }))];
  try {
    const answer = cedar.statefulIsAuthorized({
      principal: caller,
      action: { type: "Action", id: action },
      resource: owner,
      // `CedarValue` is what Cedar reads, but for being readonly.
      context: context as Record<string, never>,
      ...("schema" in known && { preparsedSchemaName: known.schema, validateRequest: true }),
      preparsedPolicySetId: policies,
      entities: [{ uid: caller, attrs: {}, parents }, ...groupedAction(known, action)],
    });
    if (answer.type === "failure") return failed([], "what is asked doesn't fit the schema");
    const { decision, diagnostics } = answer.response;
    const ids = diagnostics.errors.map(({ policyId }) => policyId);
    if (ids.length > 0)
      return failed(ids, `the condition of ${ids.map((id) => `\`${id}\``).join(", ")} failed`);
    return { decision, policies: diagnostics.reason };
  } catch {
    return failed([], "the policy engine failed");
  }
}

/** An action with its groups, where no schema tells them. */
function groupedAction(known: object & { readonly groups?: readonly string[] }, id: string) {
  const parents = (known.groups ?? []).map((group) => ({ type: "Action", id: group }));
  return parents.length === 0 ? [] : [{ uid: { type: "Action", id }, attrs: {}, parents }];
}

function failed(policies: readonly string[], why: string): CedarDecision {
  return { decision: "failed", policies, why };
}
