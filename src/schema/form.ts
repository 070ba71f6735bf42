import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  setOwn,
} from "../core/json.js";
import { appliedDefaults } from "./defaults.js";
import { mentions } from "./mentions.js";
import {
  everySchema,
  mapSubschemas,
  schemaMapUnder,
  schemasUnder,
  targetOf,
  textsUnder,
} from "./schema-tree.js";
import { below } from "./pointer.js";

/**
 * The side of a value that a schema describes.
 *
 * - `input`: values that callers pass; a property with a default may be missing.
 * - `filled`: the same after defaults were filled in; such a property is present.
 * - `request`: values that callers pass in a place where nothing fills defaults.
 * - `stated`: values that are received, such as responses; `writeOnly` properties may be missing.
 *
 * The first three are sent, so they have no `readOnly` properties.
 */
export const forms = ["input", "filled", "request", "stated"] as const;

export type SchemaForm = (typeof forms)[number];

/** Checks if values of the form are sent, not received. */
export function isSent(form: SchemaForm): boolean {
  return form !== "stated";
}

/** Checks if defaults replace missing properties in the form. */
export function fillsDefaults(form: SchemaForm): boolean {
  return form === "input" || form === "filled";
}

/** Names that an object of the form must have, among those that this schema mentions. */
export function requiredNames(
  root: JsonSchema,
  schema: JsonObject,
  pointer: string,
  form: SchemaForm,
): readonly string[] {
  const left = leftOut(root, schema, form);
  const required = textsUnder(schema, "required").filter((name) => !left.has(name));
  const filled = fillsDefaults(form) ? appliedDefaults(root).byObject.get(pointer) : undefined;
  if (filled === undefined) return required;
  const others = required.filter((name) => !filled.has(name));
  if (form === "input") return others;
  return [...others, ...[...filled.keys()].filter((name) => !left.has(name))];
}

/** Properties that values of the form need not have, even if another schema requires them. */
function leftOut(root: JsonSchema, schema: JsonObject, form: SchemaForm): ReadonlySet<string> {
  const keyword = isSent(form) ? "readOnly" : "writeOnly";
  if (!mentions(root, keyword)) return nothing;
  const properties = schemaMapUnder(schema, "properties");
  return new Set(
    properties.flatMap(([name, each]) => (isMarked(each, keyword, root) ? [name] : [])),
  );
}

const nothing: ReadonlySet<string> = new Set();

/** Checks if only the other side sets a property. Such a property is not sent. */
export function isReadOnly(property: JsonSchema, root: JsonSchema): boolean {
  return mentions(root, "readOnly") && isMarked(property, "readOnly", root);
}

/**
 * Makes all top-level parameters sent, even if they refer to a `readOnly` schema: declaring a
 * parameter is explicit. `readOnly` properties further down stay.
 */
export function withParametersSent(root: JsonSchema): JsonSchema {
  const properties = isJsonObject(root) ? root["properties"] : undefined;
  if (!isJsonObject(root) || !isJsonObject(properties) || !mentions(root, "readOnly")) return root;
  const sent = Object.entries(properties).map(([name, each]) => {
    const isRead = isJsonObject(each) && isMarked(each, "readOnly", root);
    return [name, isRead ? { ...each, readOnly: false } : each] as const;
  });
  return { ...root, properties: Object.fromEntries(sent) };
}

const sentOtherwise = new WeakMap<object, boolean>();

/** Checks if sent values differ from received values, apart from defaults. */
export function differsWhenSent(root: JsonSchema): boolean {
  if (!isJsonObject(root)) return false;
  const keywords = (["readOnly", "writeOnly"] as const).filter((each) => mentions(root, each));
  const known =
    sentOtherwise.get(root) ??
    everySchema(root).some(
      ({ schema }) =>
        isJsonObject(schema) &&
        schemaMapUnder(schema, "properties").some(([, property]) =>
          keywords.some((keyword) => isMarked(property, keyword, root)),
        ),
    );
  sentOtherwise.set(root, known);
  return known;
}

/** Checks if a schema has the mark, itself or in a schema that always applies with it. */
function isMarked(
  schema: JsonSchema,
  keyword: "readOnly" | "writeOnly",
  root: JsonSchema,
  open: ReadonlySet<JsonSchema> = new Set(),
): boolean {
  if (!isJsonObject(schema) || open.has(schema)) return false;
  if (typeof schema[keyword] === "boolean") return schema[keyword];
  const inside = new Set(open).add(schema);
  const reference = schema["$ref"];
  const target = typeof reference === "string" ? [targetOf(root, reference).schema] : [];
  return [...target, ...schemasUnder(schema, "allOf")].some((each) =>
    isMarked(each, keyword, root, inside),
  );
}

const filled = new WeakMap<object, JsonSchema>();

/**
 * Converts a document to one for values with filled-in defaults: a property with a default is
 * required.
 */
export function filledSchema(root: JsonSchema): JsonSchema {
  if (!isJsonObject(root)) return root;
  const known = filled.get(root) ?? fill(root);
  filled.set(root, known);
  return known;
}

function fill(root: JsonSchema): JsonSchema {
  const convert = (schema: JsonSchema, pointer: string): JsonSchema => {
    if (!isJsonObject(schema)) return schema;
    const result: Record<string, JsonValue> = {};
    for (const [keyword, value] of Object.entries(schema))
      setOwn(result, keyword, mapSubschemas(keyword, value, below(pointer, keyword), convert));
    const required = requiredNames(root, schema, pointer, "filled");
    return required.length === 0 ? result : { ...result, required };
  };
  return convert(root, "");
}
