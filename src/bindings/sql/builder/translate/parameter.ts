import type { Node, ParamRef } from "@pgsql/types";
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
  return storedValue(ref, place) ?? call(sql, "val", parameterAt(ref, place));
}

/** In a hole of a template. */
export function parameterHole(ref: ParamRef, place: Place): Chain {
  return storedValue(ref, place) ?? parameterAt(ref, place);
}

/** As a value of the column that it goes to, where Kysely would take any; undefined when its type says nothing of that column. */
function storedValue(ref: ParamRef, place: Place): Chain | undefined {
  const stored = place.names.stored.get(ref.location ?? 0);
  const bare = parameterAt(ref, place);
  const argument = argumentType(bare, place);
  if (stored === undefined || argument === undefined) return undefined;
  if (!isScalar(argument) || !isAssignable(argument, stored.type)) return undefined;
  return typedCall(sql, "val", [stored.is], bare);
}

function argumentType(bare: Chain, { names }: Place): ChainType | undefined {
  return bare.kind === "parameter" ? names.facts.argumentType?.(bare.name) : undefined;
}

/** Whether a value is a parameter, cast or not, that a call may leave out. */
export function mayBeAbsent(node: Node, { names }: Place): boolean {
  const inner = "TypeCast" in node ? node.TypeCast.arg : node;
  if (inner === undefined || !("ParamRef" in inner)) return false;
  const name = names.parameters[(inner.ParamRef.number ?? 0) - 1];
  return name !== undefined && names.facts.mayBeNull?.(name) === true;
}

/**
 * As a value of that type: by itself when it has it, cast where Kysely's type is narrower than PostgreSQL's. Kysely spreads arrays in a comparison
 * and reads nothing into texts, numbers and booleans: only those stand by themselves.
 */
export function parameterAs(ref: ParamRef, place: Place, type: ChainType): Chain {
  const bare = parameterAt(ref, place);
  const argument = argumentType(bare, place);
  if (argument !== undefined && isScalar(argument) && isAssignable(argument, type)) return bare;
  return typedCall(call(sql, "val", bare), "$castTo", [type]);
}
