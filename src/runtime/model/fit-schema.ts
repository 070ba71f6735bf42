/**
 * Trims a schema that takes too much of a model's context. The result accepts every value that the
 * schema accepts, and still describes all that a call needs.
 */
import type { JsonValue } from "../json/json.js";
import { withTargets } from "./acceptable-schema.js";
import { asParameters, type RootSchema } from "./model-schema.js";
import { placeOf, pointerIn, schemaAt } from "./schema-places.js";
import {
  dataKeywords,
  isJsonMap,
  type JsonMap,
  mapKeywords,
  referencesIn,
  subschemasOf,
} from "./schema-references.js";

/** Returns the size of a value as JSON, in bytes. */
export function jsonBytes(value: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/**
 * Trims a schema, step by step until it fits: descriptions, the deepest first, except for those of
 * the parameters themselves; then the content of optional properties, the deepest first; then the
 * descriptions of the parameters. The result is larger than `maxBytes` if the parts that a call
 * needs are larger.
 *
 * @param maxBytes maximum size as JSON
 */
export function fitSchema(schema: RootSchema, maxBytes: number): RootSchema {
  if (jsonBytes(schema) <= maxBytes) return schema;
  const shape = shapeOf(schema);
  const steps = stepsFor(shape.deepest);
  const fits = (trimmed: RootSchema): boolean => jsonBytes(trimmed) <= maxBytes;
  const step = firstOf(steps.length, (at) => fits(rendered(schema, shape, steps[at] ?? nothing)));
  const { content, descriptions } = steps[step] ?? nothing;
  // At this depth, leave out only as many optional properties as necessary, the last ones first.
  const last = [...shape.optional]
    .filter((each) => shape.depths.get(each) === content + 1)
    .toReversed();
  const trimmedAt = (count: number): RootSchema =>
    rendered(schema, shape, {
      descriptions,
      content: content + 1,
      also: new Set(last.slice(0, count)),
    });
  const count = firstOf(last.length + 1, (at) => fits(trimmedAt(at)));
  return count <= last.length && content < shape.deepest
    ? trimmedAt(count)
    : rendered(schema, shape, steps[step] ?? nothing);
}

/**
 * Searches by halves: returns the first number below `end` for which a function is true; else
 * `end`. The function must be true for all numbers after the first.
 */
function firstOf(end: number, isTrue: (at: number) => boolean): number {
  let [from, to] = [0, end];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (isTrue(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** Depths below which descriptions and content are left out. */
interface Trimming {
  readonly descriptions: number;
  readonly content: number;
  /** Other optional properties whose content is left out. */
  readonly also?: ReadonlySet<JsonMap>;
}

/** Leaves out everything that can be left out. */
const nothing: Trimming = { descriptions: 0, content: 0 };

/** Depth of the parameters themselves. */
const ownDepth = 1;

function stepsFor(deepest: number): readonly Trimming[] {
  const depths = Array.from({ length: deepest }, (_, index) => deepest - 1 - index);
  const described = depths.filter((depth) => depth >= ownDepth);
  return [
    ...described.map((descriptions) => ({ descriptions, content: deepest })),
    ...depths.map((content) => ({ descriptions: ownDepth, content })),
    nothing,
  ];
}

interface Shape {
  readonly root: JsonMap;
  /** Schemas that must not accept more, so nothing in them is left out. */
  readonly inverted: ReadonlySet<JsonMap>;
  /** Smallest number of properties and lists on a way from the root to a schema. */
  readonly depths: ReadonlyMap<JsonMap, number>;
  /** Values of optional properties. */
  readonly optional: ReadonlySet<JsonMap>;
  readonly deepest: number;
}

function shapeOf(root: JsonMap): Shape {
  const depths = new Map<JsonMap, number>();
  const optional = new Set<JsonMap>();
  const inverted = invertedIn(root);
  const needed = namesNeededBeside(root);
  let depth = -1;
  let level: readonly JsonMap[] = [...placeOf(root, [root])];
  while (level.length > 0) {
    depth += 1;
    for (const each of level) depths.set(each, depth);
    const inner = level.flatMap((each) => partsOf(each));
    for (const each of level.filter((schema) => !inverted.has(schema)))
      for (const value of optionalIn(each, needed)) optional.add(value);
    level = [...placeOf(root, inner)].filter((each) => !depths.has(each));
  }
  return { root, inverted, depths, optional, deepest: depth };
}

/** Keywords whose schemas describe the same value. */
const inPlace: ReadonlySet<string> = new Set([
  "allOf",
  "anyOf",
  "dependentSchemas",
  "else",
  "if",
  "not",
  "oneOf",
  "then",
]);

/** Returns the schemas of the parts of a value. */
function partsOf(schema: JsonMap): readonly JsonValue[] {
  const own = Object.entries(schema).filter(
    ([keyword]) => !inPlace.has(keyword) && keyword !== "$defs" && keyword !== "definitions",
  );
  return subschemasOf(Object.fromEntries(own));
}

/** Returns the schemas below `not`, `if` and `contains`, and those that they refer to. */
function invertedIn(root: JsonMap): ReadonlySet<JsonMap> {
  const found = new Set<JsonMap>();
  const add = (schema: JsonValue | undefined): void => {
    if (!isJsonMap(schema) || found.has(schema)) return;
    found.add(schema);
    const { $ref } = schema;
    if (typeof $ref === "string") add(schemaAt(root, $ref));
    for (const each of subschemasOf(schema)) add(each);
  };
  const visit = (schema: JsonValue): void => {
    if (!isJsonMap(schema)) return;
    for (const keyword of ["not", "if", "contains"]) add(schema[keyword]);
    for (const each of subschemasOf(schema)) visit(each);
  };
  visit(root);
  return found;
}

/** Returns the names that a schema requires, but that another schema declares. */
function namesNeededBeside(root: JsonMap): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (schema: JsonValue): void => {
    if (!isJsonMap(schema)) return;
    const { properties } = schema;
    const own = isJsonMap(properties) ? properties : {};
    for (const name of requiredNames(schema)) if (!Object.hasOwn(own, name)) found.add(name);
    for (const each of subschemasOf(schema)) visit(each);
  };
  visit(root);
  return found;
}

function optionalIn(schema: JsonMap, needed: ReadonlySet<string>): readonly JsonMap[] {
  const { properties } = schema;
  if (!isJsonMap(properties)) return [];
  const required = new Set(requiredNames(schema));
  return Object.entries(properties).flatMap(([name, value]) =>
    required.has(name) || needed.has(name) || !isJsonMap(value) ? [] : [value],
  );
}

function requiredNames({ required }: JsonMap): readonly string[] {
  const names: readonly JsonValue[] = Array.isArray(required) ? required : [];
  return names.filter((each) => typeof each === "string");
}

function rendered(schema: RootSchema, shape: Shape, trimming: Trimming): RootSchema {
  const { $defs, ...own } = schema;
  const rendering = new Rendering(shape, trimming);
  const main = rendering.content(own, 0);
  const all = isJsonMap($defs) ? $defs : {};
  const kept = new Map<string, JsonValue>();
  const waiting: JsonValue[] = [main];
  for (const each of waiting)
    for (const name of definitionsIn(each)) {
      const definition = Object.hasOwn(all, name) ? all[name] : undefined;
      if (definition === undefined || kept.has(name)) continue;
      const changed = rendering.schema(definition);
      kept.set(name, changed);
      waiting.push(changed);
    }
  const defined = kept.size === 0 ? main : { ...main, $defs: Object.fromEntries(kept) };
  return asParameters(withTargets(defined));
}

function definitionsIn(schema: JsonValue): readonly string[] {
  return referencesIn(schema).flatMap((each) => {
    const [keyword, name] = pointerIn(each) ?? [];
    return keyword === "$defs" && name !== undefined ? [name] : [];
  });
}

/** Keywords that explain a schema and restrict no value. */
const explaining: ReadonlySet<string> = new Set(["$comment", "description", "examples", "title"]);

const note = "Left out here.";
const longestKept = 200;

class Rendering {
  readonly #shape: Shape;
  readonly #trimming: Trimming;

  constructor(shape: Shape, trimming: Trimming) {
    this.#shape = shape;
    this.#trimming = trimming;
  }

  schema(schema: JsonValue): JsonValue {
    if (Array.isArray(schema)) return schema.map((each: JsonValue) => this.schema(each));
    if (!isJsonMap(schema)) return schema;
    const { deepest, depths, optional } = this.#shape;
    const depth = depths.get(schema) ?? deepest;
    const whole = this.content(schema, depth);
    const { also, content } = this.#trimming;
    const isDeep = depth > content || also?.has(schema) === true;
    if (!isDeep || !optional.has(schema)) return whole;
    const short = this.#short(schema, depth);
    // Without its last reference, a definition is left out too.
    const isShorter = referencesIn(whole).length > 0 || jsonBytes(short) < jsonBytes(whole);
    return isShorter ? short : whole;
  }

  content(schema: JsonMap, depth: number): JsonMap {
    const { also, content, descriptions } = this.#trimming;
    const isTrimmed =
      (content < this.#shape.deepest || also !== undefined) && !this.#shape.inverted.has(schema);
    // A value may fit several alternatives once their content is left out.
    const hasOther = isTrimmed && schema["anyOf"] !== undefined;
    const kept = Object.entries(schema).filter(
      ([keyword]) =>
        (depth <= descriptions || !explaining.has(keyword)) && !(hasOther && keyword === "oneOf"),
    );
    const changed = kept.map(([keyword, value]): [string, JsonValue] => {
      const name = keyword === "oneOf" && isTrimmed ? "anyOf" : keyword;
      if (dataKeywords.has(keyword)) return [keyword, value];
      if (!mapKeywords.has(keyword)) return [name, this.schema(value)];
      const entries = Object.entries(isJsonMap(value) ? value : {});
      return [name, Object.fromEntries(entries.map(([key, each]) => [key, this.schema(each)]))];
    });
    return Object.fromEntries(changed);
  }

  /** Returns the type of an optional property, without its content. */
  #short(schema: JsonMap, depth: number): JsonMap {
    const place = [...placeOf(this.#shape.root, [schema])];
    const { type } = typedIn(this.#shape.root, schema);
    const [said = ""] = place.flatMap(({ description }) =>
      typeof description === "string" ? [description] : [],
    );
    const isSaid = depth <= this.#trimming.descriptions;
    const [line = ""] = isSaid ? said.slice(0, longestKept).toWellFormed().split("\n") : [];
    const isList = [type].flat().includes("array");
    return {
      ...(type !== undefined && { type }),
      ...(isList && { items: {} }),
      description: line === "" ? note : `${line} ${note}`,
    };
  }
}

/** Follows references until a schema has a `type`. */
function typedIn(root: JsonMap, schema: JsonMap): JsonMap {
  const seen = new Set<JsonMap>();
  let at: JsonMap | undefined = schema;
  while (at !== undefined && !seen.has(at)) {
    seen.add(at);
    if (at["type"] !== undefined) return at;
    const reference: JsonValue | undefined = at["$ref"];
    at = typeof reference === "string" ? schemaAt(root, reference) : undefined;
  }
  return {};
}
