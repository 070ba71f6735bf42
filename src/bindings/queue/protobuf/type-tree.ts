import protobuf from "protobufjs";
import type { Report } from "../../../core/report.js";
import type { Span } from "../../../core/span.js";
import { checkEnum, checkField } from "./check-types.js";
import type { LoadedFiles } from "./load-files.js";
import { placesOf } from "./proto-file.js";
import {
  type EnumType,
  type MessageType,
  type ProtoField,
  type ProtoType,
  type WellKnownName,
  wellKnownNames,
} from "./proto-type.js";
import { fullName, isScalar } from "./resolve-names.js";
import type { TypeContext } from "./type-context.js";
import { spanOf } from "./tokens.js";

/** A message's type with all that it is made of. What can't be sent or written as JSON is reported. */
export function typeTree(
  message: protobuf.Type,
  { files }: LoadedFiles,
  report: Report,
): MessageType {
  const start = { file: files[0]?.source.path ?? "", start: 0, end: 0 };
  const places = placesOf(files);
  const context: TypeContext = { places, start, report, known: new Map(), waiting: [] };
  const root = messageType(message, context);
  // One after another: messages may go on from one to the next many thousand times.
  for (const { type, fields } of context.waiting)
    for (const each of type.fieldsArray) addField(each, fields, context);
  return root;
}

/** Without fields yet: they may refer to it. */
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
  // Names were resolved, and what is no scalar has a type then.
  if (resolvedType === null) throw new Error(`not resolved: ${field.fullName}`);
  return (
    context.known.get(resolvedType) ??
    (resolvedType instanceof protobuf.Type
      ? messageType(resolvedType, context)
      : enumType(resolvedType, context))
  );
}

/** No file may declare anything in the package but the library's own. */
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
    // The library takes no key that is no scalar.
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

/** Where something is named, and what is said of it. */
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
