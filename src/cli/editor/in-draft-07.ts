import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.js";
import { editorMark, schemaMark } from "../../schema/editor-marks.js";
import { type Keyword, keywords } from "../../schema/keywords.js";

/**
 * A schema of ours, which is 2020-12, as a part of a draft-07 document: editors know that one best.
 * Its references lead to where it stands there, and where an author's own JSON Schema belongs, it
 * refers to their definition. What draft-07 doesn't know (`unevaluatedProperties`) is passed over
 * by editors, which then refuse less.
 *
 * @param pointer where the schema stands in the document: `#/definitions/binding-http`
 * @param authored where the document defines JSON Schemas themselves
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
  // Draft-07 passes over whatever stands beside a reference.
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

/** What stands under these is no schema. */
const data: ReadonlySet<string> = new Set(["const", "default", "enum", "examples", "required"]);

/** A reference within the schema, from the document's root. */
function led(reference: string, { pointer }: SchemaLocation): string {
  return reference.startsWith("#") ? `${pointer}${reference.slice(1)}` : reference;
}

function referenceTo($ref: string): JsonObject {
  return { $ref };
}

/**
 * What authors may write where a JSON Schema belongs, in any dialect that is read: each keyword
 * with what stands under it. Other keys pass, as they do in the compiler, which warns.
 *
 * @param self where the document defines it
 */
export function jsonSchemaInDraft07(self: string): JsonObject {
  const schema = { $ref: self };
  const properties = [...keywords].map(([name, keyword]) => [
    name,
    { description: keyword.description, ...valueOf(keyword, schema) },
  ]);
  return {
    description: "A JSON Schema: 2020-12, or draft-07 or 2019-09 where `$schema` says so.",
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
