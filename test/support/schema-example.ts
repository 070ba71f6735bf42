import { isJsonObject, type JsonObject, type JsonValue } from "../../src/core/json.js";

/** Returns a value that fits a plain schema, with only the required properties. */
export function exampleOf(schema: unknown, root: unknown = schema): JsonValue {
  // Published schemas are JSON.
  const whole = schema as JsonValue;
  if (!isJsonObject(whole)) return null;
  const { $ref, enum: values, anyOf, const: only, type } = whole;
  if (typeof $ref === "string") return exampleOf(at(root, $ref), root);
  if (only !== undefined) return only;
  if (Array.isArray(values)) return values[0] ?? null;
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0], root);
  return ofType(whole, Array.isArray(type) ? type[0] : type, root);
}

function at(root: unknown, reference: string): unknown {
  return (
    reference
      .split("/")
      .slice(1)
      // A missing step gives undefined, and so do all later steps.
      .reduce<unknown>((value, step) => (value as JsonObject | undefined)?.[step], root)
  );
}

function ofType(schema: JsonObject, type: JsonValue | undefined, root: unknown): JsonValue {
  const { items, minItems = 0, minimum, exclusiveMinimum, properties = {}, required } = schema;
  if (type === "object") {
    const names = Array.isArray(required) ? required.map(String) : [];
    const members = isJsonObject(properties) ? properties : {};
    return Object.fromEntries(names.map((name) => [name, exampleOf(members[name], root)]));
  }
  if (type === "array")
    return Array.from({ length: Number(minItems) }, () => exampleOf(items, root));
  if (type === "integer" || type === "number")
    return Number(minimum ?? Number(exclusiveMinimum ?? 0) + 1);
  if (type === "boolean") return true;
  return type === "string" ? textOf(schema) : null;
}

const formats: Readonly<Record<string, string>> = {
  date: "2024-02-29",
  "date-time": "2024-02-29T12:00:00Z",
  email: "ada@example.com",
  uuid: "5f0c2ee2-6b1d-4d0c-8d6f-0d3f3a1f9a10",
};

/** Texts for the patterns in the published examples. */
const texts = ["ab", "1", "1.00", "DE", "EUR", "1234", "cus_1", "sku_1", "1-1"];

function textOf({ format, pattern }: JsonObject): string {
  if (typeof format === "string") return formats[format] ?? "";
  const expression = new RegExp(typeof pattern === "string" ? pattern : "", "u");
  const found = texts.find((each) => expression.test(each));
  if (found === undefined) throw new Error(`no example of ${String(pattern)}: add one`);
  return found;
}
