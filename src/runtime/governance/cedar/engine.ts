/** Cedar, loaded when a project has policies. Whatever it can't decide is denied. */
import type { CedarPolicies } from "../policy.js";
import type { CedarValue } from "./context.js";
import { type Cedar, loadCedar } from "./load.js";

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
  /** Nobody could decide. `policies`: those whose conditions failed. */
  | { readonly decision: "failed"; readonly policies: readonly string[]; readonly why: string };

export interface CedarEngine {
  decide(request: CedarRequest): CedarDecision;
  /**
   * Whether the condition of the tool's approval holds: allowed means that an approval is needed.
   */
  needsApproval(request: CedarRequest): CedarDecision;
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
  return {
    decide: (request) => ask(cedar, name, name, request),
    needsApproval: (request) => ask(cedar, name, `${name}-approvals`, request),
  };
}

function require(answer: ReturnType<Cedar["checkParsePolicySet"]>): void {
  if (answer.type === "success") return;
  throw new Error(answer.errors.map(({ message }) => message).join("; "));
}

function ask(
  cedar: Cedar,
  schema: string,
  policies: string,
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
      preparsedSchemaName: schema,
      validateRequest: true,
      preparsedPolicySetId: policies,
      entities: [{ uid: caller, attrs: {}, parents }],
    });
    if (answer.type === "failure") return failed([], answer.errors);
    const { decision, diagnostics } = answer.response;
    if (diagnostics.errors.length > 0)
      return failed(
        diagnostics.errors.map(({ policyId }) => policyId),
        diagnostics.errors.map(({ error }) => error),
      );
    return { decision, policies: diagnostics.reason };
  } catch (error) {
    return failed([], [error instanceof Error ? error : new Error(String(error))]);
  }
}

function failed(
  policies: readonly string[],
  errors: readonly { readonly message: string }[],
): CedarDecision {
  return { decision: "failed", policies, why: errors.map(({ message }) => message).join("; ") };
}
