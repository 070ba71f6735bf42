/** True if the library's JSON mapping returns the value that was encoded. */
import protobuf from "protobufjs";
import protojson from "protobufjs/ext/protojson.js";

/**
 * @param back the decoded message as the library's canonical JSON, without fields that have their
 * default
 */
export function isSameMessage(type: protobuf.Type, given: unknown, back: unknown): boolean {
  if (!isObject(given) || !isObject(back)) return false;
  return type.fieldsArray.every((field) => {
    const [one, other] = [ownValue(given, field.name), ownValue(back, field.name)];
    if (one === undefined) return other === undefined;
    return other === undefined ? isDefault(field, one) : isSameField(field, one, other);
  });
}

function isSameField(field: protobuf.Field, given: unknown, back: unknown): boolean {
  if (field.repeated)
    return (
      Array.isArray(given) &&
      Array.isArray(back) &&
      given.length === back.length &&
      given.every((each, index) => isSameValue(field, each, back[index]))
    );
  if (!field.map) return isSameValue(field, given, back);
  if (!isObject(given) || !isObject(back)) return false;
  const keys = Object.keys(given);
  return (
    keys.length === Object.keys(back).length &&
    keys.every((key) => Object.hasOwn(back, key) && isSameValue(field, given[key], back[key]))
  );
}

function isSameValue(field: protobuf.Field, given: unknown, back: unknown): boolean {
  const { resolvedType, type } = field;
  const own = /^\.google\.protobuf\.(\w+)$/.exec(resolvedType?.fullName ?? "")?.[1];
  if (own !== undefined && resolvedType instanceof protobuf.Type)
    return isSameWellKnown(resolvedType, own, given, back);
  if (resolvedType instanceof protobuf.Enum) {
    if (own === "NullValue") return given === null && back === null;
    const { values } = resolvedType;
    return (
      typeof given === "string" &&
      Object.hasOwn(values, given) &&
      values[given] === values[String(back)]
    );
  }
  return resolvedType === null
    ? isSameScalar(type, given, back)
    : isSameMessage(resolvedType, given, back);
}

function isSameScalar(type: string, given: unknown, back: unknown): boolean {
  if (type.endsWith("64"))
    return (
      (typeof given === "string" || Number.isSafeInteger(given)) && String(given) === String(back)
    );
  if (type === "float" && typeof given === "number") return Object.is(Math.fround(given), back);
  // Whole numbers have no negative zero.
  return type === "double" ? Object.is(given, back) : given === back;
}

function isSameWellKnown(
  type: protobuf.Type,
  name: string,
  given: unknown,
  back: unknown,
): boolean {
  const wrapped = type.fields["value"];
  if (name.endsWith("Value") && wrapped !== undefined && wrapped.resolvedType === null)
    return isSameScalar(wrapped.type, given, back);
  if (name === "Timestamp" || name === "Duration") {
    const [one, other] = [given, back].map((each) =>
      JSON.stringify(protojson.fromJson(type, each)),
    );
    return one === other && (name === "Timestamp" || !/^-?0\d/.test(String(given)));
  }
  if (name === "FieldMask")
    return (
      given === back && /^$|^[A-Za-z][A-Za-z0-9]*(?:[.,][A-Za-z][A-Za-z0-9]*)*$/.test(String(given))
    );
  if (name === "Empty") return isObject(given);
  return isSameJson(given, back);
}

function isSameJson(given: unknown, back: unknown): boolean {
  if (Array.isArray(given))
    return (
      Array.isArray(back) &&
      given.length === back.length &&
      given.every((each, index) => isSameJson(each, back[index]))
    );
  if (!isObject(given)) return Object.is(given, back);
  if (!isObject(back)) return false;
  const keys = Object.keys(given);
  return (
    keys.length === Object.keys(back).length &&
    keys.every((key) => Object.hasOwn(back, key) && isSameJson(given[key], back[key]))
  );
}

/** Value of an absent field without presence. */
function isDefault(field: protobuf.Field, given: unknown): boolean {
  if (field.repeated) return Array.isArray(given) && given.length === 0;
  if (field.map) return isObject(given) && Object.keys(given).length === 0;
  if (field.hasPresence) return false;
  const { resolvedType, type } = field;
  if (resolvedType?.fullName === ".google.protobuf.NullValue") return given === null;
  if (resolvedType instanceof protobuf.Enum)
    return typeof given === "string" && resolvedType.values[given] === 0;
  if (type === "string" || type === "bytes") return given === "";
  if (type === "bool") return given === false;
  if (type.endsWith("64")) return given === "0" || given === 0;
  // A number may be too small for 32 bits.
  return type === "float" ? typeof given === "number" && Math.fround(given) === 0 : given === 0;
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function ownValue(object: { readonly [name: string]: unknown }, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
