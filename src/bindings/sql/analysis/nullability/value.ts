import { type Catalog } from "../../database/catalog.js";
import { commonType, mayTurnNull, OID, type ValueType } from "../catalog/value-type.js";
import { UNKNOWN, type Value } from "./model.js";

/** TRUE or FALSE, never NULL. */
export const TRUTH: Value = { type: OID.bool, null: "never" };

export function certain(type: ValueType): Value {
  return { type, null: "never" };
}

export function possible(type: ValueType): Value {
  return { type, null: "maybe" };
}

/** Not NULL when all of these are not. */
export function whenAll(type: ValueType, parts: readonly Value[]): Value {
  return { type, null: parts.every((each) => each.null === "never") ? "never" : "maybe" };
}

/** One of several values, which share a type: the branches of a CASE, the rows of a UNION. */
export function oneOf(catalog: Catalog, values: readonly Value[]): Value {
  if (values.length === 0) return UNKNOWN;
  const type = commonType(values.map((each) => each.type));
  const always = values.every((each) => each.null === "always");
  const never = values.every((each) => each.null === "never" && !changes(catalog, each, type));
  return { type, null: always ? "always" : never ? "never" : "maybe" };
}

/** The first of several that is a value: COALESCE, GREATEST. */
export function firstOf(catalog: Catalog, values: readonly Value[]): Value {
  const type = commonType(values.map((each) => each.type));
  const always = values.every((each) => each.null === "always");
  const never = values.some((each) => each.null === "never" && !changes(catalog, each, type));
  return { type, null: always ? "always" : never ? "never" : "maybe" };
}

/** Whether a user's cast may stand between a value and the type it takes. */
function changes(catalog: Catalog, { type: from }: Value, to: ValueType): boolean {
  return (from === undefined || from !== to) && mayTurnNull(catalog, from);
}
