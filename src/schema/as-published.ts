import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  setOwn,
} from "../core/json.js";
import type { SchemaModel } from "../core/skill-model.js";
import { metaschemas } from "./dialect.js";
import { requiredNames, type SchemaForm } from "./form.js";
import { isExtension, keywordIn } from "./keywords.js";
import { below } from "./pointer.js";
import { asSchema } from "./schema-tree.js";

export interface PublishOptions {
  /** The document's own URI. */
  readonly id: string;
  /** What a model is to produce is `input`; what it gets back is `stated`. */
  readonly form?: SchemaForm;
}

/**
 * The schema as a model is offered it: self-contained 2020-12, without the author's own `x-` keys.
 */
export function publishedSchema(
  { schema: root }: SchemaModel,
  { id, form = "input" }: PublishOptions,
): JsonObject {
  const $schema = metaschemas["2020-12"];
  const published = publish(root, "", root, form);
  if (isJsonObject(published)) return { $schema, $id: id, ...published };
  return { $schema, $id: id, ...(published ? {} : { not: {} }) };
}

function publish(
  schema: JsonSchema,
  pointer: string,
  root: JsonSchema,
  form: SchemaForm,
): JsonSchema {
  if (typeof schema === "boolean") return schema;
  const result: Record<string, JsonValue> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (isExtension(keyword)) continue;
    setOwn(result, keyword, publishValue(keyword, value, below(pointer, keyword), root, form));
  }
  const required = requiredNames(root, schema, pointer, form);
  if (required.length > 0) result["required"] = required;
  else delete result["required"];
  return result;
}

function publishValue(
  keyword: string,
  value: JsonValue,
  pointer: string,
  root: JsonSchema,
  form: SchemaForm,
): JsonValue {
  const shape = keywordIn("2020-12", keyword)?.shape;
  if (shape === "schema" || shape === "items") return publish(asSchema(value), pointer, root, form);
  if (shape === "schema-list" && Array.isArray(value)) {
    return value.map((each: JsonValue, index) =>
      publish(asSchema(each), below(pointer, index), root, form),
    );
  }
  if (shape !== "schema-map" || !isJsonObject(value)) return value;
  const map: Record<string, JsonValue> = {};
  for (const [key, each] of Object.entries(value))
    setOwn(map, key, publish(asSchema(each), below(pointer, key), root, form));
  return map;
}
