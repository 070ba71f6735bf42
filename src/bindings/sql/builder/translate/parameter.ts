import type { ParamRef } from "@pgsql/types";
import { call, type Chain, type ChainType, sql, typedCall } from "../chain.js";
import { NoWords } from "../nodes.js";
import type { Place } from "../place.js";
import { isAssignable, isScalar } from "../type-relations.js";

/** The bare value of a parameter: only where Kysely binds whatever it is given (holes of templates, `sql.val`). */
export function parameterAt(ref: ParamRef, place: Place): Chain {
  const name = place.names.parameters[(ref.number ?? 0) - 1];
  if (name === undefined) throw new NoWords("a parameter without a name");
  return { kind: "parameter", name };
}

/** As an expression; arrays and null are bound like anything else. */
export function parameterValue(ref: ParamRef, place: Place): Chain {
  return call(sql, "val", parameterAt(ref, place));
}

/**
 * As a value of that type: by itself when it has it, cast where Kysely's type is narrower than PostgreSQL's. Kysely spreads arrays in a comparison
 * and reads nothing into texts, numbers and booleans: only those stand by themselves.
 */
export function parameterAs(ref: ParamRef, place: Place, type: ChainType): Chain {
  const bare = parameterAt(ref, place);
  const argument =
    bare.kind === "parameter" ? place.names.facts.argumentType?.(bare.name) : undefined;
  if (argument !== undefined && isScalar(argument) && isAssignable(argument, type)) return bare;
  return typedCall(call(sql, "val", bare), "$castTo", [type]);
}
