/** Translates the written table of a statement, the names of its columns, and their values. */
import type { Node, RangeVar, ResTarget } from "@pgsql/types";
import {
  call,
  type Chain,
  joinWords,
  literal,
  neverType,
  orNull,
  quoted,
  template,
  type Words,
  words,
} from "../chain.js";
import { NoWords } from "../nodes.js";
import {
  builder,
  frameAt,
  type TranslationContext,
  type QueryStart,
  withBuilder,
} from "../place.js";
import { extend, isPlain, resolveReference, type Source } from "../scope.js";
import { mayBeAbsent } from "./reference.js";
import { relationItem, tableChain, type TableItem } from "./table.js";
import { coercedWithoutNull } from "./value.js";

/** An assignment in SET: to one column, or to several from a row. */
type Assignment =
  | { readonly kind: "one"; readonly name: string; readonly value: Chain }
  | { readonly kind: "fragment"; readonly key: Chain; readonly value: Chain };

/**
 * Reads assignments; `target` is the written table, and `place` has every table that the values may
 * use.
 */
export function readAssignments(
  targets: readonly Node[],
  target: Source,
  place: TranslationContext,
): readonly Assignment[] {
  return targets.flatMap((each, index) => {
    if (!("ResTarget" in each)) throw new NoWords("a malformed assignment");
    const { val } = each.ResTarget;
    if (val !== undefined && "MultiAssignRef" in val) return severalColumns(targets, index, place);
    return [oneColumn(each.ResTarget, target, place)];
  });
}

function oneColumn(assigned: ResTarget, target: Source, place: TranslationContext): Assignment {
  const { name = "", val, indirection } = assigned;
  if (val === undefined) throw new NoWords("an assignment without a value");
  if (indirection !== undefined || !isPlain(name) || target.columns?.has(name) === false)
    return {
      kind: "fragment",
      key: template(columnPath(assigned, place)),
      value: place.say.value(val, place).chain,
    };
  return { kind: "one", name, value: assignedValue(val, name, target, place) };
}

/** Translates the value of a column of the written table, with the column's type. */
export function assignedValue(
  node: Node,
  name: string,
  target: Source,
  place: TranslationContext,
): Chain {
  const type = target.columns?.get(name);
  if ("SetToDefault" in node) return template(["default"], type ?? neverType);
  const isNotNull = target.notNull?.has(name) === true;
  if (!isNotNull)
    return place.say.coerced(
      node,
      place,
      mayBeAbsent(node, place) ? orNull(type ?? neverType) : type,
    );
  return coercedWithoutNull(node, place, type);
}

/** `(a, b) = (…)`: one assignment, which the tree repeats for each column. */
function severalColumns(
  targets: readonly Node[],
  index: number,
  place: TranslationContext,
): readonly Assignment[] {
  const first = targets[index];
  if (first === undefined || !("ResTarget" in first)) return [];
  const { val } = first.ResTarget;
  if (val === undefined || !("MultiAssignRef" in val)) return [];
  const { colno, ncolumns = 0, source } = val.MultiAssignRef;
  if (colno !== 1) return [];
  if (source === undefined) throw new NoWords("an assignment without a value");
  const columns = targets.slice(index, index + ncolumns).map((each) => {
    if (!("ResTarget" in each)) throw new NoWords("a malformed assignment");
    return columnPath(each.ResTarget, place);
  });
  const key = template(words`(${joinWords(columns, ", ")})`);
  return [{ kind: "fragment", key, value: template(rowWords(source, place)) }];
}

function rowWords(source: Node, place: TranslationContext): Words {
  if (!("RowExpr" in source)) return place.say.words(source, place);
  const items = (source.RowExpr.args ?? []).map((each) =>
    "SetToDefault" in each ? ["default"] : place.say.words(each, place),
  );
  const explicit = source.RowExpr.row_format === "COERCE_EXPLICIT_CALL" ? ["row"] : [];
  return words`${explicit}(${joinWords(items, ", ")})`;
}

/**
 * Emits `.set({ … })`, or one call for each assignment if Kysely can't express a target as a key.
 */
export function setCalls(
  on: Chain,
  assignments: readonly Assignment[],
  method: string,
  place: TranslationContext,
): Chain {
  const record = recordOf(assignments, place);
  if (record !== undefined) return call(on, method, record);
  return assignments.reduce((chain, each) => {
    const key = each.kind === "one" ? columnName(each.name) : withBuilder(each.key, place);
    return call(chain, method, key, withBuilder(each.value, place));
  }, on);
}

/**
 * Makes an object of columns; undefined if a target has no key or the order would change. Each
 * value that needs the expression builder is a function. If the whole object were one, TypeScript
 * would not check the keys.
 */
export function recordOf(
  assignments: readonly Assignment[],
  place: TranslationContext,
): Chain | undefined {
  const entries = assignments.flatMap((each) =>
    each.kind === "one" ? [[each.name, withBuilder(each.value, place)] as const] : [],
  );
  const whole = entries.length === assignments.length && keepsOrder(entries.map(([key]) => key));
  return whole ? { kind: "record", entries, sees: entries.length } : undefined;
}

/** True if an object keeps these keys, each once, in this order. */
export function keepsOrder(keys: readonly string[]): boolean {
  const plain = keys.every((key) => !/^\d+$/.test(key) && key !== "__proto__");
  return plain && new Set(keys).size === keys.length;
}

/** The name of a written column, as a key for Kysely. */
export function columnName(name: string): Chain {
  return literal(name, 1);
}

/** A column's own name, which `tsc` checks if it knows the table. */
function written(name: string, place: TranslationContext): Words {
  const [target] = place.frame.sources;
  if (target === undefined) return quoted(name);
  const found = resolveReference({ ...place.frame, sources: [target] }, [name]);
  if (found.kind === "untyped" || found.frame.depth !== place.frame.depth) return quoted(name);
  return words`${call(builder(place), "ref", literal(found.text, found.sees))}`;
}

/** A written column, or a part of one: `tags[1]`, `address.street`. */
export function columnPath(
  { name = "", indirection = [] }: ResTarget,
  place: TranslationContext,
): Words {
  const path = indirection.map((each): Words => {
    if ("String" in each) return words`.${quoted(each.String.sval ?? "")}`;
    if (!("A_Indices" in each)) throw new NoWords("a part of a column");
    const { is_slice, lidx, uidx } = each.A_Indices;
    const from = lidx === undefined ? [] : place.say.words(lidx, place);
    const to = uidx === undefined ? [] : place.say.words(uidx, place);
    return is_slice ? words`[${from}:${to}]` : words`[${to}]`;
  });
  return words`${written(name, place)}${joinWords(path, "")}`;
}

/** The table that a statement writes, with a name that Kysely accepts. */
export interface WrittenTable {
  readonly item: TableItem;
  /** The table as an argument for Kysely. */
  readonly chain: Chain;
  readonly place: TranslationContext;
}

export function writtenTable(range: RangeVar | undefined, start: QueryStart): WrittenTable {
  if (range === undefined) throw new NoWords("a statement without a table");
  const { names, outer, seesOuter, depth, say } = start;
  const base: TranslationContext = { frame: frameAt(depth, outer, seesOuter), names, say };
  const found = relationItem(range, base);
  const source = { ...found.source, ...(found.notNull && { notNull: found.notNull }) };
  const item = { ...found, source };
  const place = { ...base, frame: extend(base.frame, [source]) };
  return { item, chain: tableChain(item), place };
}

/** The table for methods of Kysely that accept only a string. */
export function tableText({ item }: WrittenTable): Chain {
  if (item.text === undefined) throw new NoWords("a table whose name Kysely would split");
  return literal(item.text, 1);
}
