import minimal from "protobufjs/minimal.js";
import { pointerStep } from "../../../../runtime/json/pointer.js";
import { RefusedValue } from "../../../../runtime/executor.js";
import type { MessageEncoder } from "../../contract.js";
import { isNoJson } from "./json-values.js";

/**
 * The entry point `@skillc/runtime/v1/protobuf`: what generated modules import that encode Protobuf
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

/** What protobufjs's encoders write with. */
export const { Writer, util } = minimal;

/** Bytes of a message that its validator passed. */
export type Encode = (message: unknown) => Uint8Array;

/**
 * Messages in Protobuf's binary encoding.
 *
 * Takes JSON by the mapping of proto3, with names as the schema has them. Fields that the schema
 * does not know are left out.
 *
 * @param name of the message, with its package: `acme.OrderCreated`
 * @param encode what was generated for it
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

/** Values are refused where they stand without knowing where that is: it is found out only then. */
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

/** Out of stack before that, or stopped by the library. */
function isTooDeep(error: unknown): boolean {
  return (
    error instanceof RangeError ||
    (error instanceof Error && error.message === "max depth exceeded")
  );
}

/**
 * Where the first value stands that a test finds, as a JSON pointer; empty when none is found. Keys
 * are tested too.
 */
function firstMismatch(message: unknown, isMismatch: (value: unknown) => boolean): string {
  return stepsTo(message, isMismatch)?.toReversed().map(pointerStep).join("") ?? "";
}

/** From the inside out. */
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
