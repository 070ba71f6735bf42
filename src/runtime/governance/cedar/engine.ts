/**
 * The Cedar policy engine, loaded if a project has policies. A failed decision counts as a denial.
 */
import type * as CedarModule from "@cedar-policy/cedar-wasm/nodejs";
import type { CedarPolicies } from "../policy.js";
import type { CedarValue } from "./context.js";
import { type Cedar, loadCedar } from "./load.js";
import { readsArgument, readsContext } from "./reads-argument.js";
import { type PolicyJson, withoutArguments } from "./without-arguments.js";

/** One question to Cedar: may this caller make this call? */
export interface CedarRequest {
  readonly principal: string;
  readonly roles: readonly string[];
  readonly tenant: string;
  readonly action: string;
  readonly context: { readonly [name: string]: CedarValue };
  /** Paths of arguments that Cedar can't hold exactly; absent if there are none. */
  readonly rounded?: readonly (readonly string[])[];
  /** Paths into the context whose values are unknown; absent if there are none. */
  readonly unknown?: readonly (readonly string[])[];
}

export type CedarDecision =
  /** `policies`: ids of the policies that decided; empty if none applied. */
  | { readonly decision: "allow" | "deny"; readonly policies: readonly string[] }
  /**
   * The decision failed. `policies`: those whose conditions failed. `why` never quotes Cedar, whose
   * messages contain values of arguments.
   */
  | { readonly decision: "failed"; readonly policies: readonly string[]; readonly why: string };

export interface CedarEngine {
  decide(request: CedarRequest): CedarDecision;
  /** Evaluates the condition of the tool's approval. `allow` means that an approval is needed. */
  needsApproval(request: CedarRequest): CedarDecision;
  /**
   * Returns whether a call with some arguments may be permitted. It ignores the request's
   * arguments.
   */
  mayPermit(request: CedarRequest): CedarDecision;
}

/** Number of engines of this thread. Cedar's names of prepared policies are shared in a thread. */
let engines = 0;

/**
 * Opens an engine. Its first decision prepares the policies, and throws if Cedar rejects them.
 *
 * @throws if the package is missing
 */
export async function openCedar({
  approvals,
  policies,
  schema,
}: CedarPolicies): Promise<CedarEngine> {
  const cedar = await loadCedar();
  engines += 1;
  const name = `skillc-${engines}`;
  // Listing tools needs none of these, and they take long for many tools.
  const prepare = once(() => {
    // The compiler printed the schema from Cedar's own form.
    require(cedar.preparseSchema(name, schema as Parameters<Cedar["preparseSchema"]>[1]));
    require(cedar.preparsePolicySet(name, { staticPolicies: { ...policies } }));
    require(cedar.preparsePolicySet(`${name}-approvals`, { staticPolicies: { ...approvals } }));
  });
  const possible = `${name}-possible`;
  const preparePossible = once(() => preparePossiblePolicies(cedar, possible, policies));
  const forms = new Map<string, ReturnType<typeof parsed>>();
  const formOf = (text: string) => {
    const form = forms.get(text) ?? parsed(cedar, text);
    forms.set(text, form);
    return form;
  };
  const askExactly = (
    prepared: string,
    texts: CedarPolicies["policies"],
    request: CedarRequest,
  ): CedarDecision => {
    prepare();
    return (
      refusalOfInexact(formOf, texts, request, groupsIn(schema, request.action)) ??
      ask(cedar, { schema: name, policies: prepared }, request)
    );
  };
  return {
    decide: (request) => askExactly(name, policies, request),
    needsApproval: (request) => askExactly(`${name}-approvals`, approvals, request),
    mayPermit(request) {
      preparePossible();
      // The schema doesn't allow a context without arguments, so pass the action's groups
      // separately.
      return ask(cedar, { groups: groupsIn(schema, request.action), policies: possible }, request);
    },
  };
}

/**
 * Returns a failed decision if a policy for this action reads a value that is unknown, or an argument
 * that Cedar can't hold exactly; otherwise undefined.
 */
function refusalOfInexact(
  formOf: (text: string) => PolicyJson,
  texts: CedarPolicies["policies"],
  { action, rounded = [], unknown = [] }: CedarRequest,
  groups: readonly string[],
): CedarDecision | undefined {
  if (rounded.length === 0 && unknown.length === 0) return undefined;
  const reading = Object.entries(texts).flatMap(([id, text]) => {
    const policy = formOf(text);
    if (!isAbout(policy.action, [action, ...groups])) return [];
    const place =
      unknown.find((each) => readsContext(policy, each)) ??
      rounded.find((each) => readsArgument(policy, each));
    return place === undefined ? [] : [{ id, place }];
  });
  const [first] = reading;
  if (first === undefined) return undefined;
  const ids = reading.map(({ id }) => id);
  const why = unknown.includes(first.place)
    ? "is not in the record of the call"
    : "is a value that a policy can't represent exactly";
  return failed(ids, `\`${first.place.join(".")}\` ${why}`);
}

function isAbout({ entities, entity, op }: PolicyJson["action"], ids: readonly string[]): boolean {
  if (op === "All") return true;
  return [...(entities ?? []), ...(entity === undefined ? [] : [entity])].some((each) =>
    ids.includes("id" in each ? each.id : each["__entity"].id),
  );
}

function parsed(cedar: Cedar, text: string): CedarModule.PolicyJson & PolicyJson {
  const answer = cedar.policyToJson(text);
  if (answer.type === "failure") throw new Error(answer.errors.map((each) => each.message).join());
  // Cedar prints JSON.
  return answer.json as CedarModule.PolicyJson & PolicyJson;
}

/** Runs a function at the first call. If it throws, the next call runs it again. */
function once(run: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) run();
    isDone = true;
  };
}

/** Prepares the reduced policies. */
function preparePossiblePolicies(
  cedar: Cedar,
  name: string,
  policies: CedarPolicies["policies"],
): void {
  const possible: Record<string, CedarModule.Policy> = {};
  for (const [id, text] of Object.entries(policies)) {
    const left = withoutArguments(parsed(cedar, text));
    if (left !== undefined) possible[id] = left;
  }
  require(cedar.preparsePolicySet(name, { staticPolicies: possible }));
}

/** Names under which Cedar keeps prepared parts. */
type Prepared = { readonly policies: string } & (
  | { readonly schema: string }
  /** Groups of the action, because no schema provides them. */
  | { readonly groups: readonly string[] }
);

/** Returns the groups of an action from the schema's `memberOf`. */
function groupsIn(schema: CedarPolicies["schema"], action: string): readonly string[] {
  // The compiler prints the schema with an empty namespace.
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
      // Cedar's type is the same, except that `CedarValue` is readonly.
      context: context as Record<string, never>,
      ...("schema" in known && { preparsedSchemaName: known.schema, validateRequest: true }),
      preparsedPolicySetId: policies,
      entities: [{ uid: caller, attrs: {}, parents }, ...groupedAction(known, action)],
    });
    if (answer.type === "failure") return failed([], "the request doesn't fit the policy schema");
    const { decision, diagnostics } = answer.response;
    const ids = diagnostics.errors.map(({ policyId }) => policyId);
    if (ids.length > 0)
      return failed(ids, `the condition of ${ids.map((id) => `\`${id}\``).join(", ")} failed`);
    return { decision, policies: diagnostics.reason };
  } catch {
    return failed([], "the policy engine failed");
  }
}

/** Returns an action with its groups, for requests without a schema. */
function groupedAction(known: object & { readonly groups?: readonly string[] }, id: string) {
  const parents = (known.groups ?? []).map((group) => ({ type: "Action", id: group }));
  return parents.length === 0 ? [] : [{ uid: { type: "Action", id }, attrs: {}, parents }];
}

function failed(policies: readonly string[], why: string): CedarDecision {
  return { decision: "failed", policies, why };
}
