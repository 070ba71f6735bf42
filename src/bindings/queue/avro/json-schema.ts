import { type JsonObject, type JsonValue, setOwn } from "../../../core/json.js";
import type { Span } from "../../../core/span.js";
import { below } from "../../../schema/pointer.js";
import { definitionNames } from "../definition-names.js";
import { floatForm, int32Form, int64Form, safeForm } from "../exact-forms.js";
import {
  type AvroField,
  type AvroType,
  everyType,
  nameOfType,
  partsOf,
  type RecordType,
  type UnionType,
} from "./avro-type.js";
import { guarded, sharesDeepFields } from "./branch-form.js";
import { longsAreNumbers } from "./check-unions.js";
import { textForm } from "./text-form.js";

/** A JSON Schema of the messages of a record, with what belongs to places in it. */
export interface MessageForm {
  readonly schema: JsonObject;
  readonly places: { readonly [pointer: string]: Span };
  readonly types: { readonly [pointer: string]: string };
}

/** A value as JSON has it: numbers where they are exact, text else. Records and enums are definitions; the root stands for itself. */
export function messageForm(root: RecordType): MessageForm {
  const named = everyType(root).filter((type) => type.kind === "record" || type.kind === "enum");
  const names = definitionNames<AvroType>(named, root);
  const writer: Writer = { names, places: {}, types: {} };
  const schema = recordSchema(root, "", writer);
  const definitions: Record<string, JsonValue> = {};
  for (const [type, name] of names) {
    if (type !== root) setOwn(definitions, name, bodyOf(type, below("", "$defs", name), writer));
  }
  const { places, types } = writer;
  const isAlone = Object.keys(definitions).length === 0;
  return { schema: isAlone ? schema : { ...schema, $defs: definitions }, places, types };
}

interface Writer {
  readonly names: ReadonlyMap<AvroType, string>;
  /** Filled on the way. */
  readonly places: Record<string, Span>;
  readonly types: Record<string, string>;
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
  const types = partsOf(union);
  const numbersOnly = longsAreNumbers(types);
  const objects = types.filter((type) => type.kind === "record" || type.kind === "map");
  const isDeep = sharesDeepFields(types);
  const aside: Writer = { ...writer, places: {}, types: {} };
  const leafForm = ({ type, typeSpan }: AvroField) => schemaOf(type, typeSpan, "", aside);
  const anyOf = union.branches.map(({ type, span }, index) => {
    const schema = schemaOf(type, span, below(pointer, "anyOf", index), writer);
    if (numbersOnly && nameOfType(type) === "long") return safeForm;
    const isOneOfSeveral = type.kind === "record" && objects.length > 1;
    return isOneOfSeveral && isDeep ? guarded(schema, type, leafForm) : schema;
  });
  return { anyOf };
}
