import { type JsonObject, type JsonValue, setOwn } from "../../../core/json.js";
import type { Span } from "../../../core/span.js";
import { oneOfEach } from "../../../schema/compare/conditions.js";
import { below } from "../../../schema/pointer.js";
import { withWords } from "../../../schema/form-words.js";
import { definitionNames } from "../definition-names.js";
import { keyForm, scalarForm, wellKnownForm } from "./json-form.js";
import {
  type EnumType,
  everyType,
  type MessageType,
  nameOfField,
  nameOfType,
  type Oneof,
  type ProtoField,
  type ProtoType,
} from "./proto-type.js";

/** A JSON Schema of messages, with what belongs to places in it. */
export interface MessageForm {
  readonly schema: JsonObject;
  readonly places: { readonly [pointer: string]: Span };
  readonly types: { readonly [pointer: string]: string };
}

/** By the JSON mapping of proto3, with names as the file has them. Messages and enums are definitions; the root stands for itself. */
export function messageForm(root: MessageType): MessageForm {
  const names = definitionNames<MessageType | EnumType>(everyType(root), root);
  const writer: Writer = { names, places: {}, types: {} };
  const schema = messageSchema(root, "", writer);
  const definitions: Record<string, JsonValue> = {};
  for (const [type, name] of names) {
    if (type === root) continue;
    const pointer = below("", "$defs", name);
    const body =
      type.kind === "enum"
        ? enumSchema(type, pointer, writer)
        : messageSchema(type, pointer, writer);
    setOwn(definitions, name, body);
  }
  const { places, types } = writer;
  const isAlone = Object.keys(definitions).length === 0;
  return { schema: isAlone ? schema : { ...schema, $defs: definitions }, places, types };
}

interface Writer {
  readonly names: ReadonlyMap<ProtoType, string>;
  /** Filled on the way. */
  readonly places: Record<string, Span>;
  readonly types: Record<string, string>;
}

function note(pointer: string, span: Span, name: string, writer: Writer): void {
  writer.places[pointer] = span;
  writer.types[pointer] = name;
}

function described(doc: string | undefined): JsonObject {
  return doc === undefined ? {} : { description: doc };
}

function enumSchema(type: EnumType, pointer: string, writer: Writer): JsonObject {
  note(pointer, type.span, type.name, writer);
  return { type: "string", enum: type.values.map(([name]) => name), ...described(type.doc) };
}

function messageSchema(message: MessageType, pointer: string, writer: Writer): JsonObject {
  note(pointer, message.span, message.name, writer);
  const properties: Record<string, JsonValue> = {};
  for (const field of message.fields)
    setOwn(
      properties,
      field.name,
      fieldSchema(field, below(pointer, "properties", field.name), writer),
    );
  const required = message.fields.filter((field) => field.cardinality.kind === "required");
  const oneofs = message.oneofs.filter(({ fields }) => fields.length > 1);
  return {
    type: "object",
    ...described(message.doc),
    ...(message.fields.length > 0 && { properties }),
    ...(required.length > 0 && { required: required.map((field) => field.name) }),
    // The encoding has no place for any other.
    additionalProperties: false,
    ...(oneofs.length > 0 && {
      ...oneOfEach(oneofs.map(({ fields, name }) => ({ title: name, names: fields }))),
      ...withWords(oneEachWords(oneofs)),
    }),
  };
}

/** Names, and groups of them, that are told. */
const mostTold = 8;

function oneEachWords(oneofs: readonly Oneof[]): string {
  const groups = oneofs.slice(0, mostTold).map(({ fields }) => {
    const names = fields.slice(0, mostTold).map((each) => `\`${each}\``);
    return `one of ${[...names, ...(fields.length > mostTold ? ["…"] : [])].join(", ")}`;
  });
  return `an object with at most ${groups.join(", and ")}`;
}

function fieldSchema(field: ProtoField, pointer: string, writer: Writer): JsonObject {
  note(pointer, field.span, nameOfField(field), writer);
  return { ...cardinalSchema(field, pointer, writer), ...described(field.doc) };
}

function cardinalSchema(field: ProtoField, pointer: string, writer: Writer): JsonObject {
  const { cardinality, span, type } = field;
  if (cardinality.kind === "repeated") {
    const at = below(pointer, "items");
    note(at, span, nameOfType(type), writer);
    return { type: "array", items: valueSchema(type, writer) };
  }
  if (cardinality.kind !== "map") return valueSchema(type, writer);
  note(below(pointer, "additionalProperties"), span, nameOfType(type), writer);
  const keys = keyForm(cardinality.key);
  return {
    type: "object",
    ...(keys && { propertyNames: keys }),
    additionalProperties: valueSchema(type, writer),
  };
}

function valueSchema(type: ProtoType, writer: Writer): JsonObject {
  if (type.kind === "scalar") return scalarForm(type.name);
  if (type.kind === "well-known") return wellKnownForm(type.name);
  const name = writer.names.get(type) ?? "";
  return { $ref: name === "" ? "#" : `#/$defs/${name}` };
}
