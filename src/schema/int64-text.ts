/**
 * Converts 64-bit integers to text if a skill or tool sets `int64: string`. A schema with `format:
 * int64` or `uint64` becomes a schema of digits, so types, validators and published schemas need no
 * special rule.
 */
import { int64Form } from "@skillc/runtime/internal";
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../core/json.js";
import { digitsBetween } from "./digit-patterns.js";
import { withWords } from "./form-words.js";
import { mentions } from "./mentions.js";
import { mapSubschemas } from "./schema-tree.js";
import { below } from "./pointer.js";

/** Marks a converted schema. */
const mark = "x-skillc-int64";

/** The integers of each format. */
const ranges: ReadonlyMap<JsonValue | undefined, readonly [least: bigint, most: bigint]> = new Map([
  ["int64", [-(2n ** 63n), 2n ** 63n - 1n]],
  ["uint64", [0n, 2n ** 64n - 1n]],
]);

/** Checks if a document has converted schemas. */
export function holdsInt64Text(schema: JsonSchema): boolean {
  return mentions(schema, mark);
}

export function isInt64Text(schema: JsonSchema): boolean {
  return isJsonObject(schema) && schema[mark] === true;
}

/** The integers of a schema that `int64: string` converts to text; undefined for other schemas. */
export function int64Range({
  format,
  type,
}: JsonObject): readonly [least: bigint, most: bigint] | undefined {
  return isIntegerType(type) ? ranges.get(format) : undefined;
}

/** Checks if `int64: string` would change a document. */
export function holdsInt64(schema: JsonSchema): boolean {
  return withInt64Text(schema) !== schema;
}

/** Converts each 64-bit integer to digits. Returns the same object if there is none. */
export function withInt64Text(root: JsonSchema): JsonSchema {
  if (!mentions(root, "format")) return root;
  let isChanged = false;
  const convert = (schema: JsonSchema, pointer: string): JsonSchema => {
    if (!isJsonObject(schema)) return schema;
    const range = int64Range(schema);
    isChanged ||= range !== undefined;
    const own = range === undefined ? schema : digitsOf(schema, range);
    return Object.fromEntries(
      Object.entries(own).map(([keyword, value]) => [
        keyword,
        mapSubschemas(keyword, value, below(pointer, keyword), convert),
      ]),
    );
  };
  const converted = convert(root, "");
  return isChanged ? converted : root;
}

/** Checks for `integer` or `number`, alone or with `null`. */
function isIntegerType(type: JsonValue | undefined): boolean {
  const types = Array.isArray(type) ? type : [type];
  const others = types.filter((each) => each !== "null");
  return others.length > 0 && others.every((each) => each === "integer" || each === "number");
}

/** Keywords of numbers that the pattern replaces. `multipleOf` has no pattern. */
const ofNumbers: ReadonlySet<string> = new Set([
  "type",
  "format",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
]);

function digitsOf(schema: JsonObject, range: readonly [bigint, bigint]): JsonObject {
  const kept = Object.entries(schema)
    .filter(([keyword]) => !ofNumbers.has(keyword))
    .map(([keyword, value]) => [keyword, valuesAsText(keyword, value)] as const);
  const [least, most] = boundsOf(schema, range);
  // Bounds that contradict each other allow no digits.
  const digits = least > most ? "^[^\\d\\D]$" : `^(?:${digitsBetween(least, most)})$`;
  const isNullable = Array.isArray(schema["type"]) && schema["type"].includes("null");
  return {
    ...Object.fromEntries(kept),
    type: isNullable ? ["string", "null"] : "string",
    pattern: digits,
    ...withWords(`${int64Form} from ${least} to ${most}, in quotes`),
    [mark]: true,
  };
}

function valuesAsText(keyword: string, value: JsonValue): JsonValue {
  if (keyword === "default" || keyword === "const") return asText(value);
  const isList = keyword === "enum" || keyword === "examples";
  return isList && Array.isArray(value) ? value.map(asText) : value;
}

function asText(value: JsonValue): JsonValue {
  return typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value;
}

function boundsOf(
  schema: JsonObject,
  [least, most]: readonly [bigint, bigint],
): readonly [bigint, bigint] {
  const bounds = (keyword: string, round: (value: number) => number, beyond: bigint) => {
    const value = schema[keyword];
    return typeof value === "number" && Number.isFinite(value)
      ? [BigInt(round(value)) + beyond]
      : [];
  };
  const above = [
    ...bounds("minimum", Math.ceil, 0n),
    ...bounds("exclusiveMinimum", Math.floor, 1n),
  ];
  const under = [
    ...bounds("maximum", Math.floor, 0n),
    ...bounds("exclusiveMaximum", Math.ceil, -1n),
  ];
  return [
    above.reduce((one, other) => (other > one ? other : one), least),
    under.reduce((one, other) => (other < one ? other : one), most),
  ];
}
