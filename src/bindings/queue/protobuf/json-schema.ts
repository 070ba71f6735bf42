import { signedDigits, unsignedDigits, upTo } from "../../../schema/digit-patterns.js";
import { type JsonObject, type JsonValue, setOwn } from "../../../core/json.js";
import type { Span } from "../../../core/span.js";
import { oneOfEach } from "../../../schema/compare/conditions.js";
import { withWords } from "../../../schema/form-words.js";
import { below } from "../../../schema/pointer.js";
import {
  bytesForm,
  clockPattern,
  dayPattern,
  definitionNames,
  exactText,
  floatForm,
  fractionPattern,
  int32Form,
  int64Form,
  offsetPattern,
  safeForm,
} from "../json-forms.js";
import {
  type EnumType,
  everyType,
  type MessageType,
  nameOfField,
  nameOfType,
  type Oneof,
  type ProtoField,
  type ProtoType,
  type ScalarName,
  type WellKnownName,
  wrappedBy,
} from "./proto-type.js";

/** The JSON Schema of messages, with facts about places in it. */
export interface MessageForm {
  readonly schema: JsonObject;
  readonly places: { readonly [pointer: string]: Span };
  readonly types: { readonly [pointer: string]: string };
}

/**
 * Returns the form of messages by proto3's JSON mapping, with the names of the schema file.
 * Messages and enums become definitions; the root is inlined.
 */
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
  /** Filled while the schema is written. */
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
    // The encoding can't hold other fields.
    additionalProperties: false,
    ...(oneofs.length > 0 && {
      ...oneOfEach(oneofs.map(({ fields, name }) => ({ title: name, names: fields }))),
      ...withWords(oneEachWords(oneofs)),
    }),
  };
}

/** Maximum number of names that a problem text lists, and of groups of names. */
const maxListed = 8;

function oneEachWords(oneofs: readonly Oneof[]): string {
  const groups = oneofs.slice(0, maxListed).map(({ fields }) => {
    const names = fields.slice(0, maxListed).map((each) => `\`${each}\``);
    return `one of ${[...names, ...(fields.length > maxListed ? ["…"] : [])].join(", ")}`;
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

const uint32Form: JsonObject = { type: "integer", minimum: 0, maximum: 2 ** 32 - 1 };
const uint64Form: JsonObject = {
  ...safeForm,
  minimum: 0,
  ...exactText(unsignedDigits(64), {
    says: "an integer from 0, of 64 bits, or its digits",
    pattern: "^(0|[1-9][0-9]{0,18})$",
  }),
  type: ["integer", "string"],
};

const scalarForms: { readonly [name in ScalarName]: JsonObject } = {
  double: { type: "number" },
  float: floatForm,
  int32: int32Form,
  sint32: int32Form,
  sfixed32: int32Form,
  uint32: uint32Form,
  fixed32: uint32Form,
  int64: int64Form,
  sint64: int64Form,
  sfixed64: int64Form,
  uint64: uint64Form,
  fixed64: uint64Form,
  bool: { type: "boolean" },
  string: { type: "string" },
  bytes: bytesForm,
};

/** Returns the JSON form of a scalar: numbers if JSON holds them exactly, and text otherwise. */
export function scalarForm(name: ScalarName): JsonObject {
  return scalarForms[name];
}

/** Returns the form of a map's keys, which are text in JSON. */
export function keyForm(name: ScalarName): JsonObject | undefined {
  if (name === "string") return undefined;
  if (name === "bool") return { enum: ["true", "false"] };
  const bits = name.endsWith("32") ? 32 : 64;
  const digits = isSigned(name) ? signedDigits(bits) : unsignedDigits(bits);
  const [from, sign] = isSigned(name) ? ["", "-?"] : [" from 0", ""];
  const says = `the digits of an integer${from}, of ${bits} bits`;
  const pattern = `^(0|${sign}[1-9][0-9]{0,${bits === 32 ? 8 : 17}})$`;
  return { pattern: `^(?:${digits})$`, ...withWords(says, { pattern }) };
}

function isSigned(name: ScalarName): boolean {
  return !name.startsWith("u") && !name.startsWith("fixed");
}

const fraction = fractionPattern(9);
/** The first and the last day of the range of `Timestamp` are complete only in UTC. */
const timestamp =
  `(?!0000)${dayPattern}T${clockPattern}${fraction}Z|` +
  `(?!0000|0001-01-01|9999-12-31)${dayPattern}T${clockPattern}${fraction}${offsetPattern}`;
/** About 10,000 years. */
const maxSeconds = "315576000000";
const duration = `-?(?:0|${upTo(maxSeconds)})${fraction}s`;
const fieldPath = "[A-Za-z][A-Za-z0-9]*(?:\\.[A-Za-z][A-Za-z0-9]*)*";

/** Returns the form of a message that Protobuf's JSON mapping does not write as a plain object. */
export function wellKnownForm(name: WellKnownName): JsonObject {
  const wrapped = wrappedBy(name);
  return wrapped === undefined ? (otherForms[name] ?? {}) : scalarForm(wrapped);
}

const otherForms: { readonly [name in WellKnownName]?: JsonObject } = {
  Timestamp: exactText(
    timestamp,
    {
      says: "a date-time with its offset and at most 9 digits of fraction, such as `2026-01-02T03:04:05Z`",
    },
    { format: "date-time" },
  ),
  Duration: exactText(duration, {
    says: "a number of seconds, such as `3.5s`",
    pattern: "^(0|[1-9][0-9]{0,10})(\\.[0-9]{1,9})?s$",
  }),
  FieldMask: exactText(`(?:${fieldPath}(?:,${fieldPath})*)?`, {
    says: "names of fields in camel case, such as `total,customer.firstName`",
    pattern: "^[a-z][A-Za-z0-9]*(,[a-z][A-Za-z0-9]*)*$",
  }),
  Struct: { type: "object", additionalProperties: true },
  ListValue: { type: "array" },
  NullValue: { type: "null" },
  Empty: { type: "object", additionalProperties: false },
};
