import { type JsonObject, type JsonValue, setOwn } from "../../../core/json.js";
import type { Span } from "../../../core/span.js";
import { below } from "../../../schema/pointer.js";
import { definitionNames, floatForm, int32Form, int64Form, safeForm } from "../json-forms.js";
import { isLeaf, kindsOf, longsAreNumbers, type NamedUnions } from "./named-unions.js";
import { textForm } from "./text-form.js";
import {
  type AvroField,
  type AvroType,
  branchNameOf,
  everyType,
  nameOfType,
  partsOf,
  type RecordType,
  type UnionType,
} from "./type-tree.js";

/** The JSON Schema of a record's messages, with facts about places in it. */
export interface MessageForm {
  readonly schema: JsonObject;
  readonly places: { readonly [pointer: string]: Span };
  readonly types: { readonly [pointer: string]: string };
  readonly branches: { readonly [pointer: string]: readonly string[] };
}

/**
 * Returns the JSON form of a record's messages: numbers if JSON holds them exactly, and text
 * otherwise. Records and enums become definitions; the root is inlined.
 */
export function messageForm(root: RecordType, named: NamedUnions): MessageForm {
  const types = everyType(root).filter((type) => type.kind === "record" || type.kind === "enum");
  const names = definitionNames<AvroType>(types, root);
  const writer: Writer = { names, named, places: {}, types: {}, branches: {} };
  const schema = recordSchema(root, "", writer);
  const definitions: Record<string, JsonValue> = {};
  for (const [type, name] of names) {
    if (type !== root) setOwn(definitions, name, bodyOf(type, below("", "$defs", name), writer));
  }
  const { branches, places } = writer;
  const isAlone = Object.keys(definitions).length === 0;
  const whole = isAlone ? schema : { ...schema, $defs: definitions };
  return { schema: whole, places, types: writer.types, branches };
}

interface Writer {
  readonly names: ReadonlyMap<AvroType, string>;
  readonly named: NamedUnions;
  /** Filled while the schema is written. */
  readonly places: Record<string, Span>;
  readonly types: Record<string, string>;
  readonly branches: Record<string, readonly string[]>;
}

function schemaOf(type: AvroType, span: Span, pointer: string, writer: Writer): JsonObject {
  writer.places[pointer] = span;
  writer.types[pointer] = nameOfType(type);
  const name = writer.names.get(type);
  if (name === undefined) return bodyOf(type, pointer, writer);
  return { $ref: name === "" ? "#" : `#/$defs/${name}` };
}

function bodyOf(type: AvroType, pointer: string, writer: Writer): JsonObject {
  switch (type.kind) {
    case "record":
      return recordSchema(type, pointer, writer);
    case "enum":
      note(type, pointer, writer);
      return { ...textForm(type), ...described(type.doc) };
    case "array":
      return {
        type: "array",
        items: schemaOf(type.items, type.span, below(pointer, "items"), writer),
      };
    case "map":
      return {
        type: "object",
        additionalProperties: schemaOf(
          type.values,
          type.span,
          below(pointer, "additionalProperties"),
          writer,
        ),
      };
    case "union":
      return unionSchema(type, pointer, writer);
    default:
      return textForm(type) ?? numberForm(nameOfType(type));
  }
}

function note(type: AvroType & { readonly span: Span }, pointer: string, writer: Writer): void {
  writer.places[pointer] = type.span;
  writer.types[pointer] = nameOfType(type);
}

function described(doc: string | undefined): JsonObject {
  return doc === undefined ? {} : { description: doc };
}

function numberForm(name: string): JsonObject {
  switch (name) {
    case "int":
      return int32Form;
    case "long":
      return int64Form;
    case "float":
      return floatForm;
    default:
      return { type: name === "double" ? "number" : name };
  }
}

function recordSchema(record: RecordType, pointer: string, writer: Writer): JsonObject {
  note(record, pointer, writer);
  const properties: Record<string, JsonValue> = {};
  for (const field of record.fields) {
    const at = below(pointer, "properties", field.name);
    setOwn(properties, field.name, fieldSchema(field, at, writer));
  }
  const required = record.fields.filter((field) => field.default === undefined);
  return {
    type: "object",
    ...described(record.doc),
    ...(record.fields.length > 0 && { properties }),
    ...(required.length > 0 && { required: required.map((field) => field.name) }),
    // The encoding can't hold other fields.
    additionalProperties: false,
  };
}

function fieldSchema(field: AvroField, pointer: string, writer: Writer): JsonObject {
  const schema = schemaOf(field.type, field.typeSpan, pointer, writer);
  return { ...schema, ...described(field.doc) };
}

function unionSchema(union: UnionType, pointer: string, writer: Writer): JsonObject {
  const { named } = writer;
  const aside: Writer = { ...writer, places: {}, types: {}, branches: {} };
  const using: UnionWriter = {
    named,
    schemaOf: (type, span, at) => schemaOf(type, span, at, writer),
    leafForm: ({ type, typeSpan }) => schemaOf(type, typeSpan, "", aside),
  };
  if (!named.has(union)) return plainUnion(union, pointer, using);
  const names = partsOf(union).map(branchNameOf);
  writer.branches[pointer] = names.filter((name) => name !== "null");
  return namedUnion(union, pointer, using);
}

/** The parts of the writer that unions need. */
export interface UnionWriter {
  readonly named: NamedUnions;
  readonly schemaOf: (type: AvroType, span: Span, pointer: string) => JsonObject;
  /** Returns the schema of a field without adding it to the document. */
  readonly leafForm: (field: AvroField) => JsonObject;
}

/** Writes a union whose values show their branch themselves. */
function plainUnion(union: UnionType, pointer: string, writer: UnionWriter): JsonObject {
  const { leafForm, named, schemaOf } = writer;
  const types = partsOf(union);
  const numbersOnly = longsAreNumbers(types);
  const objects = types.filter((type) => type.kind === "record" || type.kind === "map");
  const isDeep = sharesDeepFields(types, named);
  const anyOf = union.branches.map(({ type, span }, index) => {
    const schema = schemaOf(type, span, below(pointer, "anyOf", index));
    if (numbersOnly && nameOfType(type) === "long") return safeForm;
    const isOneOfSeveral = type.kind === "record" && objects.length > 1;
    return isOneOfSeveral && isDeep ? guarded(schema, type, named, leafForm) : schema;
  });
  return { anyOf };
}

/**
 * Writes a union as in Avro's own JSON: null, or an object whose only property is named like the
 * branch.
 */
function namedUnion(union: UnionType, pointer: string, { schemaOf }: UnionWriter): JsonObject {
  const anyOf = union.branches.map(({ type, span }, index): JsonObject => {
    const at = below(pointer, "anyOf", index);
    const name = branchNameOf(type);
    if (name === "null") return schemaOf(type, span, at);
    const properties = {};
    setOwn(properties, name, schemaOf(type, span, below(at, "properties", name)));
    return { type: "object", properties, required: [name], additionalProperties: false };
  });
  return { anyOf };
}

/** Limits an object to a record's field names, which tell the record apart from other objects. */
function closed({ fields }: RecordType): JsonObject {
  if (fields.length === 0) return { maxProperties: 0 };
  return { propertyNames: { enum: fields.map((field) => field.name) } };
}

/** Returns whether several branches could look deep into the same field. */
function sharesDeepFields(types: readonly AvroType[], named: NamedUnions): boolean {
  const deep = types.flatMap((type) =>
    type.kind === "record" ? type.fields.filter((field) => !isLeaf(field.type, named)) : [],
  );
  return new Set(deep.map((field) => field.name)).size < deep.length;
}

/**
 * Checks a record's nested values only if its own properties match. Otherwise every branch would
 * check them again at each level, and a message with thirty levels would take hours. The double
 * negation doesn't change the condition, but keeps tools that make types from seeing a narrower
 * one.
 */
function guarded(
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
