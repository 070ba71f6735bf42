import protobuf from "protobufjs";
import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { Span } from "../../../core/span.js";
import type { LoadedFiles } from "./load-files.js";
import { type Places, placesOf, spanOf } from "./proto-file.js";
import {
  type EnumType,
  everyType,
  type MessageType,
  type ProtoField,
  type ProtoType,
  type WellKnownName,
  wellKnownNames,
} from "./proto-type.js";
import { isOpenEnum } from "./protobufjs-internals.js";
import { fullName, isScalar } from "./resolve-names.js";

/**
 * Converts a message's type and all types that it contains. Reports parts that can't be sent or
 * written as JSON.
 */
export function typeTree(
  message: protobuf.Type,
  { files }: LoadedFiles,
  report: Report,
): MessageType {
  const start = { file: files[0]?.source.path ?? "", start: 0, end: 0 };
  const places = placesOf(files);
  const context: TypeContext = { places, start, report, known: new Map(), waiting: [] };
  const root = messageType(message, context);
  // A loop instead of recursion, because messages may be nested many thousand levels deep.
  for (const { type, fields } of context.waiting)
    for (const each of type.fieldsArray) addField(each, fields, context);
  return root;
}

/** Registers a message before its fields, which may refer to it. */
function messageType(type: protobuf.Type, context: TypeContext): MessageType {
  const fields: ProtoField[] = [];
  const made: MessageType = {
    kind: "message",
    name: fullName(type),
    ...place(type, context),
    fields,
    oneofs: oneofsOf(type),
  };
  context.known.set(type, made);
  context.waiting.push({ type, fields });
  return made;
}

function addField(field: protobuf.Field, fields: ProtoField[], context: TypeContext): void {
  const placed = place(field, context);
  if (!checkField(field, placed.span, context.report)) return;
  fields.push({
    name: field.name,
    ...placed,
    type: typeOf(field, context),
    cardinality: cardinality(field),
  });
}

function typeOf(field: protobuf.Field, context: TypeContext): ProtoType {
  if (isScalar(field.type)) return { kind: "scalar", name: field.type };
  const { resolvedType } = field;
  const wellKnown = wellKnownName(field);
  if (wellKnown !== undefined) return { kind: "well-known", name: wellKnown };
  // Names are resolved, so every field that is not a scalar has a type.
  if (resolvedType === null) throw new Error(`not resolved: ${field.fullName}`);
  return (
    context.known.get(resolvedType) ??
    (resolvedType instanceof protobuf.Type
      ? messageType(resolvedType, context)
      : enumType(resolvedType, context))
  );
}

/**
 * Returns the name of a well-known type. Only the library's own files may declare types in that
 * package.
 */
function wellKnownName(field: protobuf.Field): WellKnownName | undefined {
  return wellKnownNames.find((name) => field.type === `.google.protobuf.${name}`);
}

function enumType(type: protobuf.Enum, context: TypeContext): EnumType {
  const values = Object.entries(type.values);
  const made: EnumType = { kind: "enum", name: fullName(type), ...place(type, context), values };
  context.known.set(type, made);
  checkEnum(type, made, context);
  return made;
}

function cardinality(field: protobuf.Field): ProtoField["cardinality"] {
  if (field instanceof protobuf.MapField) {
    // The library only accepts scalars as keys.
    if (!isScalar(field.keyType)) throw new Error(`no key: ${field.keyType}`);
    return { kind: "map", key: field.keyType };
  }
  if (field.repeated) return { kind: "repeated" };
  return { kind: field.required ? "required" : "optional" };
}

function oneofsOf(type: protobuf.Type): MessageType["oneofs"] {
  return type.oneofsArray
    .filter((each) => !each.isProto3Optional)
    .map(({ name, oneof }) => ({ name, fields: oneof }));
}

/** Returns the span of a name, and its description. */
function place(
  object: protobuf.Type | protobuf.Enum | protobuf.Field,
  { places, start }: TypeContext,
): { readonly span: Span; readonly doc?: string } {
  const found = places.get(fullName(object));
  const span = found === undefined ? start : spanOf(found.file, found.name);
  const { comment } = object;
  const isTold = typeof comment === "string" && comment.trim() !== "";
  return { span, ...(isTold && { doc: comment }) };
}

/** State of the conversion. */
export interface TypeContext {
  readonly places: Places;
  /** Span for declarations without a place of their own. */
  readonly start: Span;
  readonly report: Report;
  /** Converted types by the library's types. */
  readonly known: Map<protobuf.ReflectionObject, MessageType | EnumType>;
  /** Messages in the order in which they were found, each with the list for its fields. */
  readonly waiting: { readonly type: protobuf.Type; readonly fields: ProtoField[] }[];
}

/**
 * Reports fields that the library accepts although Protobuf doesn't, or that have no form in JSON.
 */
function checkField(field: protobuf.Field, span: Span, report: Report): boolean {
  const problem = fieldProblem(field);
  if (problem !== undefined) report.add({ span, ...problem });
  return problem === undefined;
}

interface FieldProblem {
  readonly code: `queue/${string}`;
  readonly message: string;
  readonly help?: string;
}

const bad = "queue/bad-protobuf-schema";
const unsupported = "queue/unsupported-protobuf";
const largestNumber = 2 ** 29 - 1;

function fieldProblem(field: protobuf.Field): FieldProblem | undefined {
  const { id, resolvedType } = field;
  const name = quote(field.name);
  if (id < 1 || id > largestNumber || (id >= 19_000 && id <= 19_999))
    return {
      code: bad,
      message: `${id} can't be the number of ${name}`,
      help: `use 1 to ${largestNumber}, but not 19000 to 19999, which Protobuf reserves`,
    };
  if (field.delimited)
    return {
      code: unsupported,
      message: `${name} is a group`,
      help: "declare a message, and a field of its type",
    };
  if (resolvedType !== null && fullName(resolvedType) === "google.protobuf.Any")
    return {
      code: unsupported,
      message: `${name} may hold any message, so its fields are unknown before a call`,
      help: "name the message that you mean, or a `oneof` of several messages",
    };
  return problemOfDefault(field);
}

/**
 * Reports a default other than zero if an absent field can't be told from a zero one, because an
 * absent field then means zero.
 */
function problemOfDefault(field: protobuf.Field): FieldProblem | undefined {
  const { hasPresence, options, resolvedType } = field;
  const name = quote(field.name);
  if (hasPresence) return undefined;
  if (options?.["default"] !== undefined)
    return { code: bad, message: `${name} can't have a default here`, help: "remove it" };
  const isSingle = !field.repeated && !field.map;
  // An open enum without 0 is wrong for every field, so another check reports it at the enum.
  const isClosed = resolvedType instanceof protobuf.Enum && !isOpenEnum(resolvedType);
  if (isSingle && isClosed && field.typeDefault !== 0)
    return {
      code: bad,
      message: `the first value of ${quote(fullName(resolvedType))} is not 0, but an absent ${name} means 0`,
    };
  return undefined;
}

/** Reports enum values that can't be sent. */
function checkEnum(
  type: protobuf.Enum,
  { name, span, values }: EnumType,
  context: TypeContext,
): void {
  const add = (message: string, at: Span, help?: string) =>
    context.report.add({ code: bad, span: at, message, help });
  const [first] = values;
  if (first === undefined) return add(`the enum ${quote(name)} has no values`, span);
  const large = values.find(([, number]) => (number | 0) !== number);
  const place = context.places.get(`${name}.${large?.[0] ?? first[0]}`);
  const at =
    place === undefined ? span : { file: place.file, start: place.name.start, end: place.name.end };
  if (large !== undefined)
    return add(`the number of ${quote(large[0])} is larger than 32 bits`, at);
  if (first[1] !== 0 && isOpenEnum(type))
    add(
      `the first value of the enum ${quote(name)} is not 0`,
      at,
      "add a first value with the number 0, which an absent field means: `UNKNOWN = 0;`",
    );
}

/** Reports messages that contain themselves without end. */
export function checkEndless(root: MessageType, report: Report): boolean {
  const messages = everyType(root).filter((type) => type.kind === "message");
  // Reversed, a message mostly comes after the messages that it needs, which saves rounds.
  const endless = new Set(messages.toReversed());
  let before: number;
  do {
    before = endless.size;
    for (const each of endless)
      if (!each.fields.some((field) => needs(field, endless))) endless.delete(each);
  } while (endless.size < before);
  const field = circleFrom(
    messages.find((each) => endless.has(each)),
    endless,
  );
  if (field === undefined) return true;
  report.add({
    code: "queue/endless-message",
    span: field.span,
    message: `every message in ${quote(field.name)} would need another one, without end`,
    help: "make it `optional` or `repeated`",
  });
  return false;
}

function needs({ cardinality, type }: ProtoField, endless: ReadonlySet<MessageType>): boolean {
  return cardinality.kind === "required" && type.kind === "message" && endless.has(type);
}

/**
 * Returns the field at which a cycle of endless messages closes. An endless message needs another
 * one, so following the needed messages leads into the cycle.
 */
function circleFrom(
  start: MessageType | undefined,
  endless: ReadonlySet<MessageType>,
): ProtoField | undefined {
  const passed = new Set<MessageType>();
  for (let at = start; at !== undefined;) {
    const field = at.fields.find((each) => needs(each, endless));
    if (passed.has(at) || field?.type.kind !== "message") return field;
    passed.add(at);
    at = field.type;
  }
  return undefined;
}
