import {
  getOwn,
  isJsonObject,
  type JsonSchema,
  type JsonValue,
  setOwn,
} from "../../src/core/json.js";
import {
  asSchema,
  schemaMapUnder,
  schemasUnder,
  targetOf,
  textsUnder,
} from "../../src/schema/schema-tree.js";

/** Makes a repeatable stream of choices. */
export function choices(seed: number): (count: number) => number {
  let state = seed >>> 0;
  return (count) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}

/** Derives a value from the schema. Often the schema accepts it; sometimes one place is wrong. */
export function derive(
  schema: JsonSchema,
  root: JsonSchema,
  pick: (count: number) => number,
  depth = 0,
): JsonValue {
  if (typeof schema === "boolean" || depth > 6 || pick(15) === 0) return anything(pick);
  if (schema["const"] !== undefined) return schema["const"];
  if (Array.isArray(schema["enum"])) return schema["enum"][pick(schema["enum"].length)] ?? null;
  const also = [
    ...(typeof schema["$ref"] === "string" ? [targetOf(root, schema["$ref"]).schema] : []),
    ...["allOf", "anyOf", "oneOf"].flatMap((keyword) => schemasUnder(schema, keyword)),
    ...["then", "else", "if"].flatMap((keyword) =>
      schema[keyword] === undefined ? [] : [asSchema(schema[keyword])],
    ),
  ];
  const others = also.filter(() => pick(3) > 0).map((each) => derive(each, root, pick, depth + 1));
  const own = ownValue(schema, root, pick, depth);
  const objects = [own, ...others].filter(isJsonObject);
  if (objects.length > 1 && pick(4) > 0) return merged(objects);
  return [own, ...others][pick(others.length + 1)] ?? null;
}

const texts = ["", "a", "ab", "123e4567-e89b-12d3-a456-426614174000", "urn:a", "1.2.3.4"];

function ownValue(
  schema: Readonly<Record<string, JsonValue>>,
  root: JsonSchema,
  pick: (count: number) => number,
  depth: number,
): JsonValue {
  const named = typeof schema["type"] === "string" ? [schema["type"]] : textsUnder(schema, "type");
  const guess =
    schema["properties"] || schema["required"]
      ? ["object"]
      : schema["items"] || schema["prefixItems"]
        ? ["array"]
        : [];
  const kinds = named.length > 0 ? named : guess;
  const type = kinds[pick(kinds.length)];
  if (type === "object") return objectValue(schema, root, pick, depth);
  if (type === "array") return listValue(schema, root, pick, depth);
  if (type === "string") return texts[pick(texts.length)] ?? "";
  if (type === "integer") return pick(5) - 1;
  if (type === "number") return [0, 1.5, -1, 2][pick(4)] ?? 0;
  if (type === "boolean") return pick(2) === 0;
  return type === "null" ? null : anything(pick);
}

function objectValue(
  schema: Readonly<Record<string, JsonValue>>,
  root: JsonSchema,
  pick: (count: number) => number,
  depth: number,
): JsonValue {
  const result: Record<string, JsonValue> = {};
  const required = textsUnder(schema, "required");
  const properties = schemaMapUnder(schema, "properties");
  for (const [name, each] of properties) {
    if (required.includes(name) || pick(2) === 0)
      setOwn(result, name, derive(each, root, pick, depth + 1));
  }
  for (const name of required) {
    if (!Object.hasOwn(result, name) && pick(6) > 0) setOwn(result, name, anything(pick));
  }
  const additional = schema["additionalProperties"];
  if (pick(4) === 0 && !isJsonObject(additional))
    setOwn(result, ["a", "b", "d", "x-y"][pick(4)] ?? "d", anything(pick));
  if (isJsonObject(additional) && pick(2) === 0)
    setOwn(result, ["k", "a", "ab"][pick(3)] ?? "k", derive(additional, root, pick, depth + 1));
  for (const [, each] of schemaMapUnder(schema, "patternProperties")) {
    if (pick(2) === 0)
      setOwn(
        result,
        ["a1", "xb", "x-q", "a", "ab"][pick(5)] ?? "a1",
        derive(each, root, pick, depth + 1),
      );
  }
  return result;
}

function listValue(
  schema: Readonly<Record<string, JsonValue>>,
  root: JsonSchema,
  pick: (count: number) => number,
  depth: number,
): JsonValue {
  const prefix = schemasUnder(schema, "prefixItems");
  const least = typeof schema["minItems"] === "number" ? schema["minItems"] : 0;
  const length = pick(3) === 0 ? prefix.length : least + pick(3);
  const rest = asSchema(schema["items"]);
  return Array.from({ length: Math.min(length, 6) }, (_, index) =>
    derive(prefix[index] ?? rest, root, pick, depth + 1),
  );
}

function anything(pick: (count: number) => number): JsonValue {
  const values: readonly JsonValue[] = [
    "a",
    "",
    0,
    1,
    -1.5,
    true,
    false,
    null,
    [],
    {},
    { a: 1 },
    { a: "a", b: null },
    ["a", 1],
    [[]],
  ];
  return values[pick(values.length)] ?? null;
}

function merged(objects: readonly Readonly<Record<string, JsonValue>>[]): JsonValue {
  const result: Record<string, JsonValue> = {};
  for (const each of objects) {
    for (const name of Object.keys(each)) setOwn(result, name, getOwn(each, name) ?? null);
  }
  return result;
}
