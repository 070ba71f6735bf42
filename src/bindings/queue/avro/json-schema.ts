import { type JsonObject, type JsonValue, setOwn } from "../../../core/json.js";
import type { Span } from "../../../core/span.js";
import { below } from "../../../schema/pointer.js";
import { definitionNames } from "../definition-names.js";
import { floatForm, int32Form, int64Form } from "../exact-forms.js";
import {
  type AvroField,
  type AvroType,
  branchNameOf,
  everyType,
  nameOfType,
  partsOf,
  type RecordType,
  type UnionType,
} from "./avro-type.js";
import type { NamedUnions } from "./overlap.js";
import { textForm } from "./text-form.js";
import { namedUnion, plainUnion, type UnionWriter } from "./union-schema.js";

/** A JSON Schema of the messages of a record, with what belongs to places in it. */
export interface MessageForm {
  readonly schema: JsonObject;
  readonly places: { readonly [pointer: string]: Span };
  readonly types: { readonly [pointer: string]: string };
  readonly branches: { readonly [pointer: string]: readonly string[] };
}

/** A value as JSON has it: numbers where they are exact, text else. Records and enums are definitions; the root stands for itself. */
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
  /** Filled on the way. */
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
    // The encoding has no place for any other.
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
