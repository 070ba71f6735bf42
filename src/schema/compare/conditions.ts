/** Compares conditions on a whole value: negations, `if`, counts, property names. */
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../../core/json.js";
import { quote } from "../../core/names.js";
import { equal } from "@skillc/runtime/internal/equal";
import { asSchema, schemaMapUnder, schemasUnder, schemaUnder, textsUnder } from "../schema-tree.js";
import { multipleMismatch, refused } from "./compare-scalars.js";
import type { Comparing, Mismatch } from "./mismatch.js";
import {
  concerns,
  conditionIn,
  conditions,
  excludedBy,
  isClosed,
  mayHave,
  standsAlone,
  statedType,
  conjunctsOf,
} from "./normal-form.js";
import { isSameSchema } from "./same-schema.js";
import { accepts, fewValues } from "./values.js";

/**
 * Compares the wanted conditions that the given schema neither states itself nor provably
 * satisfies.
 */
export function compareConditions(
  given: JsonObject,
  wanted: JsonObject,
  at: Comparing,
): readonly Mismatch[] {
  const type = statedType(given);
  const ofParts = conjunctsOf(wanted).flatMap((part) => {
    if (isCompared(part, wanted)) return compareBeside(given, part, at);
    return conditions
      .map(([keyword = ""]) => keyword)
      .filter((keyword) => part[keyword] !== undefined && concerns(keyword, type))
      .filter((keyword) => !standsAlone(keyword) || !isStated(keyword, given, part, at))
      .flatMap((keyword) => compareCondition(keyword, given, part, at));
  });
  return [...ofParts, ...compareExcluded(given, wanted, at)];
}

/**
 * Checks that a value of one `oneOf` form belongs to no other form. If the forms are not provably
 * disjoint, the check trusts the author.
 */
export function compareExcluded(
  given: JsonObject,
  wanted: JsonObject,
  { disjoint }: Comparing,
): readonly Mismatch[] {
  const isOpen = excludedBy(wanted).some((other) => !disjoint(given, other));
  return isOpen
    ? [{ ...refused({ fitsSeveral: true, keyword: "oneOf" }), fits: "unsure", promised: true }]
    : [];
}

/**
 * Compares a form together with its conjuncts. One fitting conjunct is enough, because it excludes
 * the values that don't fit.
 */
function compareBeside(given: JsonObject, wanted: JsonObject, at: Comparing): readonly Mismatch[] {
  const own = conjunctsOf(given).filter((each) => isCompared(each, given));
  if (own.some((each) => at.compare(each, wanted).length === 0)) return [];
  const found = at.compare(given, wanted);
  return own.length === 0 ? found : found.map((each) => ({ ...each, fits: "unsure" }));
}

/**
 * Keywords of conjuncts that are compared like any schema: those for all properties and for texts.
 */
const compared = ["additionalProperties", "format", "pattern"];

function isCompared(part: JsonObject, whole: JsonObject): boolean {
  return part !== whole && compared.some((keyword) => part[keyword] !== undefined);
}

function isStated(keyword: string, given: JsonObject, wanted: JsonObject, at: Comparing): boolean {
  const condition = { schema: conditionIn(wanted, keyword), root: at.wanted.root };
  return conjunctsOf(given).some((each) =>
    isSameSchema({ schema: conditionIn(each, keyword), root: at.given.root }, condition),
  );
}

function compareCondition(
  keyword: string,
  given: JsonObject,
  wanted: JsonObject,
  at: Comparing,
): readonly Mismatch[] {
  const named = byNames[keyword]?.(given, wanted, at);
  if (named !== undefined) return named;
  const condition = conditionIn(wanted, keyword);
  const values = fewValues(given, at.given);
  if (values === undefined) return checks[keyword]?.(given, wanted, at) ?? [];
  return values.every((value) => accepts(condition, value, at.wanted))
    ? []
    : [refused({ keyword, fitsSeveral: false })];
}

const atIt = { path: [], kind: "value", wanted: "requires it" } as const;

/**
 * Checks that make their own messages. They run before single values are checked. If a check
 * returns undefined, the other checks decide.
 */
const byNames: {
  readonly [keyword: string]: (...args: Parameters<Check>) => ReturnType<Check> | undefined;
} = {
  not: compareExclusive,
  propertyNames: compareNames,
  unevaluatedProperties: evaluatedElsewhere("unevaluatedProperties"),
  unevaluatedItems: evaluatedElsewhere("unevaluatedItems"),
};

type Check = (given: JsonObject, wanted: JsonObject, at: Comparing) => readonly Mismatch[];

/** Result of a condition; `promised` if it relies on the author's statement. */
type Conformance = "yes" | "promised" | "no";

function conformanceOf(found: readonly Mismatch[]): Conformance {
  if (found.length === 0) return "yes";
  return found.every(({ promised }) => promised) ? "promised" : "no";
}

function all(kept: readonly Conformance[]): Conformance {
  if (kept.includes("no")) return "no";
  return kept.includes("promised") ? "promised" : "yes";
}

const checks: { readonly [keyword: string]: Check } = {
  not: unless("not", (given, { not }, { disjoint }) => disjoint(given, asSchema(not))),
  if: compareIf,
  multipleOf: (given, wanted) => {
    const mismatch = multipleMismatch(given, wanted);
    return mismatch === undefined ? [] : [{ ...mismatch, path: [], kind: "value" }];
  },
  uniqueItems: unless("uniqueItems", ({ maxItems }, { uniqueItems }) => {
    return uniqueItems === false || (typeof maxItems === "number" && maxItems < 2);
  }),
  contains: unless("contains", holdsContained),
  minProperties: unless("minProperties", (given, wanted) => holdsCount(given, wanted).least),
  maxProperties: unless("maxProperties", (given, wanted) => holdsCount(given, wanted).most),
  patternProperties: unless("patternProperties", isClosed),
  dependentRequired: unless("dependentRequired", keepsRequired),
  dependentSchemas: unless("dependentSchemas", keepsSchemas),
};

function unless(
  keyword: string,
  keeps: (given: JsonObject, wanted: JsonObject, at: Comparing) => boolean | Conformance,
): Check {
  return (given, wanted, at) => {
    const kept = keeps(given, wanted, at);
    return unlessConforming(typeof kept === "string" ? kept : kept ? "yes" : "no", keyword, wanted);
  };
}

function unlessConforming(
  kept: Conformance,
  keyword: string,
  wanted: JsonObject,
): readonly Mismatch[] {
  if (kept === "yes") return [];
  return [{ ...unsure(keyword, wanted), ...(kept === "promised" && { promised: true }) }];
}

/** Maximum length of a condition that a message repeats. */
const longestCondition = 100;

function unsure(keyword: string, wanted: JsonObject): Mismatch {
  const state = conditionIn(wanted, keyword);
  const text = JSON.stringify(state);
  const isShort = text.length <= longestCondition && !text.includes('"$ref"');
  return {
    ...atIt,
    fits: "unsure",
    given: `might not satisfy \`${keyword}\``,
    ...(isShort ? { state } : { help: `state the same \`${keyword}\` there` }),
  };
}

/** Rejects any difference, because the excluded values depend on all keywords beside it. */
function evaluatedElsewhere(keyword: string): Check {
  const help = "declare the same schema there, word for word";
  return () => [{ ...atIt, fits: "unsure", given: `might not satisfy \`${keyword}\``, help }];
}

/** Looks for one certain item that matches `contains`. */
function holdsContained(
  given: JsonObject,
  wanted: JsonObject,
  { compare }: Comparing,
): Conformance {
  const { maxContains, minContains = 1 } = wanted;
  const certain = typeof given["minItems"] === "number" ? given["minItems"] : 0;
  if (maxContains !== undefined || typeof minContains !== "number" || minContains > 1) return "no";
  const items = schemasUnder(given, "prefixItems").slice(0, certain);
  const found = new Set(
    items.map((each) => conformanceOf(compare(each, asSchema(wanted["contains"])))),
  );
  if (found.has("yes")) return "yes";
  return found.has("promised") ? "promised" : "no";
}

/** Compares `if`: if the result of the condition is known, only that branch is wanted. */
function compareIf(given: JsonObject, wanted: JsonObject, at: Comparing): readonly Mismatch[] {
  const [condition = true, then = true, otherwise = true] = ["if", "then", "else"].map((each) =>
    asSchema(wanted[each]),
  );
  const kept = (schema: JsonSchema) => conformanceOf(at.compare(given, schema));
  // `then` then always applies, and the normal form contains it already.
  if (otherwise === false)
    return unlessConforming(conformanceIfAlone(condition, kept), "if", wanted);
  if (at.disjoint(given, condition)) return at.compare(given, otherwise);
  const holds = kept(condition);
  if (holds === "yes") return at.compare(given, then);
  const either = all([kept(then), kept(otherwise)]);
  if (either === "yes") return [];
  if (holds === "no") return unlessConforming(either, "if", wanted);
  const found = at.compare(given, then);
  return found.length > 0 ? found : unlessConforming("promised", "if", wanted);
}

/**
 * Result for a condition that may hold. An unproved double negation counts as promised, because
 * skillc writes one only to mark a promise of an author.
 */
function conformanceIfAlone(
  condition: JsonSchema,
  kept: (schema: JsonSchema) => Conformance,
): Conformance {
  const denied = isJsonObject(condition) ? schemaUnder(condition, "not") : undefined;
  const inner = isJsonObject(denied) ? schemaUnder(denied, "not") : undefined;
  if (inner === undefined) return kept(condition);
  return kept(inner) === "yes" ? "yes" : "promised";
}

/** Checks if objects always have a number of properties within the wanted limits. */
function holdsCount(given: JsonObject, { maxProperties, minProperties }: JsonObject) {
  const required = textsUnder(given, "required").length;
  const declared = schemaMapUnder(given, "properties").length;
  const least = Math.max(required, numberOr(given["minProperties"], 0));
  const most = Math.min(
    isClosed(given) ? declared : Infinity,
    numberOr(given["maxProperties"], Infinity),
  );
  return {
    least: least >= numberOr(minProperties, 0),
    most: most <= numberOr(maxProperties, Infinity),
  };
}

function numberOr(value: JsonValue | undefined, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

/** Checks if each property comes together with the properties that it requires. */
function keepsRequired(given: JsonObject, wanted: JsonObject, at: Comparing): boolean {
  const { dependentRequired } = wanted;
  if (!isJsonObject(dependentRequired)) return true;
  const required = textsUnder(given, "required");
  return Object.keys(dependentRequired).every((name) => {
    const names = textsUnder(dependentRequired, name);
    return !mayHave(given, name, at.given) || names.every((each) => required.includes(each));
  });
}

/** Checks if objects with a property match the schema that depends on the property. */
function keepsSchemas(given: JsonObject, wanted: JsonObject, at: Comparing): Conformance {
  const asked = schemaMapUnder(wanted, "dependentSchemas").filter(([name]) =>
    mayHave(given, name, at.given),
  );
  return all(asked.map(([, schema]) => conformanceOf(at.compare(given, schema))));
}

/** Finds names of properties that the wanted schema rejects, or may reject. */
function compareNames(given: JsonObject, wanted: JsonObject, at: Comparing): readonly Mismatch[] {
  const [own, names] = [given, wanted].map((each) => asSchema(each["propertyNames"]));
  const declared = schemaMapUnder(given, "properties").map(([name]) => name);
  const refused = declared.find(
    (name) =>
      !accepts(names ?? true, name, at.wanted) &&
      mayHave(given, name, at.given) &&
      accepts(own ?? true, name, at.given),
  );
  if (refused !== undefined) {
    const isThere = textsUnder(given, "required").includes(refused);
    return [
      mismatch(isThere ? "no" : "some", `has the property ${quote(refused)}`, "rejects that name"),
    ];
  }
  if (isClosed(given)) return [];
  const [all, others] = [own, names].map((each) => ({
    allOf: [{ type: "string" }, each ?? true],
  }));
  const found = at.compare(all ?? true, others ?? true);
  const [first] = found;
  if (first === undefined) return [];
  const may = mismatch(
    "unsure",
    "may have properties with other names",
    "allows only certain names",
  );
  return [
    {
      ...may,
      ...(first.state && { state: { propertyNames: first.state } }),
      ...(conformanceOf(found) === "promised" && { promised: true }),
    },
  ];
}

function mismatch(fits: Mismatch["fits"], given: string, wanted: string): Mismatch {
  return { path: [], kind: "value", fits, given, wanted };
}

/**
 * Compares exclusive properties: at most one may be present, and the given schema always has two.
 * Undefined for any other negation.
 */
function compareExclusive(
  given: JsonObject,
  wanted: JsonObject,
  at: Comparing,
): readonly Mismatch[] | undefined {
  const groups = exclusiveNames(wanted);
  if (groups.length === 0) return undefined;
  return groups.flatMap((group) => mismatchOfGroup(group, given, at) ?? []);
}

/**
 * Compares one group. If the properties are optional, the check trusts the author that at most one
 * is present.
 */
function mismatchOfGroup(
  { names, title }: ExclusiveNames,
  given: JsonObject,
  at: Comparing,
): Mismatch | undefined {
  const certain = new Set(textsUnder(given, "required"));
  const [first, second] = [...certain].filter((name) => names.includes(name));
  if (first === undefined || second === undefined) {
    const [one, other] = names.filter((name) => mayHave(given, name, at.given));
    if (one === undefined || other === undefined) return undefined;
    const may = `may have ${quote(one)} and ${quote(other)}`;
    const wanted =
      title === "" ? "allows at most one of them" : `allows at most one field of ${quote(title)}`;
    return { path: [], kind: "value", fits: "unsure", promised: true, given: may, wanted };
  }
  return {
    path: [second],
    kind: "exclusive",
    fits: "no",
    given: `always has ${quote(first)} and ${quote(second)}`,
    wanted:
      title === "" ? "at most one of them is allowed" : `${quote(title)} allows at most one field`,
    beside: first,
  };
}

/** A group of properties of which an object may have at most one. */
export interface ExclusiveNames {
  /** Title of the group; empty if the schema has none. */
  readonly title: string;
  readonly names: readonly string[];
}

/**
 * Writes the groups as keywords that can be merged into a schema. The double negation keeps them
 * out of generated types.
 */
export function oneOfEach(groups: readonly ExclusiveNames[]): JsonObject {
  const denied = groups.map(({ names, title }) => ({ title, not: oneAtMost(names) }));
  const [first, ...others] = denied;
  if (first === undefined) return {};
  return { not: others.length === 0 ? first : { anyOf: denied } };
}

function oneAtMost(names: readonly string[]): JsonObject {
  const each = names.map((name) => ({ required: [name] }));
  return { oneOf: [...each, { not: { anyOf: each } }] };
}

/** The groups of a schema, if its negation contains nothing else. */
function exclusiveNames(schema: JsonObject): readonly ExclusiveNames[] {
  const refused = schemaUnder(schema, "not");
  if (!isJsonObject(refused)) return [];
  const denied = refused["anyOf"] === undefined ? [refused] : schemasUnder(refused, "anyOf");
  const groups = denied.flatMap((each) => groupIn(each) ?? []);
  return groups.length === denied.length ? groups : [];
}

function groupIn(denied: JsonSchema): ExclusiveNames | undefined {
  const allowed = isJsonObject(denied) ? schemaUnder(denied, "not") : undefined;
  if (!isJsonObject(denied) || !isJsonObject(allowed)) return undefined;
  const names = schemasUnder(allowed, "oneOf").flatMap((each) =>
    isJsonObject(each) ? textsUnder(each, "required") : [],
  );
  const { title } = denied;
  return names.length > 0 && equal(allowed, oneAtMost(names))
    ? { title: typeof title === "string" ? title : "", names }
    : undefined;
}
