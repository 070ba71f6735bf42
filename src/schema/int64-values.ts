/**
 * Converts values inside a schema whose 64-bit integers are text: a `default` of a list or an
 * object beside a `$ref`. The validator converts the integers, as it does in responses.
 */
import { int64Form, type Validator, withDigits } from "@skillc/runtime/internal";
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../core/json.js";
import { compiling, createAjv } from "./ajv-instance.js";
import { usesUnevaluated } from "./evaluated-keywords.js";
import { holdsInt64Text, isInt64Text } from "./int64-text.js";
import { mentions } from "./mentions.js";
import { below } from "./pointer.js";
import { mapSubschemas } from "./schema-tree.js";
import { validatorSchema } from "./validator-schema.js";

/** @param root a result of `withInt64Text` */
export function withInt64Values(root: JsonSchema): JsonSchema {
  if (!isJsonObject(root) || !holdsInt64Text(root)) return root;
  const convert = (schema: JsonSchema, pointer: string): JsonSchema => {
    if (!isJsonObject(schema)) return schema;
    const own = valuesAsText(schema, root);
    return Object.fromEntries(
      Object.entries(own).map(([keyword, value]) => [
        keyword,
        mapSubschemas(keyword, value, below(pointer, keyword), convert),
      ]),
    );
  };
  return convert(root, "");
}

const lists: ReadonlySet<string> = new Set(["enum", "examples"]);

function valuesAsText(schema: JsonObject, root: JsonObject): JsonObject {
  const { const: only, default: preset, enum: choices, examples, ...alone } = schema;
  const written = Object.entries({ const: only, default: preset, enum: choices, examples }).flatMap(
    ([keyword, value]) => (value === undefined ? [] : [[keyword, value] as const]),
  );
  const isInside = mentions(alone, "$ref") || holdsInt64Text(alone);
  if (isInt64Text(schema) || !isInside || !written.some(([, value]) => hasInteger(value)))
    return schema;
  const validate = validatorOf({ ...alone, $defs: root["$defs"] ?? {} });
  const asText = (value: JsonValue): JsonValue => {
    // JSON with texts for numbers is JSON.
    const text = withDigits(validate, { value: structuredClone(value) }) as JsonValue;
    return validate(text) ? text : value;
  };
  const texts = written.map(([keyword, value]) => [
    keyword,
    lists.has(keyword) && Array.isArray(value) ? value.map(asText) : asText(value),
  ]);
  return { ...schema, ...Object.fromEntries(texts) };
}

function hasInteger(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return Number.isInteger(value);
  return Object.values(value).some(hasInteger);
}

/** Ajv's own errors lack the words that generated validators use to recognize such a schema. */
function validatorOf(schema: JsonObject): Validator {
  const keepsBook = usesUnevaluated(schema);
  const document = validatorSchema(schema, "input", keepsBook);
  const validate = compiling(() => createAjv(keepsBook).compile(document));
  const validator: Validator = (value): value is unknown => {
    const isValid = validate(value);
    const { errors = null } = validate;
    validator.errors =
      errors?.map((each) =>
        each.keyword === "not" ? { ...each, params: { form: int64Form } } : each,
      ) ?? null;
    return isValid;
  };
  return validator;
}
