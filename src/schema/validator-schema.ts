import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  setOwn,
} from "../core/json.js";
import { lookedAt, notLookedAt, placesLookedAt } from "./evaluated-keywords.js";
import { requiredNames, type SchemaForm } from "./form.js";
import { isFileSchema } from "./file-schema.js";
import { isKnownFormat } from "./formats.js";
import { isInt64Text } from "./int64-text.js";
import { annotations, isExtension } from "./keywords.js";
import { below } from "./pointer.js";
import { formKeyword, formWords, withWords } from "./form-words.js";
import { mapSubschemas } from "./schema-tree.js";

/**
 * Builds the schema for Ajv, with only keywords that decide. So no description gets into the code.
 * It has the required names of the form, and no property names that Ajv can't handle. `marks` is
 * true if Ajv records evaluated parts, in this document or another.
 */
export function validatorSchema(
  root: JsonSchema,
  form: SchemaForm,
  marks: boolean,
  elsewhere: ReferencesElsewhere = { itself: undefined, calls: new Map(), held: () => true },
): JsonSchema {
  const places = placesLookedAt(root);
  const markAt = (pointer: string) => (places.has(pointer) ? lookedAt : notLookedAt);
  const convert = (schema: JsonSchema, pointer: string): JsonSchema => {
    if (typeof schema === "boolean") return schema;
    // Code may pass values that aren't JSON; the runtime checks them.
    if (isFileSchema(schema)) return { type: "object" };
    const result: Record<string, JsonValue> = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === formKeyword) Object.assign(result, formWordsIn(schema));
      if (!decides(keyword, value)) continue;
      if (keyword === "type" && isInt64Text(schema)) {
        // skillc has words for an error of `not`, but none for one of `type`.
        result["not"] = { type: otherTypes(value) };
        continue;
      }
      if (keyword === "$ref") Object.assign(result, referenceTo(String(value), elsewhere));
      else {
        const own = keyword === "$defs" && pointer === "" ? heldHere(value, elsewhere) : value;
        setOwn(result, keyword, mapSubschemas(keyword, own, below(pointer, keyword), convert));
      }
    }
    const required = requiredNames(root, schema, pointer, form);
    if (required.length > 0) result["required"] = required;
    else delete result["required"];
    return asAjvTakesIt(result, marks ? markAt(pointer) : unmarked);
  };
  return convert(root, "");
}

function otherTypes(type: JsonValue): readonly string[] {
  const others = ["array", "boolean", "number", "object"];
  return Array.isArray(type) ? others : [...others, "null"];
}

/** References that become calls of validators in other modules. */
export interface ReferencesElsewhere {
  /** Name of the document in `$defs`, if it is a shared schema. */
  readonly itself: string | undefined;
  /** Name of the function to call, by name in `$defs`. */
  readonly calls: ReadonlyMap<string, string>;
  /** True if the document has the definition itself. */
  readonly held: (name: string) => boolean;
}

function heldHere(definitions: JsonValue, { held }: ReferencesElsewhere): JsonValue {
  if (!isJsonObject(definitions)) return definitions;
  return Object.fromEntries(Object.entries(definitions).filter(([name]) => held(name)));
}

/** skillc's keyword that calls a validator of another module. */
export const callKeyword = "x-call";

function referenceTo(
  reference: string,
  { calls, itself }: ReferencesElsewhere,
): Record<string, JsonValue> {
  const name = reference.slice("#/$defs/".length);
  const call = calls.get(name);
  if (call !== undefined) return { [callKeyword]: call };
  return { $ref: name === itself ? "#" : reference };
}

/** Keeps the description of a form, which errors contain. */
function formWordsIn(schema: JsonObject): JsonObject {
  const form = formWords(schema);
  return form === undefined ? {} : withWords(form.says);
}

function decides(keyword: string, value: JsonValue): boolean {
  if (keyword === "format") return typeof value === "string" && isKnownFormat(value);
  return !annotations.has(keyword) && !isExtension(keyword);
}

/**
 * Names that Ajv can't handle as keys: it skips `__proto__` as a guard, and fails on half a
 * surrogate pair.
 */
function isAwkward(name: string): boolean {
  return name === "__proto__" || !name.isWellFormed();
}

/**
 * Rewrites keywords that Ajv gets wrong: a property with an awkward name becomes a pattern that
 * matches only that name, a dependency becomes a condition, and `contains` is separated from
 * `prefixItems`.
 */
function asAjvTakesIt(schema: Record<string, JsonValue>, mark: Mark): JsonSchema {
  const rules = [...dependencyRules(schema), ...patternRules(schema), ...containsRules(schema)].map(
    mark,
  );
  if (rules.length > 0)
    schema["allOf"] = [...(Array.isArray(schema["allOf"]) ? schema["allOf"] : []), ...rules];
  return mark(schema);
}

type Mark = (schema: JsonObject) => JsonObject;

const unmarked: Mark = (schema) => schema;

/**
 * Moves properties with awkward names to patterns, which `additionalProperties` also considers.
 * Returns conjuncts for patterns that exist already.
 */
function patternRules(schema: Record<string, JsonValue>): readonly JsonObject[] {
  const properties = asMap(schema["properties"]);
  const patterns = asMap(schema["patternProperties"]);
  const awkward = Object.entries(properties).filter(([name]) => isAwkward(name));
  if (awkward.length === 0 && !Object.keys(patterns).some(isAwkward)) return [];
  const moved = awkward.map(([name, each]) => [`^${escaped(name)}$`, each] as const);
  const all = [
    ...Object.entries(patterns).map(([pattern, each]) => [patternFor(pattern), each] as const),
    ...moved,
  ];
  schema["properties"] = Object.fromEntries(
    Object.entries(properties).filter(([name]) => !isAwkward(name)),
  );
  schema["patternProperties"] = Object.fromEntries(all);
  const taken = all.filter(
    ([pattern], index) => all.findLastIndex(([other]) => other === pattern) !== index,
  );
  return taken.map(([pattern, each]) => ({ patternProperties: { [pattern]: each } }));
}

function escaped(name: string): string {
  return wellFormed(name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
}

/** Returns an equivalent pattern that Ajv accepts as a key. */
function patternFor(pattern: string): string {
  return pattern === "__proto__" ? "(?:__proto__)" : wellFormed(pattern);
}

/** Escapes halves of surrogate pairs. The pattern keeps its meaning. */
function wellFormed(pattern: string): string {
  return pattern.replace(/\p{Surrogate}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`);
}

function dependencyRules(schema: Record<string, JsonValue>): readonly JsonObject[] {
  return ["dependentRequired", "dependentSchemas"].flatMap((keyword) => {
    const entries = Object.entries(asMap(schema[keyword]));
    const awkward = entries.filter(([name]) => isAwkward(name));
    if (awkward.length === 0) return [];
    schema[keyword] = Object.fromEntries(entries.filter(([name]) => !isAwkward(name)));
    return awkward.map(([name, value]) => ({
      if: { type: "object", required: [name] },
      // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema has a keyword of that name
      then: keyword === "dependentRequired" ? { required: value } : value,
    }));
  });
}

/**
 * Moves `contains` beside `prefixItems` into a conjunct. Inside `not`, `if` and unions, Ajv would
 * evaluate `contains` only if the first item fits `prefixItems`, and would otherwise accept the
 * array.
 */
function containsRules(schema: Record<string, JsonValue>): readonly JsonObject[] {
  if (schema["prefixItems"] === undefined || schema["contains"] === undefined) return [];
  const rule: Record<string, JsonValue> = {};
  for (const keyword of ["contains", "minContains", "maxContains"]) {
    const value = schema[keyword];
    if (value !== undefined) rule[keyword] = value;
    delete schema[keyword];
  }
  return [rule];
}

function asMap(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
