import { type JsonObject, type JsonValue, setOwn } from "../../../core/json.js";
import type { AvroField, AvroType, RecordType } from "./avro-type.js";
import { isLeaf, kindsOf, type NamedUnions } from "./overlap.js";

/** Among several kinds of objects, a record is known by its fields too. */
function closed({ fields }: RecordType): JsonObject {
  if (fields.length === 0) return { maxProperties: 0 };
  return { propertyNames: { enum: fields.map((field) => field.name) } };
}

/** Whether a value may be looked into by more than one branch. */
export function sharesDeepFields(types: readonly AvroType[], named: NamedUnions): boolean {
  const deep = types.flatMap((type) =>
    type.kind === "record" ? type.fields.filter((field) => !isLeaf(field.type, named)) : [],
  );
  return new Set(deep.map((field) => field.name)).size < deep.length;
}

/**
 * A record that is looked into only once it is known that it is this one. Every branch that looked into a value would do so again at each level, and a message of
 * thirty levels would take hours. What is denied twice holds; it says no more than that to whoever makes types of it.
 */
export function guarded(
  schema: JsonObject,
  record: RecordType,
  named: NamedUnions,
  leafForm: (field: AvroField) => JsonObject,
): JsonObject {
  const properties: Record<string, JsonValue> = {};
  for (const field of record.fields) {
    const form = isLeaf(field.type, named) ? leafForm(field) : { type: kindsOf(field.type, named) };
    setOwn(properties, field.name, form);
  }
  const required = record.fields.filter((field) => field.default === undefined);
  const known = { ...closed(record), properties, required: required.map((field) => field.name) };
  // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema has a keyword of that name
  return { if: { not: { not: known } }, then: schema, else: false };
}
