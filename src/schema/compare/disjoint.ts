/**
 * Decides if two schemas have no common value, from the normal form that `compare.ts` uses. A
 * positive result is certain. If nothing is certain, two schemas are assumed to have common values.
 */
import type { JsonObject, JsonSchema } from "../../core/json.js";
import { looksOf, shortestOf } from "../formats.js";
import { madeTextOf } from "../made-text.js";
import { haveCommonText } from "../pattern/common-text.js";
import { asSchema, schemaMapUnder, schemasUnder, schemaUnder, textsUnder } from "../schema-tree.js";
import { accepts } from "./values.js";
import {
  bothKeywords,
  bothSchemas,
  branchesOf,
  isClosed,
  listedIn,
  propertySchema,
  statedType,
  typeOf,
  conjunctsOf,
} from "./normal-form.js";
import { type Branch, type Source, sourceOf, spend } from "./source.js";

/** Checks if every value of a branch belongs to a schema of the other document. */
export interface Inclusion {
  readonly givenInWanted: (given: JsonSchema, wanted: JsonSchema) => boolean;
  readonly wantedInGiven: (wanted: JsonSchema, given: JsonSchema) => boolean;
}

/** Checks if a schema of one document has no common value with a schema of the other. */
export type Disjoint = (given: JsonSchema, wanted: JsonSchema) => boolean;

export function disjointness(given: Source, wanted: Source, inclusion: Inclusion): Disjoint {
  const pairs = new Pairs(given, wanted, inclusion);
  return (one, other) => pairs.areDisjoint(one, other);
}

class Pairs {
  readonly #given: Source;
  readonly #wanted: Source;
  readonly #inclusion: Inclusion;
  readonly #known = new Map<JsonObject, Map<JsonObject, boolean>>();

  constructor(given: Source, wanted: Source, inclusion: Inclusion) {
    this.#given = given;
    this.#wanted = wanted;
    this.#inclusion = inclusion;
  }

  areDisjoint(one: JsonSchema, other: JsonSchema): boolean {
    if (one === false || other === false) return true;
    if (one === true) return other === true ? false : this.areDisjoint({}, other);
    if (other === true) return this.areDisjoint(one, {});
    const row = this.#known.get(one) ?? new Map<JsonObject, boolean>();
    const before = row.get(other);
    if (before !== undefined) return before;
    // A result in progress counts as not certain.
    this.#known.set(one, row.set(other, false));
    const own = branchesOf(one, this.#given);
    const others = branchesOf(other, this.#wanted);
    const result =
      own !== undefined &&
      others !== undefined &&
      own.every((a) => others.every((b) => this.#areApart(asObject(a), asObject(b))));
    row.set(other, result);
    return result;
  }

  #areApart(a: JsonObject, b: JsonObject): boolean {
    spend(this.#given, 10);
    const [own, other] = [statedType(a), statedType(b)];
    const isNumber = [own, other].every((each) => each === "integer" || each === "number");
    if (own !== undefined && other !== undefined && own !== other && !isNumber) return true;
    return (
      isListedApart(a, b, this.#wanted) ||
      isListedApart(b, a, this.#given) ||
      this.#isDenied(a, b) ||
      this.#isConditional(a, b) ||
      this.#arePartsApart(own ?? other, a, b)
    );
  }

  /** Checks if one schema excludes every value of the other. */
  #isDenied(a: JsonObject, b: JsonObject): boolean {
    const { givenInWanted, wantedInGiven } = this.#inclusion;
    return (
      conjunctsOf(b).some(({ not }) => not !== undefined && givenInWanted(a, asSchema(not))) ||
      conjunctsOf(a).some(({ not }) => not !== undefined && wantedInGiven(b, asSchema(not)))
    );
  }

  #isConditional(a: JsonObject, b: JsonObject): boolean {
    const ofWanted = conjunctsOf(b).some((part) =>
      waysOf(part, this.#wanted)?.every((way) => this.areDisjoint(a, way)),
    );
    const ofGiven = () =>
      conjunctsOf(a).some((part) =>
        waysOf(part, this.#given)?.every((way) => this.areDisjoint(way, b)),
      );
    return ofWanted || ofGiven();
  }

  #arePartsApart(type: string | undefined, a: JsonObject, b: JsonObject): boolean {
    switch (type) {
      case "string":
        return areScalarsApart({ ...a, type }, { ...b, type });
      case "integer":
      case "number":
        return areScalarsApart({ type, ...a }, { type, ...b });
      case "array":
        return this.#areListsApart(a, b);
      case "object":
        return this.#areObjectsApart(a, b);
      default:
        return false;
    }
  }

  #areListsApart(a: JsonObject, b: JsonObject): boolean {
    const least = Math.max(leastItems(a), leastItems(b));
    if (least > Math.min(maxItems(a), maxItems(b))) return true;
    const positions = Math.min(least, Math.max(prefixOf(a).length, prefixOf(b).length) + 1);
    return Array.from({ length: positions }, (_, at) => at).some((at) =>
      this.areDisjoint(itemSchema(a, at), itemSchema(b, at)),
    );
  }

  #areObjectsApart(a: JsonObject, b: JsonObject): boolean {
    const names = new Set([...textsUnder(a, "required"), ...textsUnder(b, "required")]);
    const most = Math.min(maxProperties(a), maxProperties(b));
    if (names.size > most || Math.max(countOf(a), countOf(b)) > most) return true;
    return [...names].some((name) => {
      const one = propertySchema(a, name, this.#given);
      const other = propertySchema(b, name, this.#wanted);
      if (isNoName(name, a, this.#given) || isNoName(name, b, this.#wanted)) return true;
      return this.areDisjoint(one, other);
    });
  }
}

function asObject(branch: Branch): JsonObject {
  return branch === true ? {} : branch;
}

/**
 * Checks if a branch lists its values and `other` accepts none of them. `source` is the document of
 * `other`.
 */
function isListedApart(listing: JsonObject, other: JsonObject, source: Source): boolean {
  const values = listedIn(listing);
  return values !== undefined && values.every((value) => !accepts(other, value, source));
}

/**
 * The schemas that `if` leads to: `if` and `then` together, or `else`; undefined if there is no
 * `else` to restrict.
 */
function waysOf(part: JsonObject, source: Source): readonly JsonSchema[] | undefined {
  const otherwise = schemaUnder(part, "else");
  if (part["if"] === undefined || otherwise === undefined || otherwise === true) return undefined;
  return [bothSchemas(asSchema(part["if"]), asSchema(part["then"]), source), otherwise];
}

function numberUnder(schema: JsonObject, keyword: string, otherwise: number): number {
  const value = schema[keyword];
  return typeof value === "number" ? value : otherwise;
}

function prefixOf(list: JsonObject): readonly JsonSchema[] {
  return schemasUnder(list, "prefixItems");
}

function itemSchema(list: JsonObject, at: number): JsonSchema {
  return prefixOf(list)[at] ?? asSchema(list["items"]);
}

function leastItems(list: JsonObject): number {
  return numberUnder(list, "minItems", 0);
}

function maxItems(list: JsonObject): number {
  const most = numberUnder(list, "maxItems", Infinity);
  return list["items"] === false ? Math.min(most, prefixOf(list).length) : most;
}

function countOf(object: JsonObject): number {
  return numberUnder(object, "minProperties", 0);
}

function maxProperties(object: JsonObject): number {
  const most = numberUnder(object, "maxProperties", Infinity);
  if (!isClosed(object)) return most;
  return Math.min(most, schemaMapUnder(object, "properties").length);
}

function isNoName(name: string, object: JsonObject, source: Source): boolean {
  const names = schemaUnder(object, "propertyNames");
  return names !== undefined && !accepts(names, name, source);
}

/**
 * Checks if no text, or no number, belongs to both branches. False if one branch is empty by
 * itself.
 */
export function areScalarsApart(one: JsonObject, other: JsonObject): boolean {
  const isIntegral = [one, other].some((each) => each["type"] === "integer");
  const both = {
    ...bothKeywords(scalarPart(one), scalarPart(other), sourceOf(true)),
    ...(isIntegral && { type: "integer" }),
  };
  return noScalar(both) !== undefined && [one, other].every((each) => noScalar(each) === undefined);
}

const ofParts = new Set(
  "properties patternProperties additionalProperties prefixItems items".split(" "),
);

/** Removes the keywords about items and properties. */
function scalarPart(branch: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(branch).filter(([keyword]) => !ofParts.has(keyword)));
}

/**
 * Reason why no text or number fits a branch without listed values, and the keyword to blame;
 * undefined if one fits, or may fit.
 */
export function noScalar(
  branch: JsonObject,
): readonly [keyword: string, problem: string] | undefined {
  switch (typeOf(branch)) {
    case "string":
      return noText(branch);
    case "integer":
    case "number":
      return noNumber(branch);
    default:
      return undefined;
  }
}

/** The least or the greatest number that a schema allows. */
export interface Bound {
  readonly at: number;
  /** True if the bound itself is excluded. */
  readonly isOpen: boolean;
  readonly keyword: string;
}

/**
 * The tighter of the two keywords. For integers, an exclusive bound becomes the next inclusive one.
 */
export function boundOf(schema: JsonObject, side: 1 | -1): Bound | undefined {
  const [closedName, openName] =
    side === 1
      ? (["maximum", "exclusiveMaximum"] as const)
      : (["minimum", "exclusiveMinimum"] as const);
  const [closed, open] = [schema[closedName], schema[openName]];
  const bounds: Bound[] = [];
  if (typeof closed === "number") bounds.push({ at: closed, isOpen: false, keyword: closedName });
  if (typeof open === "number")
    bounds.push({ ...inward(open, side, schema["type"] === "integer"), keyword: openName });
  return bounds.toSorted((a, b) => side * (a.at - b.at) || Number(b.isOpen) - Number(a.isOpen))[0];
}

function inward(open: number, side: 1 | -1, isInteger: boolean): Omit<Bound, "keyword"> {
  if (!isInteger) return { at: open, isOpen: true };
  return { at: side === 1 ? Math.ceil(open) - 1 : Math.floor(open) + 1, isOpen: false };
}

/**
 * Reason why no number lies between the bounds of a form, and the keyword to blame; undefined if
 * one does, or may.
 */
function noNumber(form: JsonObject): readonly [keyword: string, problem: string] | undefined {
  const [low, high] = [boundOf(form, -1), boundOf(form, 1)];
  if (low === undefined || high === undefined) return undefined;
  const range = `between ${boundText(low, form)} and ${boundText(high, form)}`;
  if (low.at > high.at || (low.at === high.at && (low.isOpen || high.isOpen)))
    return [
      low.keyword,
      `there is no ${form["type"] === "integer" ? "integer" : "number"} ${range}`,
    ];
  const { multipleOf: step, type } = form;
  if (type === "integer" && Math.ceil(low.at) > Math.floor(high.at))
    return [low.keyword, `there is no integer ${range}`];
  if (typeof step !== "number" || (type === "integer" && !Number.isInteger(step))) return undefined;
  return hasMultiple(step, low, high)
    ? undefined
    : ["multipleOf", `there is no multiple of ${step} ${range}`];
}

function boundText({ keyword }: Bound, form: JsonObject): string {
  return `\`${keyword}\` (${String(form[keyword])})`;
}

/** Checks if a multiple near the lower bound lies in the range, within the rounding error. */
function hasMultiple(step: number, low: Bound, high: Bound): boolean {
  if (high.at - low.at > step) return true;
  const first = Math.floor(low.at / step);
  if (!Number.isSafeInteger(first)) return true;
  return [first - 1, first, first + 1, first + 2].some((times) => {
    const multiple = times * step;
    const near = Math.abs(multiple) * 1e-9;
    return (
      multiple >= low.at - near &&
      multiple <= high.at + near &&
      !(low.isOpen && multiple === low.at) &&
      !(high.isOpen && multiple === high.at)
    );
  });
}

/** Longer texts are not counted character by character. */
const longestCounted = 100;

/** Reason why no text fits a form, and the keyword to blame; undefined if one fits, or may fit. */
function noText(form: JsonObject): readonly [keyword: string, problem: string] | undefined {
  const { maxLength: most, minLength: least } = form;
  if (typeof least === "number" && typeof most === "number" && least > most)
    return ["minLength", `\`minLength\` (${least}) is more than \`maxLength\` (${most})`];
  const patterns = conjunctsOf(form).flatMap(patternsIn);
  for (const [index, [keyword, pattern]] of patterns.entries()) {
    const other = patterns.slice(0, index).find(([, each]) => !haveCommonText(each, pattern));
    if (other === undefined) continue;
    return [keyword, `no text fits both \`${other[0]}\` and \`${keyword}\``];
  }
  const { format } = form;
  return typeof most === "number" && shortestOf(format) > most
    ? ["maxLength", `every text of \`format\` is longer than \`maxLength\` (${most})`]
    : undefined;
}

type KeywordPattern = readonly [keyword: string, pattern: string];

/** Patterns that all texts of a form match, each with the keyword that it is made of. */
function patternsIn(form: JsonObject): readonly KeywordPattern[] {
  const { format, maxLength: most, pattern } = form;
  const looks = typeof format === "string" ? looksOf(format) : undefined;
  const made = madeTextOf(form);
  return [
    ...(made === undefined ? [] : [["text", made] as const]),
    ...(typeof pattern === "string" ? [["pattern", pattern] as const] : []),
    ...(looks === undefined ? [] : [["format", looks] as const]),
    ...(typeof most === "number" && most <= longestCounted
      ? [["maxLength", `^[^]{0,${most}}$`] as const]
      : []),
  ];
}
