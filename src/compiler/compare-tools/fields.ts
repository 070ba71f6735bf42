/** The comparison of each key of a catalog's tools, and the meaning of its changes. */
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "../../core/json.js";
import { printable, quote } from "../../core/names.js";
import { equal } from "@skillc/runtime/internal/equal";
import type { CatalogTool } from "@skillc/runtime";
import { compareLists, compareNarrowing } from "./compare-lists.js";
import { compareReach } from "./compare-reach.js";
import { compareParameters, compareResults } from "./compare-schemas.js";
import {
  type CompareField,
  type Difference,
  differenceOf,
  type FieldDifference,
  fieldDifference,
} from "./difference.js";
import type { ChangeRuleName } from "./rules.js";

/** Keys that identify the tool, or that are compared elsewhere. */
const notCompared: CompareField = () => [];

const risks = ["low", "medium", "high", "critical"];

type Fields = Readonly<Record<string, CompareField>>;

/**
 * Comparisons by key. The compiler checks that no key of the runtime's type is missing. A test
 * checks the generated keys.
 */
export const toolFields: Fields & Readonly<Record<keyof CatalogTool, CompareField>> = {
  id: notCompared,
  name: notCompared,
  version: notCompared,
  model_name: otherwise("name-changed"),
  function: otherwise("name-changed"),
  description: (_, now) => [fieldDifference("description", saysNow(now))],
  input_schema: compareParameters,
  // The schema determines both names.
  input_parameter: notCompared,
  input_names: notCompared,
  output_schema: compareResults,
  next_parameter: eitherWay(
    "pages-added",
    "pages-removed",
    (more) => `the result ${more} has pages`,
  ),
  // The binding determines the page parameter.
  page_parameter: notCompared,
  kind: otherwise("kind-changed"),
  needs_handler: eitherWay(
    "handler-needed",
    "handler-dropped",
    (more) => `the tool ${more} needs a handler`,
  ),
  side_effect: (_, now) =>
    now === "write"
      ? [fieldDifference("effect-write", "is now `write`, and was `read`")]
      : [fieldDifference("effect-read", "is now `read`, and was `write`")],
  // The binding determines whether the tool has its own key.
  has_own_key: notCompared,
  mode: otherwise("mode-changed"),
  risk_level: (old, now) => {
    const isHigher = risks.indexOf(String(now)) > risks.indexOf(String(old));
    return [fieldDifference(isHigher ? "risk-raised" : "risk-lowered", inPlaceOf(old, now))];
  },
  requires_confirmation: eitherWay(
    "confirmation-added",
    "confirmation-removed",
    (more) => `calls ${more} need a confirmation`,
  ),
  // Reported for the whole tool if nothing else differs.
  manifest_hash: notCompared,
  capabilities: compareReach,
  caller: compareLists("caller-needed", "caller-dropped"),
  rollback: compareRollbacks,
  param_aliases: otherwise("aliases-changed"),
  tags: compareLists("tag-added", "tag-removed"),
  deprecated: (_, now) =>
    isEmpty(now)
      ? [fieldDifference("deprecated-lifted", "is no longer deprecated")]
      : [fieldDifference("deprecated-set", "is deprecated, or the reason changed")],
  // Compared key by key with `governanceFields`.
  governance: notCompared,
};

/** Fields of `governance`. */
const governanceFields: Fields = {
  scopes: compareLists("scope-added", "scope-removed"),
  capabilities: compareNarrowing("capability-wider", "capability-narrower"),
  // Implied by `needs_handler`.
  reach: notCompared,
  approval: compareApproval,
  limits: compareLimits,
  idempotency: otherwise("idempotency-changed"),
  concurrency: eitherWay(
    "serial-added",
    "serial-dropped",
    (more) => `calls ${more} run one at a time`,
  ),
  state: eitherWay("pause-declared", "pause-dropped", (more) => `the tool ${more} begins paused`),
  display_name: otherwise("description"),
  group: otherwise("description"),
  models: compareNarrowing("model-added", "model-removed"),
};

/**
 * Compares two objects key by key. An absent key equals an empty value, because catalogs of an
 * earlier skillc have fewer keys.
 */
export function compareFields(
  old: JsonObject,
  now: JsonObject,
  fields: Fields,
  within = "",
): readonly Difference[] {
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].toSorted();
  return names.flatMap((name) => {
    const [before, after] = [getOwn(old, name), getOwn(now, name)];
    if (equal(before, after) || (isEmpty(before) && isEmpty(after))) return [];
    if (within === "" && name === "governance")
      return compareFields(
        governanceOf(old, now),
        governanceOf(now, old),
        governanceFields,
        "governance.",
      );
    const all = (getOwn(fields, name) ?? otherwise("unknown-field"))(before, after);
    return all.map((each) => differenceOf(`${within}${name}`, each));
  });
}

/**
 * Returns a tool's governance. If the tool of both sides needs a confirmation, both have an
 * approval, whose catalog entry may be absent.
 */
function governanceOf(tool: JsonObject, other: JsonObject): JsonObject {
  const governance = asObject(tool["governance"]);
  const confirms = [tool, other].every((each) => each["requires_confirmation"] === true);
  return confirms && isEmpty(governance["approval"]) ? { ...governance, approval: {} } : governance;
}

function asObject(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Checks for the several spellings of an empty value. */
function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false || value === "") return true;
  return Array.isArray(value) && value.length === 0;
}

function otherwise(rule: ChangeRuleName): CompareField {
  return (old, now) => [fieldDifference(rule, inPlaceOf(old, now))];
}

/**
 * Compares a value that is either set or unset.
 *
 * @param what describes the change; `more` is `now` or `no longer`
 */
function eitherWay(
  set: ChangeRuleName,
  unset: ChangeRuleName,
  what: (more: string) => string,
): CompareField {
  return (_, now) =>
    isEmpty(now)
      ? [fieldDifference(unset, what("no longer"))]
      : [fieldDifference(set, what("now"))];
}

/** Quotes the new text for models, so that reviewers can read it. */
function saysNow(value: JsonValue | undefined): string {
  const text = printable(typeof value === "string" ? value : "").replaceAll("`", "'");
  const cut = text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text;
  return cut === "" ? "is now empty" : `is now \`${cut}\``;
}

const longestText = 300;
const longest = 60;

function inPlaceOf(old: JsonValue | undefined, now: JsonValue | undefined): string {
  const words = (value: JsonValue | undefined) => {
    if (isEmpty(value) && value !== false) return "nothing";
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return quote(text.length > longest ? `${text.slice(0, longest - 1)}…` : text);
  };
  return `is now ${words(now)}, and was ${words(old)}`;
}

/** Compares the ways back. A tool without one is like a tool with the strategy `none`. */
function compareRollbacks(
  old: JsonValue | undefined,
  now: JsonValue | undefined,
): readonly FieldDifference[] {
  const [undid, undoes] = [old, now].map((each) => {
    const { strategy = "none" } = asObject(each);
    return strategy !== "none";
  });
  const rule = undid
    ? undoes
      ? "rollback-changed"
      : "rollback-lost"
    : undoes
      ? "rollback-gained"
      : "rollback-reason";
  return [fieldDifference(rule, inPlaceOf(old, now))];
}

/** Compares approvals. An approval without a condition applies to every call. */
function compareApproval(
  old: JsonValue | undefined,
  now: JsonValue | undefined,
): readonly FieldDifference[] {
  if (isEmpty(now)) return [fieldDifference("approval-dropped", "calls no longer need approval")];
  if (isEmpty(old))
    return [fieldDifference("approval-stricter", `calls now need approval${conditionOf(now)}`)];
  const { by: byBefore, when: whenBefore, ...before } = asObject(old);
  const { by, when, ...after } = asObject(now);
  return [
    ...(equal(whenBefore, when)
      ? []
      : [
          fieldDifference(
            "approval-stricter",
            `the condition of the approval changed${conditionOf(now)}`,
          ),
        ]),
    ...compareApprovers(byBefore, by),
    ...(equal(before, after)
      ? []
      : [fieldDifference("approval-time", "an approval is valid for another time")]),
  ];
}

function compareApprovers(
  old: JsonValue | undefined,
  now: JsonValue | undefined,
): readonly FieldDifference[] {
  if (equal(old, now)) return [];
  return now === "person"
    ? [fieldDifference("approval-by-person", "the caller may approve the call in person")]
    : [fieldDifference("approval-by-other", "only somebody other than the caller may approve")];
}

function conditionOf(approval: JsonValue | undefined): string {
  const when = asObject(approval)["when"];
  return typeof when === "string" ? `: ${quote(when)}` : ": every call";
}

/**
 * Compares each limit separately. A missing limit means unlimited. For a cost, more is stricter.
 */
function compareLimits(
  old: JsonValue | undefined,
  now: JsonValue | undefined,
): readonly FieldDifference[] {
  const [before, after] = [asObject(old), asObject(now)];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  return names.flatMap((name) => {
    const [was, is] = [getOwn(before, name), getOwn(after, name)];
    if (equal(was, is)) return [];
    const isCost = name === "cost";
    const [one, other] = [was, is].map((each) => sizeOf(each, isCost ? 1 : Infinity));
    // A value that is not a number can't be compared.
    const isHigher = one !== undefined && other !== undefined && other > one;
    const isEasier = isCost ? one !== undefined && other !== undefined && other < one : isHigher;
    return [
      fieldDifference(isEasier ? "limit-higher" : "limit-lower", inPlaceOf(was, is), `/${name}`),
    ];
  });
}

function sizeOf(value: JsonValue | undefined, otherwiseIs: number): number | undefined {
  if (value === undefined || value === null) return otherwiseIs;
  return typeof value === "number" ? value : undefined;
}
