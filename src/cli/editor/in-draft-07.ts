import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.js";
import { editorMark, schemaMark } from "../../schema/editor-marks.js";

/**
 * A schema of ours, which is 2020-12, as a part of a draft-07 document: editors know that one best. Its references lead to where it stands there, and where an author's
 * own JSON Schema belongs, it refers to their definition. What draft-07 doesn't know (`unevaluatedProperties`) is passed over by editors, which then refuse less.
 *
 * @param pointer where the schema stands in the document: `#/definitions/binding-http`
 * @param authored where the document defines JSON Schemas themselves
 */
export function inDraft07(schema: JsonObject, pointer: string, authored: string): JsonObject {
  const { $schema: _, title: __, ...rest } = schema;
  return embedded(rest, { pointer, authored });
}

interface Place {
  readonly pointer: string;
  readonly authored: string;
}

function embedded(schema: JsonObject, place: Place): JsonObject {
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

function embeddedValue(value: JsonValue, place: Place): JsonValue {
  if (Array.isArray(value)) return value.map((each: JsonValue) => embeddedValue(each, place));
  return isJsonObject(value) ? embedded(value, place) : value;
}

/** What stands under these is no schema. */
const data: ReadonlySet<string> = new Set(["const", "default", "enum", "examples", "required"]);

/** A reference within the schema, from the document's root. */
function led(reference: string, { pointer }: Place): string {
  return reference.startsWith("#") ? `${pointer}${reference.slice(1)}` : reference;
}

function referenceTo($ref: string): JsonObject {
  return { $ref };
}
