import { OID, type ValueType } from "../catalog/value-type.js";
import type { Fields } from "../node.js";
import type { Analysis, Scope, Value } from "./model.js";
import { certain, possible } from "./value.js";

/** A constant as it is written: a text takes its type from its place. */
export function inferConstant({ isnull, ival, fval, boolval, bsval }: Fields<"A_Const">): Value {
  if (isnull === true) return { type: "literal", null: "always" };
  if (ival !== undefined) return certain(OID.int4);
  if (fval !== undefined) return certain(typeOfNumber(fval.fval ?? ""));
  if (boolval !== undefined) return certain(OID.bool);
  return certain(bsval === undefined ? "literal" : OID.bit);
}

/** Numbers that int4 cannot hold are int8 or numeric. */
function typeOfNumber(text: string): ValueType {
  const whole = /^\d+$/.test(text.replaceAll("_", ""));
  return whole && text.length < 20 && BigInt(text.replaceAll("_", "")) < 2n ** 63n
    ? OID.int8
    : OID.numeric;
}

/** `CURRENT_DATE` and the like, which are functions without parentheses. */
export function inferValueFunction(
  { op }: Fields<"SQLValueFunction">,
  _: Scope,
  { catalog }: Analysis,
): Value {
  const oid = catalog.typeNamed(["pg_catalog", VALUE_FUNCTIONS[op ?? ""] ?? ""])?.oid;
  // The search path may have no schema that exists.
  return op === "SVFOP_CURRENT_SCHEMA" ? possible(oid) : certain(oid);
}

const VALUE_FUNCTIONS: Readonly<Record<string, string>> = {
  SVFOP_CURRENT_DATE: "date",
  SVFOP_CURRENT_TIME: "timetz",
  SVFOP_CURRENT_TIME_N: "timetz",
  SVFOP_CURRENT_TIMESTAMP: "timestamptz",
  SVFOP_CURRENT_TIMESTAMP_N: "timestamptz",
  SVFOP_LOCALTIME: "time",
  SVFOP_LOCALTIME_N: "time",
  SVFOP_LOCALTIMESTAMP: "timestamp",
  SVFOP_LOCALTIMESTAMP_N: "timestamp",
  SVFOP_CURRENT_ROLE: "name",
  SVFOP_CURRENT_USER: "name",
  SVFOP_USER: "name",
  SVFOP_SESSION_USER: "name",
  SVFOP_CURRENT_CATALOG: "name",
  SVFOP_CURRENT_SCHEMA: "name",
};
