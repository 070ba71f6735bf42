/**
 * Brings schemas into the normal form for comparisons: the branches of a value, each with its
 * keywords in one place. It splits `anyOf` and `oneOf`, follows `$ref`, and combines `allOf`.
 */
import {
  getOwn,
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  setOwn,
} from "../../core/json.js";
import { equal, sharedText } from "@skillc/runtime/internal/equal";
import { isChecked, isOfFormat } from "../formats.js";
import type { JsonType } from "../keywords.js";
import { patternTest } from "../pattern/matcher.js";
import {
  asSchema,
  childrenOf,
  schemaMapUnder,
  schemasUnder,
  schemaUnder,
  targetOf,
  textsUnder,
} from "../schema-tree.js";
import { type Branch, inSteps, type Source, sourceOf, spend } from "./source.js";

/** Maximum depth of chains of references and nested unions. */
const deepest = 32;

/** Maximum branches of one union, and of several unions of the same value together. */
const maxOfUnion = 20_000;
const maxTogether = 1000;

/**
 * The branches of a schema, each with at most one `type`. Conditions and negations are left
 * unchanged, so a single branch may allow more than the schema. Undefined if there are too many.
 * The same schema always gives the same array.
 */
export function branchesOf(schema: JsonSchema, source: Source): readonly Branch[] | undefined {
  if (!isJsonObject(schema)) return schema ? [true] : [];
  const { branches } = source;
  if (!branches.has(schema)) branches.set(schema, branchesIn(schema, source, 0));
  return branches.get(schema);
}

function branchesIn(
  schema: JsonSchema,
  source: Source,
  depth: number,
): readonly Branch[] | undefined {
  if (!isJsonObject(schema)) return schema ? [true] : [];
  if (depth > deepest) return undefined;
  const { $ref, allOf: _all, anyOf: _any, oneOf: _one, ...own } = schema;
  const { unevaluatedItems: _items, unevaluatedProperties: _properties, ...evaluating } = own;
  const certain = [
    ...(typeof $ref === "string" ? [targetOf(source.root, $ref).schema] : []),
    ...certainlyThen(schema),
    ...schemasUnder(schema, "allOf"),
  ];
  const unions = [
    ...certain.map((each) => branchesIn(each, source, depth + 1)),
    ...unionBranches(schemasUnder(schema, "anyOf"), source, depth),
    ...unionBranches(schemasUnder(schema, "oneOf"), source, depth, excluding),
  ];
  let all: readonly Branch[] = byType(evaluating);
  for (const union of unions) {
    if (union === undefined) return undefined;
    const isProduct = all.length > 1 && union.length > 1;
    if (isProduct && all.length * union.length > maxOfUnion) return undefined;
    all = all.flatMap((one) => union.flatMap((other) => both(one, other, source)));
    if (isProduct && all.length > maxTogether) return undefined;
  }
  return withRest(withoutDenied(all, schema), schema, source);
}

/** Removes the branches that `not` excludes: all, or those of a type. */
function withoutDenied(branches: readonly Branch[], { not }: JsonObject): readonly Branch[] {
  if (not === true) return [];
  if (!isJsonObject(not)) return branches;
  const [first, ...others] = Object.keys(not);
  if (first === undefined) return [];
  if (first !== "type" || others.length > 0) return branches;
  return branches.filter((branch) => {
    const type = statedType(branch);
    return type === undefined || !isTypeAmong(type, not["type"]);
  });
}

/** The branches of a union's schemas, each mapped by `change`; empty if there is no union. */
function unionBranches(
  union: readonly JsonSchema[],
  source: Source,
  depth: number,
  change: (branch: Branch, union: readonly JsonSchema[], index: number) => Branch = (each) => each,
): readonly (readonly Branch[] | undefined)[] {
  if (union.length === 0) return [];
  const all: Branch[] = [];
  for (const [index, schema] of union.entries()) {
    const branches = branchesIn(schema, source, depth + 1);
    if (branches === undefined || all.length + branches.length > maxOfUnion) return [undefined];
    all.push(...branches.map((each) => change(each, union, index)));
  }
  return [all];
}

/** Schemas of `then` that always apply, because `else` is never valid. */
function certainlyThen(schema: JsonObject): readonly JsonSchema[] {
  const then = schemaUnder(schema, "then");
  return schema["else"] === false && schema["if"] !== undefined && then !== undefined ? [then] : [];
}

/**
 * Keyword that skillc adds to a branch of a `oneOf`: the other forms, which must not match. Authors
 * can't write it.
 */
const oneOfKeyword = "x-skillc-one-of";

function excluding(branch: Branch, union: readonly JsonSchema[], index: number): Branch {
  if (union.length < 2) return branch;
  const own = branch === true ? {} : branch;
  return { ...own, [oneOfKeyword]: [...listUnder(own, oneOfKeyword), { union, index }] };
}

/** The schemas that a value of a branch must not match because of `oneOf`. */
export function excludedBy(branch: JsonObject): readonly JsonSchema[] {
  return listUnder(branch, oneOfKeyword)
    .filter(isJsonObject)
    .flatMap((one) => schemasUnder(one, "union").filter((_, index) => index !== one["index"]));
}

function byType(schema: JsonObject): readonly Branch[] {
  if (Object.keys(schema).length === 0) return [true];
  const { type } = schema;
  const values = listedIn(schema);
  if (values !== undefined) return byTypeOfValues(schema, values);
  if (!Array.isArray(type)) return [withFormatKeywords(schema)];
  const types: readonly JsonValue[] = type;
  return types.map((each) => withFormatKeywords({ ...schema, type: each }));
}

/** Splits listed values into one branch per type. */
function byTypeOfValues(schema: JsonObject, values: readonly JsonValue[]): readonly Branch[] {
  const types = [...new Set(values.map(typeOfValue))];
  const { type: stated } = schema;
  return types.map((type) => ({
    ...schema,
    type,
    // The schema may state another type than its values have.
    ...(!isTypeAmong(type, stated) && { allOf: [{ type: stated ?? null }] }),
    ...(schema["const"] === undefined && {
      enum: values.filter((value) => typeOfValue(value) === type),
    }),
  }));
}

function isTypeAmong(type: JsonType, stated: JsonValue | undefined): boolean {
  const types = new Set<JsonValue | undefined>([stated].flat());
  return stated === undefined || types.has(type) || (type === "integer" && types.has("number"));
}

/** Intersection of two branches; empty if no type satisfies both. */
function both(one: Branch, other: Branch, source: Source): readonly Branch[] {
  spend(source, 5);
  if (one === true) return [other];
  if (other === true) return [one];
  const [a, b] = [one["type"], other["type"]];
  const isIntegral = (a === "integer" && b === "number") || (a === "number" && b === "integer");
  if (a !== undefined && b !== undefined && a !== b && !isIntegral) return [];
  const merged = withFormatKeywords({
    ...bothKeywords(one, other, source),
    ...(isIntegral && { type: "integer" }),
  });
  const [left, right] = [listedIn(one), listedIn(other)];
  if (left === undefined || right === undefined) return [merged];
  const { const: _, ...others }: JsonObject = merged;
  const texts = new Set(right.map(sharedText));
  const common = left.filter((value) => texts.has(sharedText(value)));
  return common.length === 0 ? [] : [{ ...others, enum: common }];
}

/** All values of a form that lists them. */
export function listedIn(branch: Branch): readonly JsonValue[] | undefined {
  if (branch === true) return undefined;
  if (branch["const"] !== undefined) return [branch["const"]];
  const { enum: values } = branch;
  return Array.isArray(values) ? values : undefined;
}

/** Type of a branch; undefined if it may be any. */
export function typeOf(branch: Branch): JsonType | undefined {
  if (branch === true) return undefined;
  const { type } = branch;
  // The metaschema allows no other text here.
  if (typeof type === "string") return type as JsonType;
  if (branch["properties"] !== undefined || branch["additionalProperties"] !== undefined)
    return "object";
  return branch["items"] === undefined ? undefined : "array";
}

export function typeOfValue(value: JsonValue): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  // Texts, booleans and objects are the remaining JSON values.
  return typeof value as JsonType;
}

/** Checks if values of one type are also of the other. */
export function isSameType(given: JsonType | undefined, wanted: JsonType | undefined): boolean {
  return wanted === undefined || given === wanted || (given === "integer" && wanted === "number");
}

/** The bounds of `int32`. */
const least = -(2 ** 31);
const most = 2 ** 31 - 1;

/** Adds keywords to a form of numbers that state the limits of its format. */
export function withFormatKeywords(form: JsonObject): JsonObject {
  const { format, maximum, minimum, type } = form;
  if (type !== "integer" && type !== "number") return form;
  if (format === "int64") return { ...form, type: "integer" };
  if (format !== "int32") return form;
  return {
    ...form,
    type: "integer",
    minimum: Math.max(least, numberOr(minimum, least)),
    maximum: Math.min(most, numberOr(maximum, most)),
  };
}

function numberOr(value: JsonValue | undefined, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

/**
 * The keywords that each `unevaluated…` keyword depends on, and their replacement if all evaluated
 * parts are known.
 */
const unevaluated = [
  {
    keyword: "unevaluatedProperties",
    type: "object",
    rest: "additionalProperties",
    // The parts that these keywords evaluate depend on the value.
    unsure: ["anyOf", "if", "dependentSchemas"],
  },
  {
    keyword: "unevaluatedItems",
    type: "array",
    rest: "items",
    unsure: ["anyOf", "if", "dependentSchemas", "contains"],
  },
] as const;

/**
 * Converts the `unevaluated…` keywords of each branch to the keyword for the rest. Keeps the
 * original keyword if the evaluated parts aren't known.
 */
function withRest(
  branches: readonly Branch[],
  schema: JsonObject,
  { root }: Source,
): readonly Branch[] {
  return unevaluated.reduce((all, { keyword, rest, type, unsure }) => {
    const stated = schemaUnder(schema, keyword);
    if (stated === undefined) return all;
    const name = dependsOnValue(schema, root, unsure) ? keyword : rest;
    return all.map((branch) => {
      const own: JsonObject = branch === true ? {} : branch;
      const concerns = own["type"] === undefined || own["type"] === type;
      return concerns && own[rest] === undefined ? { ...own, [name]: stated } : branch;
    });
  }, branches);
}

/** Checks if one of the keywords applies to the same value as the schema. */
function dependsOnValue(
  schema: JsonObject,
  root: JsonSchema,
  keywords: readonly string[],
): boolean {
  const waiting = new Set<JsonSchema>([schema]);
  for (const each of waiting) {
    if (!isJsonObject(each)) continue;
    if (keywords.some((keyword) => each[keyword] !== undefined)) return true;
    for (const child of childrenOf({ schema: each, pointer: "" }, root))
      if (child.inPlace && child.keyword !== "not") waiting.add(child.schema);
  }
  return false;
}

const atLeast = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const atMost = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];

/**
 * Combines the keywords of two schemas: the tighter bounds, all required names, and both schemas of
 * each part. If two conditions can't be combined, the first goes into `allOf`.
 */
export function bothKeywords(one: JsonObject, other: JsonObject, source: Source): JsonObject {
  const required = [...textsUnder(one, "required"), ...textsUnder(other, "required")];
  const others = conditionsBeside(one, other);
  const excluded = [one, other].flatMap((each) => listUnder(each, oneOfKeyword));
  const allOf = [
    ...schemasUnder(one, "allOf"),
    ...schemasUnder(other, "allOf"),
    ...others.map((name) => conditionIn(one, name)),
    ...restBeside(one, other),
    ...restBeside(other, one),
    ...textsBeside(one, other),
  ];
  return {
    ...withoutConditions(one, (name) => one[name] === undefined || others.includes(name)),
    ...withoutConditions(other, (name) => other[name] === undefined),
    ...tighter(one, other, atLeast, Math.max),
    ...tighter(one, other, atMost, Math.min),
    ...(required.length > 0 && { required: [...new Set(required)] }),
    ...bothFormats(one, other),
    ...bothProperties(one, other, source),
    ...bothItems(one, other, source),
    ...(allOf.length > 0 && { allOf }),
    ...(excluded.length > 0 && { [oneOfKeyword]: excluded }),
  };
}

function listUnder(schema: JsonObject, keyword: string): readonly JsonValue[] {
  const value = schema[keyword];
  return Array.isArray(value) ? value : [];
}

/** Keywords that concern properties. */
const ofProperties = ["properties", "patternProperties", "additionalProperties"];

const madeOne = new Set([...atLeast, ...atMost, ...ofProperties]);

/** The main keywords of the conditions that can't be combined. */
function conditionsBeside(one: JsonObject, other: JsonObject): readonly string[] {
  return conditions
    .map(([name = ""]) => name)
    .filter((name) => one[name] !== undefined && other[name] !== undefined && !madeOne.has(name))
    .filter((name) => !equal(conditionIn(one, name), conditionIn(other, name)));
}

/** Removes the conditions whose main keyword is selected, with the keywords that depend on it. */
function withoutConditions(schema: JsonObject, isLeftOut: (first: string) => boolean): JsonObject {
  const names = new Set(conditions.filter(([name = ""]) => isLeftOut(name)).flat());
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !names.has(name)));
}

function tighter(
  one: JsonObject,
  other: JsonObject,
  keywords: readonly string[],
  choose: (a: number, b: number) => number,
): JsonObject {
  const stated = keywords.flatMap((keyword): readonly (readonly [string, number])[] => {
    const [a, b] = [one[keyword], other[keyword]];
    return typeof a === "number" && typeof b === "number" ? [[keyword, choose(a, b)]] : [];
  });
  return Object.fromEntries(stated);
}

function bothItems(one: JsonObject, other: JsonObject, source: Source): JsonObject {
  const [left, right] = [one, other].map((each) => schemasUnder(each, "prefixItems"));
  const named = Math.max(left?.length ?? 0, right?.length ?? 0);
  const prefixItems = Array.from({ length: named }, (_, index) =>
    bothSchemas(
      left?.[index] ?? asSchema(one["items"]),
      right?.[index] ?? asSchema(other["items"]),
      source,
    ),
  );
  return { ...(named > 0 && { prefixItems }), ...bothRests(one, other, "items", source) };
}

/**
 * Combines properties. A name that only one schema declares is matched with the other's patterns or
 * its additional properties. `additionalProperties` of one schema can't be combined with the
 * patterns of the other, so it goes into `allOf`.
 */
function bothProperties(one: JsonObject, other: JsonObject, source: Source): JsonObject {
  const properties: Record<string, JsonValue> = {};
  for (const [name] of [one, other].flatMap((each) => schemaMapUnder(each, "properties")))
    setOwn(
      properties,
      name,
      bothSchemas(propertySchema(one, name, source), propertySchema(other, name, source), source),
    );
  const patterns: Record<string, JsonValue> = {};
  for (const [pattern, stated] of [one, other].flatMap((each) =>
    schemaMapUnder(each, "patternProperties"),
  ))
    setOwn(patterns, pattern, bothSchemas(asSchema(getOwn(patterns, pattern)), stated, source));
  return {
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(Object.keys(patterns).length > 0 && { patternProperties: patterns }),
    ...bothRests(one, other, "additionalProperties", source),
  };
}

/** A rest keyword marks the object as fully described, even if its schema is `true`. */
function bothRests(
  one: JsonObject,
  other: JsonObject,
  keyword: string,
  source: Source,
): JsonObject {
  const rests = [one, other].map((each) => schemaUnder(each, keyword));
  if (rests.every((each) => each === undefined)) return {};
  return {
    [keyword]: rests.reduce<JsonSchema>((all, each = true) => bothSchemas(all, each, source), true),
  };
}

/**
 * Property keywords of a form, to keep as a conjunct, if its `additionalProperties` would also
 * constrain properties that only the other's patterns cover.
 */
function restBeside(one: JsonObject, other: JsonObject): readonly JsonObject[] {
  const ownPatterns = new Set(schemaMapUnder(one, "patternProperties").map(([pattern]) => pattern));
  const isTold = schemaMapUnder(other, "patternProperties").every(([pattern]) =>
    ownPatterns.has(pattern),
  );
  if (isTold || (restSchema(one) ?? true) === true) return [];
  const stated = ofProperties.flatMap((name) =>
    one[name] === undefined ? [] : [[name, one[name]] as const],
  );
  return [Object.fromEntries(stated) as JsonObject];
}

/** Format of texts that have two: the second, or the first if it is stricter. */
function bothFormats(one: JsonObject, other: JsonObject): JsonObject {
  const [a, b] = [one["format"], other["format"]];
  if (typeof a !== "string" || typeof b !== "string") return {};
  return { format: !isChecked(b) || isOfFormat(a, b) ? a : b };
}

/** Keywords for texts of the first schema that can't be combined with those of the other. */
function textsBeside(one: JsonObject, other: JsonObject): readonly JsonObject[] {
  const { format, pattern } = one;
  const kept = bothFormats(one, other)["format"];
  const losesFormat =
    typeof format === "string" &&
    typeof kept === "string" &&
    isChecked(format) &&
    !isOfFormat(kept, format);
  const losesPattern =
    pattern !== undefined && other["pattern"] !== undefined && pattern !== other["pattern"];
  return [...(losesFormat ? [{ format }] : []), ...(losesPattern ? [{ pattern }] : [])];
}

/**
 * Intersection of two schemas. The same two schemas always give the same object; recursion is
 * detected by that.
 */
export function bothSchemas(one: JsonSchema, other: JsonSchema, source: Source): JsonSchema {
  if (one === false || other === false) return false;
  if (one === true || one === other) return other;
  if (other === true) return one;
  const all = new Set([one, other].flatMap((each) => source.parts.get(each) ?? [each]));
  const numbered = [...all].map((part) => [numberOf(part, source), part] as const);
  const parts = numbered.toSorted(([a], [b]) => a - b).map(([, part]) => part);
  const [first] = parts;
  if (first === undefined || parts.length === 1) return first ?? true;
  const key = parts.map((part) => numberOf(part, source)).join(" ");
  const joined = source.joined.get(key) ?? { allOf: parts };
  source.joined.set(key, joined);
  source.parts.set(joined, parts);
  return joined;
}

function numberOf(schema: JsonObject, { numbers }: Source): number {
  const number = numbers.get(schema) ?? numbers.size;
  numbers.set(schema, number);
  return number;
}

/**
 * Schema of a property: all schemas for its name and the matching patterns, or else the schema for
 * additional properties.
 */
export function propertySchema(form: JsonObject, name: string, source: Source): JsonSchema {
  return namedSchema(form, name, source) ?? restSchema(form) ?? true;
}

/**
 * Schema of a property that the form names, itself or by patterns; undefined for other properties.
 */
export function namedSchema(
  form: JsonObject,
  name: string,
  source: Source,
): JsonSchema | undefined {
  const { properties } = form;
  const own = isJsonObject(properties) ? getOwn(properties, name) : undefined;
  const alike = schemaMapUnder(form, "patternProperties")
    .filter(([pattern]) => patternTest(pattern)(name))
    .map(([, schema]) => schema);
  const stated = own === undefined ? alike : [asSchema(own), ...alike];
  return stated.length === 0
    ? undefined
    : stated.reduce((all, each) => bothSchemas(all, each, source));
}

/** Schema of properties that no name and no pattern covers; undefined if there is none. */
export function restSchema(form: JsonObject): JsonSchema | undefined {
  return schemaUnder(form, "additionalProperties");
}

/** Names of the declared and required properties of a form. */
export function knownNames(form: JsonObject): readonly string[] {
  const declared = schemaMapUnder(form, "properties").map(([name]) => name);
  return [...new Set([...declared, ...textsUnder(form, "required")])];
}

/** Checks if objects of a form can only have the properties that the form names. */
export function isClosed(form: JsonObject): boolean {
  return restSchema(form) === false && schemaMapUnder(form, "patternProperties").length === 0;
}

/** Checks if objects of a form may have a property. */
export function mayHave(form: JsonObject, name: string, source: Source): boolean {
  return propertySchema(form, name, source) !== false;
}

/**
 * Branches of a schema for a use outside of a comparison. A schema with too many branches counts as
 * any value.
 */
export function looseBranches(schema: JsonSchema, root: JsonSchema): readonly Branch[] {
  return inSteps(() => branchesOf(schema, sourceOf(root)), undefined) ?? [true];
}

/** The schema that each branch has for the value at a path. References are resolved in `root`. */
export function partSchemas(
  root: JsonSchema,
  path: readonly (string | number)[],
): readonly JsonSchema[] {
  const source = sourceOf(root);
  return path.reduce<readonly JsonSchema[]>(
    (schemas, step) => {
      const all = schemas.flatMap(
        (schema): readonly Branch[] => branchesOf(schema, source) ?? [true],
      );
      return [...new Set(all.flatMap((branch) => partsOfBranch(branch, step, source)))];
    },
    [root],
  );
}

function partsOfBranch(
  branch: Branch,
  step: string | number,
  source: Source,
): readonly JsonSchema[] {
  if (branch === true) return [true];
  const kind = typeof step === "string" ? "object" : "array";
  if ((typeOf(branch) ?? kind) !== kind) return [];
  return [
    typeof step === "string"
      ? propertySchema(branch, step, source)
      : (schemasUnder(branch, "prefixItems")[step] ?? asSchema(branch["items"])),
  ];
}

/** Keywords that constrain a value as a whole, each with the keywords that depend on it. */
export const conditions: readonly (readonly string[])[] = [
  ["not"],
  ["if", "then", "else"],
  ["multipleOf"],
  ["uniqueItems"],
  ["contains", "minContains", "maxContains"],
  ["minProperties"],
  ["maxProperties"],
  ["propertyNames"],
  ["patternProperties"],
  ["dependentRequired"],
  ["dependentSchemas"],
  ["unevaluatedProperties"],
  ["unevaluatedItems"],
];

const typesOf: { readonly [keyword: string]: readonly JsonType[] } = {
  multipleOf: ["integer", "number"],
  uniqueItems: ["array"],
  contains: ["array"],
  unevaluatedItems: ["array"],
};

/** Checks if a condition constrains values of a type. */
export function concerns(keyword: string, type: JsonType | undefined): boolean {
  if (keyword === "not" || keyword === "if" || type === undefined) return true;
  return (typesOf[keyword] ?? ["object"]).includes(type);
}

/** Checks if a condition means the same in any context. */
export function standsAlone(keyword: string): boolean {
  return !keyword.startsWith("unevaluated");
}

/** A condition by its first keyword, with the others. */
export function conditionIn(schema: JsonObject, keyword: string): JsonObject {
  const group = conditions.find(([first]) => first === keyword) ?? [keyword];
  return Object.fromEntries(
    group.flatMap((name) => {
      const value = schema[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** A form, and the conjuncts that could not be combined with it. */
export function conjunctsOf(form: JsonObject): readonly JsonObject[] {
  const others: readonly JsonSchema[] = schemasUnder(form, "allOf");
  return [form, ...others.filter((each) => typeof each === "object")];
}

/**
 * The declared type of a branch. Undefined if the schema only constrains objects without requiring
 * one.
 */
export function statedType(given: Branch): JsonType | undefined {
  return given !== true && given["type"] !== undefined ? typeOf(given) : undefined;
}
