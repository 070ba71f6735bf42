/**
 * Translates columns and parameters. Columns become names that `tsc` checks if it knows the table,
 * and holes of a template otherwise.
 */
import type { ColumnRef, Node, ParamRef } from "@pgsql/types";
import {
  call,
  type Chain,
  type ChainType,
  isAssignable,
  isScalar,
  joinWords,
  literal,
  name,
  quoted,
  sql,
  template,
  typedCall,
  words,
} from "../chain.js";
import { namesOfReference, NoWords } from "../nodes.js";
import type { TranslationContext, Typed } from "../place.js";
import { findTable, isPlain, type Resolved, resolveReference } from "../scope.js";

/** A column as an expression: `eb.ref("o.id")`, or a name that `tsc` does not check. */
export function referenceValue(ref: ColumnRef, place: TranslationContext): Typed {
  const { names, star } = namesOfReference(ref);
  if (star) return { chain: template(words`${joinWords(names.map(quoted), ".")}.*`) };
  const found = resolveReference(place.frame, names);
  if (found.kind === "untyped") return { chain: wholeRow(names, place) ?? uncheckedName(names) };
  return {
    chain: call(name(found.frame.eb), "ref", literal(found.text, found.sees)),
    type: found.type,
  };
}

/** A table used as a value: `json_agg(o)`. */
function wholeRow(names: readonly string[], place: TranslationContext): Chain | undefined {
  const [only, ...others] = names;
  if (only === undefined || others.length > 0 || !isPlain(only)) return undefined;
  const source = findTable(place.frame, only);
  const known = source !== undefined && source.types !== "hidden" && source.key === only;
  // If the table's columns are unknown, the name may be that of a column.
  return known && source.columns !== undefined && !source.partial && !source.absent
    ? call(name(place.frame.eb), "table", literal(only, 1))
    : undefined;
}

/** A column's name as a string, if Kysely accepts one; undefined if only an expression will do. */
export function referenceText(ref: ColumnRef, place: TranslationContext): Chain | undefined {
  const found = resolveText(ref, place);
  return found === undefined ? undefined : literal(found.text, found.sees);
}

/** Resolves a reference for which a string may stand. */
export function resolveText(
  ref: ColumnRef,
  place: TranslationContext,
): Extract<Resolved, { kind: "typed" }> | undefined {
  const { names, star } = namesOfReference(ref);
  if (star) return undefined;
  const found = resolveReference(place.frame, names);
  return found.kind === "typed" && found.visible ? found : undefined;
}

/** A name that Kysely quotes and `tsc` does not check. */
function uncheckedName(names: readonly string[]): Chain {
  if (names.length <= 3 && names.every(isPlain)) return call(sql, "ref", literal(names.join(".")));
  return call(sql, "id", ...names.map((each) => literal(each)));
}

/**
 * The bare value of a parameter, for places where Kysely binds any value (holes of templates,
 * `sql.val`).
 */
function parameterAt(ref: ParamRef, place: TranslationContext): Chain {
  const name = place.names.parameters[(ref.number ?? 0) - 1];
  if (name === undefined) throw new NoWords("a parameter without a name");
  return { kind: "parameter", name };
}

/** A parameter as an expression. Arrays and null are bound like any other value. */
export function parameterValue(ref: ParamRef, place: TranslationContext): Chain {
  return storedValue(ref, place) ?? call(sql, "val", parameterAt(ref, place));
}

/** A parameter in a hole of a template. */
export function parameterHole(ref: ParamRef, place: TranslationContext): Chain {
  return storedValue(ref, place) ?? parameterAt(ref, place);
}

/**
 * A parameter typed as the column that stores it, where Kysely would accept any value; undefined if
 * the types don't match.
 */
function storedValue(ref: ParamRef, place: TranslationContext): Chain | undefined {
  const stored = place.names.stored.get(ref.location ?? 0);
  const bare = parameterAt(ref, place);
  const argument = argumentType(bare, place);
  if (stored === undefined || argument === undefined) return undefined;
  if (!isScalar(argument) || !isAssignable(argument, stored.type)) return undefined;
  return typedCall(sql, "val", [stored.is], bare);
}

function argumentType(bare: Chain, { names }: TranslationContext): ChainType | undefined {
  return bare.kind === "parameter" ? names.facts.argumentType?.(bare.name) : undefined;
}

/** True for a parameter, with or without a cast, that a call may omit. */
export function mayBeAbsent(node: Node, { names }: TranslationContext): boolean {
  const inner = "TypeCast" in node ? node.TypeCast.arg : node;
  if (inner === undefined || !("ParamRef" in inner)) return false;
  const name = names.parameters[(inner.ParamRef.number ?? 0) - 1];
  return name !== undefined && names.facts.mayBeNull?.(name) === true;
}

/**
 * A parameter as a value of a type: bare if it has the type, and cast if Kysely's type is narrower
 * than PostgreSQL's. Only texts, numbers and booleans can be bare, because Kysely spreads arrays in
 * a comparison.
 */
export function parameterAs(ref: ParamRef, place: TranslationContext, type: ChainType): Chain {
  const bare = parameterAt(ref, place);
  const argument = argumentType(bare, place);
  if (argument !== undefined && isScalar(argument) && isAssignable(argument, type)) return bare;
  return typedCall(call(sql, "val", bare), "$castTo", [type]);
}
