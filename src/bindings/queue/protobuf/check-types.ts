import protobuf from "protobufjs";
import { quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { Span } from "../../../core/span.js";
import type { EnumType } from "./proto-type.js";
import { fullName } from "./resolve-names.js";
import type { TypeContext } from "./type-context.js";

/** Reports what the library takes though Protobuf does not, or what JSON has no form for. */
export function checkField(field: protobuf.Field, span: Span, report: Report): boolean {
  const fault = faultOf(field);
  if (fault !== undefined) report.add({ span, ...fault });
  return fault === undefined;
}

interface Fault {
  readonly code: `queue/${string}`;
  readonly message: string;
  readonly help?: string;
}

const bad = "queue/bad-protobuf-schema";
const unsupported = "queue/unsupported-protobuf";
const largestNumber = 2 ** 29 - 1;

function faultOf(field: protobuf.Field): Fault | undefined {
  const { id, resolvedType } = field;
  const name = quote(field.name);
  if (id < 1 || id > largestNumber || (id >= 19_000 && id <= 19_999))
    return {
      code: bad,
      message: `${id} can't be the number of ${name}`,
      help: `numbers are 1 to ${largestNumber}, without 19000 to 19999, which Protobuf keeps for itself`,
    };
  if (field.delimited)
    return {
      code: unsupported,
      message: `${name} is a group`,
      help: "make it a message, and a field of it",
    };
  if (resolvedType !== null && fullName(resolvedType) === "google.protobuf.Any")
    return {
      code: unsupported,
      message: `${name} may hold any message: what it is made of is not known until a call`,
      help: "name the message that is meant, or a `oneof` of those that are",
    };
  return faultOfDefault(field);
}

/** Where a field that is absent can't be told from one that is zero, zero is what an absent one means. */
function faultOfDefault(field: protobuf.Field): Fault | undefined {
  const { hasPresence, options, resolvedType } = field;
  const name = quote(field.name);
  if (hasPresence) return undefined;
  if (options?.["default"] !== undefined)
    return { code: bad, message: `${name} can't have a default here`, help: "remove it" };
  const isSingle = !field.repeated && !field.map;
  if (isSingle && resolvedType instanceof protobuf.Enum && field.typeDefault !== 0)
    return {
      code: bad,
      message: `the first value of ${quote(fullName(resolvedType))} is not 0, which an absent ${name} means`,
    };
  return undefined;
}

/** Reports values that can't be sent. */
export function checkEnum(
  type: protobuf.Enum,
  { name, span, values }: EnumType,
  context: TypeContext,
): void {
  const add = (message: string, at: Span) => context.report.add({ code: bad, span: at, message });
  const [first] = values;
  if (first === undefined) return add(`the enum ${quote(name)} has no values`, span);
  const large = values.find(([, number]) => (number | 0) !== number);
  const place = context.places.get(`${name}.${large?.[0] ?? first[0]}`);
  const at =
    place === undefined ? span : { file: place.file, start: place.name.start, end: place.name.end };
  if (large !== undefined)
    return add(`the number of ${quote(large[0])} is larger than 32 bits`, at);
  if (first[1] !== 0 && isOpen(type))
    add(`the first value of the enum ${quote(name)} is not 0`, at);
}

/** Whether it may get more values later, as all of proto3 may. */
function isOpen(type: protobuf.Enum): boolean {
  // The library keeps what it found out here, and declares it nowhere.
  const features = Reflect.get(type, "_features") as { readonly enum_type?: string };
  return features.enum_type !== "CLOSED";
}
