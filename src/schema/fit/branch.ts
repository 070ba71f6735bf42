import type { JsonObject, JsonValue } from "../../core/json.js";
import type { JsonType } from "../look-up.js";

/** One of the forms that a value may have, its keywords in one place. `true`: any value. */
export type Branch = JsonObject | true;

/** All values of a form that lists them. */
export function listedIn(branch: Branch): readonly JsonValue[] | undefined {
  if (branch === true) return undefined;
  if (branch["const"] !== undefined) return [branch["const"]];
  const { enum: values } = branch;
  return Array.isArray(values) ? values : undefined;
}

/** Undefined when it may be any. */
export function typeOf(branch: Branch): JsonType | undefined {
  if (branch === true) return undefined;
  const { type } = branch;
  // The metaschema lets nothing else stand there.
  if (typeof type === "string") return type as JsonType;
  if (branch["properties"] !== undefined || branch["additionalProperties"] !== undefined)
    return "object";
  return branch["items"] === undefined ? undefined : "array";
}

export function typeOfValue(value: JsonValue): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  // What is left of JSON are texts, truth values and objects.
  return typeof value as JsonType;
}

/** Whether values of one type are of the other. */
export function isSameType(given: JsonType | undefined, wanted: JsonType | undefined): boolean {
  return wanted === undefined || given === wanted || (given === "integer" && wanted === "number");
}
