import { getOwn, isJsonObject, type JsonSchema, type JsonValue } from "../../src/core/json.js";
import {
  asSchema,
  schemaMapUnder,
  schemasUnder,
  targetOf,
  textsUnder,
} from "../../src/schema/schema-tree.js";

/** Names and positions of a value that a schema evaluated; undefined if the value does not fit. */
type Evaluated = ReadonlySet<string> | undefined;

/**
 * Checks a value as the specification describes it, for the keywords that `unevaluated…` depends
 * on.
 */
export function fits(value: JsonValue, schema: JsonSchema, root: JsonSchema): boolean {
  return evaluate(value, schema, root) !== undefined;
}

function evaluate(value: JsonValue, schema: JsonSchema, root: JsonSchema): Evaluated {
  if (typeof schema === "boolean") return schema ? new Set() : undefined;
  if (schema["type"] !== undefined && schema["type"] !== typeOf(value)) return undefined;
  const on = (each: JsonSchema, at: JsonValue = value) => evaluate(at, each, root);
  const names = isJsonObject(value) ? Object.keys(value) : [];
  if (isJsonObject(value) && textsUnder(schema, "required").some((each) => !names.includes(each)))
    return undefined;
  const seen = new Set<string>();
  const inPlace: Evaluated[] = [
    ...(typeof schema["$ref"] === "string" ? [on(targetOf(root, schema["$ref"]).schema)] : []),
    ...schemasUnder(schema, "allOf").map((each) => on(each)),
    ...schemaMapUnder(schema, "dependentSchemas")
      .filter(([name]) => names.includes(name))
      .map(([, each]) => on(each)),
    ...eitherOf(schema, "anyOf", on, (count) => count > 0),
    ...eitherOf(schema, "oneOf", on, (count) => count === 1),
    ...conditional(schema, on),
  ];
  if (schema["not"] !== undefined && on(asSchema(schema["not"])) !== undefined) return undefined;
  for (const each of inPlace) {
    if (each === undefined) return undefined;
    for (const name of each) seen.add(name);
  }
  const children = isJsonObject(value)
    ? names.map((name): Child => [name, getOwn(value, name) ?? null])
    : Array.isArray(value)
      ? value.map((each: JsonValue, index): Child => [String(index), each])
      : [];
  const rest = isJsonObject(value) ? "unevaluatedProperties" : "unevaluatedItems";
  const own = children.map(([key, each]) => [key, each, ownSchemas(key, value, schema)] as const);
  for (const [key, each, schemas] of own) {
    if (schemas.length > 0) seen.add(key);
    if (schemas.some((inner) => on(inner, each) === undefined)) return undefined;
  }
  if (schema[rest] === undefined) return seen;
  for (const [key, each] of children) {
    if (seen.has(key)) continue;
    if (on(asSchema(schema[rest]), each) === undefined) return undefined;
    seen.add(key);
  }
  return seen;
}

type Child = readonly [key: string, value: JsonValue];
type On = (schema: JsonSchema) => Evaluated;

function eitherOf(
  schema: Readonly<Record<string, JsonValue>>,
  keyword: string,
  on: On,
  isEnough: (count: number) => boolean,
): readonly Evaluated[] {
  if (schema[keyword] === undefined) return [];
  const fitting = schemasUnder(schema, keyword)
    .map((each) => on(each))
    .filter((each) => each !== undefined);
  return isEnough(fitting.length) ? fitting : [undefined];
}

function conditional(schema: Readonly<Record<string, JsonValue>>, on: On): readonly Evaluated[] {
  if (schema["if"] === undefined) return [];
  const test = on(asSchema(schema["if"]));
  return test === undefined ? [on(asSchema(schema["else"]))] : [test, on(asSchema(schema["then"]))];
}

/** Returns schemas for one property or item from a schema's own keywords. */
function ownSchemas(
  key: string,
  value: JsonValue,
  schema: Readonly<Record<string, JsonValue>>,
): readonly JsonSchema[] {
  if (Array.isArray(value)) {
    const prefix = schemasUnder(schema, "prefixItems")[Number(key)];
    if (prefix !== undefined) return [prefix];
    return schema["items"] === undefined ? [] : [asSchema(schema["items"])];
  }
  const found = [
    ...schemaMapUnder(schema, "properties").filter(([name]) => name === key),
    ...schemaMapUnder(schema, "patternProperties").filter(([pattern]) =>
      new RegExp(pattern, "u").test(key),
    ),
  ].map(([, each]) => each);
  const others = schema["additionalProperties"];
  return found.length > 0 || others === undefined ? found : [asSchema(others)];
}

function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
