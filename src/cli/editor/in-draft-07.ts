import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.js";
import { editorMark, schemaMark } from "../../schema/editor-marks.js";
import { type Keyword, keywords } from "../../schema/keywords.js";

/**
 * Converts a 2020-12 schema of skillc to a part of a draft-07 document, the version that editors
 * support best. References are adjusted to the new place. Places for an author's JSON Schema refer
 * to a common definition. Editors ignore keywords that draft-07 lacks (`unevaluatedProperties`), so
 * they reject less.
 *
 * @param pointer place of the schema in the document: `#/definitions/binding-http`
 * @param authored place of the definition of JSON Schemas
 */
export function inDraft07(schema: JsonObject, pointer: string, authored: string): JsonObject {
  const { $schema: _, title: __, ...rest } = schema;
  return embedded(rest, { pointer, authored });
}

interface SchemaLocation {
  readonly pointer: string;
  readonly authored: string;
}

function embedded(schema: JsonObject, place: SchemaLocation): JsonObject {
  const { $ref, allOf, [schemaMark]: holds, [editorMark]: hints, ...written } = schema;
  const rest = isJsonObject(hints) ? { ...written, ...hints } : written;
  const referred = [
    ...(typeof $ref === "string" ? [referenceTo(led($ref, place))] : []),
    ...(holds === true ? [referenceTo(place.authored)] : []),
  ];
  const own = Object.entries(rest).map(([key, value]): [string, JsonValue] => [
    key,
    data.has(key) ? value : embeddedValue(value, place),
  ]);
  // Draft-07 ignores keywords beside a reference.
  const parts = [
    ...(Array.isArray(allOf) ? [embeddedValue(allOf, place)].flat() : []),
    ...referred,
  ];
  return Object.fromEntries([...own, ...(parts.length === 0 ? [] : [["allOf", parts] as const])]);
}

function embeddedValue(value: JsonValue, place: SchemaLocation): JsonValue {
  if (Array.isArray(value)) return value.map((each: JsonValue) => embeddedValue(each, place));
  return isJsonObject(value) ? embedded(value, place) : value;
}

/** Keywords whose values are not schemas. */
const data: ReadonlySet<string> = new Set(["const", "default", "enum", "examples", "required"]);

/** Moves a reference within the schema to the place in the document. */
function led(reference: string, { pointer }: SchemaLocation): string {
  return reference.startsWith("#") ? `${pointer}${reference.slice(1)}` : reference;
}

function referenceTo($ref: string): JsonObject {
  return { $ref };
}

/**
 * Makes a schema for an author's JSON Schema, in any supported dialect: each keyword with its
 * content. Other keys are allowed, as in the compiler, which warns about them.
 *
 * @param self place of this definition in the document
 */
export function jsonSchemaInDraft07(self: string): JsonObject {
  const schema = { $ref: self };
  const properties = [...keywords].map(([name, keyword]) => [
    name,
    { description: keyword.description, ...valueOf(keyword, schema) },
  ]);
  return {
    description:
      "A JSON Schema of the dialect 2020-12, or of the dialect in `$schema`: draft-07 or 2019-09.",
    type: ["object", "boolean"],
    properties: Object.fromEntries(properties),
  };
}

function valueOf({ shape, value }: Keyword, schema: JsonObject): JsonObject {
  const list = { type: "array", items: schema, minItems: 1 };
  switch (shape) {
    case "schema":
      return { allOf: [schema] };
    case "schema-list":
      return list;
    case "schema-map":
      return { type: "object", additionalProperties: schema };
    case "items":
      return { anyOf: [schema, { ...list, minItems: 0 }] };
    case "dependencies":
      return {
        type: "object",
        additionalProperties: { anyOf: [schema, { type: "array", items: { type: "string" } }] },
      };
    case "data":
      return value ?? {};
  }
}
