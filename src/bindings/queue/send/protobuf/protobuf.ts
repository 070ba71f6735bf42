import minimal from "protobufjs/minimal.js";
import { pointerStep } from "../../../../runtime/json/pointer.js";
import { RefusedValue } from "../../../../runtime/executor.js";
import type { MessageEncoder } from "../../contract.js";
import { isNoJson } from "./json-values.js";

/**
 * The entry point `@skillc/runtime/v1/protobuf`: imports for generated modules that encode Protobuf
 * messages.
 */

export { bytes, list, long, map, own, symbols, text } from "./json-values.js";
export {
  boolValue,
  bytesValue,
  doubleValue,
  duration,
  empty,
  fieldMask,
  floatValue,
  int32Value,
  int64Value,
  listValue,
  nullValue,
  stringValue,
  struct,
  timestamp,
  uInt32Value,
  uInt64Value,
  value,
} from "./json-values.js";

/** protobufjs' writer and utilities, which its encoders use. */
export const { Writer, util } = minimal;

/** Encodes a message that its validator accepted. */
export type Encode = (message: unknown) => Uint8Array;

/**
 * Encodes messages in Protobuf's binary encoding.
 *
 * It takes JSON by the mapping of proto3, with the schema's field names. It leaves out unknown
 * fields.
 *
 * @param name name of the message with its package: `acme.OrderCreated`
 * @param encode generated encoder of the message
 */
export function protobuf<Message>(name: string, encode: Encode): MessageEncoder<Message> {
  return {
    contentType: "application/x-protobuf",
    encode(message) {
      try {
        return encode(message);
      } catch (error) {
        throw placedError(error, message, name);
      }
    },
  };
}

/**
 * Adds the place to an error. Encoders don't know the place of a value, so it is searched only
 * after an error.
 */
function placedError(error: unknown, message: unknown, name: string): unknown {
  if (isTooDeep(error)) {
    const most = `${util.recursionLimit} levels of messages`;
    return new RefusedValue("", "depth", `must not nest deeper than ${most} in ${name}`);
  }
  if (!(error instanceof RefusedValue)) return error;
  const isMismatch = error.keyword === "text" ? isIllFormed : isNoJson;
  return new RefusedValue(firstMismatch(message, isMismatch), error.keyword, error.message);
}

function isIllFormed(value: unknown): boolean {
  return typeof value === "string" && !value.isWellFormed();
}

/** Returns whether the stack overflowed, or the library stopped first. */
function isTooDeep(error: unknown): boolean {
  return (
    error instanceof RangeError ||
    (error instanceof Error && error.message === "max depth exceeded")
  );
}

/**
 * Returns the JSON pointer of the first value or key for which a test is true; empty if there is
 * none.
 */
function firstMismatch(message: unknown, isMismatch: (value: unknown) => boolean): string {
  return stepsTo(message, isMismatch)?.toReversed().map(pointerStep).join("") ?? "";
}

/** Returns the steps from the inside out. */
function stepsTo(value: unknown, isMismatch: (value: unknown) => boolean): string[] | undefined {
  if (isMismatch(value)) return [];
  if (typeof value !== "object" || value === null) return undefined;
  const isList = Array.isArray(value);
  for (const [key, each] of Object.entries(value)) {
    if (each === undefined && !isList) continue;
    const steps = !isList && isMismatch(key) ? [] : stepsTo(each, isMismatch);
    if (steps === undefined) continue;
    steps.push(key);
    return steps;
  }
  return undefined;
}
