/**
 * Calls Cedar during compilation; no other module of the compiler does. Input and output are plain
 * data with offsets into each policy's text, so that results can be cached until the input changes.
 */
import { type Cedar, loadCedar } from "@skillc/runtime/internal/governance";
import { isJsonObject, type JsonObject, type JsonValue } from "../core/json.js";
import { textOffset } from "./byte-offsets.js";
import { pathOf, type PolicyTerms, policyTerms } from "./policy-terms.js";

export interface Question {
  readonly schema: JsonValue;
  /** Text of each policy. */
  readonly texts: readonly string[];
  /** True to also find out what each policy permits, if its scope alone doesn't show it. */
  readonly permits: boolean;
}

/** Result for one policy; `policy` is absent if Cedar could not continue. */
export interface Verdict {
  readonly problems: readonly PolicyProblem[];
  /** Absent if the text is not a policy. */
  readonly policy?: KnownPolicy;
}

export interface KnownPolicy {
  readonly effect: "permit" | "forbid";
  readonly annotations: { readonly [name: string]: string };
  /** Ids of the actions and groups in the policy's scope; undefined for all. */
  readonly actions?: readonly string[];
  /** True if the scope names exactly one action. */
  readonly isExact: boolean;
  /** True if the policy applies to every principal and every tenant. */
  readonly isForAll: boolean;
  readonly clauses: readonly ("when" | "unless")[];
  /** Comparisons and `has` tests in the policy's clauses. */
  readonly terms: PolicyTerms;
  /** True if no call can match the policy. */
  readonly neverApplies: boolean;
  /** Cedar's warnings, if the policy can apply. */
  readonly warnings: readonly PolicyProblem[];
  /**
   * Actions to which the policy may apply, as Cedar prints them. Absent if the scope shows them.
   */
  readonly appliesTo?: readonly string[];
}

/**
 * Maximum number of policies to check in detail, because each check reads the whole schema. For
 * others, only the scope is used.
 */
const maxAsked = 200;

export interface PolicyProblem {
  readonly kind: "syntax" | "template" | "types" | "warning";
  readonly message: string;
  readonly help?: string;
  /** Offset in the policy's text. */
  readonly start: number;
  readonly end: number;
  /** Context attributes at this place: property names, outermost first. */
  readonly reads: readonly (readonly string[])[];
}

/** @throws MissingPackage if Cedar is not installed; Error if Cedar can't continue */
export async function askCedar(
  question: Question,
  load: () => Promise<Cedar> = loadCedar,
): Promise<readonly Verdict[]> {
  if (question.texts.length === 0) return [];
  const cedar = await load();
  const parsed = question.texts.map((text) => parse(cedar, text));
  const sound = question.texts.flatMap((text, index) =>
    parsed[index]?.policy === undefined ? [] : [[String(index), text] as const],
  );
  // The compiler made the schema in Cedar's own form.
  const schema = question.schema as Parameters<Cedar["preparseSchema"]>[0] & JsonObject;
  const answer = cedar.validate({
    schema,
    policies: { staticPolicies: Object.fromEntries(sound) },
  });
  if (answer.type === "failure") throw new Error(messagesOf(answer.errors));
  const found = { errors: answer.validationErrors, warnings: answer.validationWarnings };
  let asked = 0;
  return question.texts.map((text, index) => {
    const verdict = parsed[index] ?? { problems: [] };
    const { policy } = verdict;
    if (policy === undefined) return verdict;
    const of = (all: typeof found.errors) =>
      all.filter(({ policyId }) => policyId === String(index)).map(({ error }) => error);
    const problems = of(found.errors).map((error) => problemOf(cedar, "types", error, text, index));
    if (problems.length > 0) return { policy, problems };
    const warnings = of(found.warnings);
    // Only the text of a warning identifies its kind, so every policy with a warning is checked in
    // detail.
    const isOpen = policy.effect === "permit" && policy.clauses.length > 0 && !policy.isExact;
    const asks = warnings.length > 0 || (question.permits && isOpen && asked < maxAsked);
    if (asks) asked += 1;
    const actions = asks ? actionsOf(cedar, text, schema) : undefined;
    const neverApplies = actions?.length === 0;
    const told = neverApplies ? [] : warnings;
    return {
      problems,
      policy: {
        ...policy,
        neverApplies,
        warnings: told.map((each) => problemOf(cedar, "warning", each, text, index)),
        ...(actions && { appliesTo: actions }),
      },
    };
  });
}

type CedarError = Extract<
  ReturnType<Cedar["policyToJson"]>,
  { readonly type: "failure" }
>["errors"][number];

function parse(cedar: Cedar, text: string): Verdict {
  const answer = cedar.policyToJson(text);
  if (answer.type === "success") return { problems: [], policy: knownPolicy(answer.json, text) };
  const isTemplate = cedar.templateToJson(text).type === "success";
  const kind = isTemplate ? "template" : "syntax";
  return { problems: answer.errors.map((error) => problemOf(cedar, kind, error, text)) };
}

type PolicyJson = Extract<ReturnType<Cedar["policyToJson"]>, { readonly type: "success" }>["json"];

function knownPolicy(json: PolicyJson, text: string): KnownPolicy {
  const { action, annotations = {}, conditions, effect, principal, resource } = json;
  const entities =
    action.op === "All" ? undefined : "entities" in action ? action.entities : entityOf(action);
  return {
    effect,
    annotations,
    ...(entities && { actions: entities.map(idOf) }),
    isExact: action.op === "==",
    isForAll: principal.op === "All" && resource.op === "All",
    clauses: conditions.map(({ kind }) => kind),
    terms: policyTerms(asJson(conditions), text),
    neverApplies: false,
    warnings: [],
  };
}

type EntityJson = { readonly type: string; readonly id: string };
type EntityUid = EntityJson | { readonly __entity: EntityJson };

function entityOf(action: { readonly entity: EntityUid } | { readonly slot: string }) {
  return "entity" in action ? [action.entity] : [];
}

function idOf(entity: EntityUid): string {
  return "id" in entity ? entity.id : entity["__entity"].id;
}

/** Returns the action of a tool as Cedar prints it. */
export function printedAction(id: string): string {
  return `Action::${JSON.stringify(id)}`;
}

function actionsOf(
  cedar: Cedar,
  text: string,
  schema: Parameters<Cedar["preparseSchema"]>[1],
): readonly string[] {
  const found = cedar.getValidRequestEnvsPolicy(text, schema);
  if (found.type === "failure") throw new Error(found.error);
  return found.actions;
}

function problemOf(
  cedar: Cedar,
  kind: PolicyProblem["kind"],
  error: CedarError,
  text: string,
  index?: number,
): PolicyProblem {
  const [place] = error.sourceLocations ?? [];
  const start = textOffset(text, place?.start ?? 0);
  const end = place === undefined ? text.length : textOffset(text, place.end);
  const help = error.help ?? place?.label ?? undefined;
  return {
    kind,
    message: withoutName(error.message, index),
    ...(help !== undefined && { help: withoutName(help, index) }),
    start,
    end,
    reads: kind === "types" ? readsIn(cedar, text.slice(start, end)) : [],
  };
}

/** Removes the policy's name from Cedar's message, because the diagnostic's place shows it. */
function withoutName(message: string, index: number | undefined): string {
  const named =
    index === undefined ? "failed to parse policy from string: " : `for policy \`${index}\`, `;
  return message.replace(named, "");
}

/** Returns the arguments that an expression reads, with Cedar's own parser. */
function readsIn(cedar: Cedar, expression: string): readonly (readonly string[])[] {
  const answer = cedar.policyToJson(
    `permit(principal, action, resource) when {\n${expression}\n};`,
  );
  if (answer.type === "failure") return [];
  const paths: (readonly string[])[] = [];
  collect(asJson(answer.json.conditions), paths);
  return paths.filter((path) => path.length > 0);
}

function collect(value: JsonValue, paths: (readonly string[])[]): void {
  if (Array.isArray(value)) return value.forEach((each: JsonValue) => collect(each, paths));
  if (!isJsonObject(value)) return;
  const path = pathOf(value);
  if (path === undefined) Object.values(value).forEach((each) => collect(each, paths));
  else paths.push(path);
}

function messagesOf(errors: readonly { readonly message: string }[]): string {
  return errors.map(({ message }) => message).join("; ");
}

/** Cedar's JSON form of an expression is JSON, although its type doesn't show that. */
function asJson(conditions: PolicyJson["conditions"]): JsonValue {
  return conditions as unknown as JsonValue;
}
