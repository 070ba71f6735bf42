import type { Node, ResTarget } from "@pgsql/types";
import { call, type Chain, neverType } from "../chain.js";
import { NoWords } from "../nodes.js";
import { type Place, withBuilder } from "../place.js";
import { isPlain, type Source } from "../scope.js";
import { joinWords, template, type Words, words } from "../words.js";
import { mayBeAbsent } from "./parameter.js";
import { coercedWithoutNull } from "./value.js";
import { orNull } from "../type-relations.js";
import { columnName, columnPath } from "./written-column.js";

/** What SET gives to columns: one at a time, or several from a row. */
type Assignment =
  | { readonly kind: "one"; readonly name: string; readonly value: Chain }
  | { readonly kind: "fragment"; readonly key: Chain; readonly value: Chain };

/** `target`: the table written; `place` has every table that the values may use. */
export function readAssignments(
  targets: readonly Node[],
  target: Source,
  place: Place,
): readonly Assignment[] {
  return targets.flatMap((each, index) => {
    if (!("ResTarget" in each)) throw new NoWords("an assignment that is none");
    const { val } = each.ResTarget;
    if (val !== undefined && "MultiAssignRef" in val) return severalColumns(targets, index, place);
    return [oneColumn(each.ResTarget, target, place)];
  });
}

function oneColumn(assigned: ResTarget, target: Source, place: Place): Assignment {
  const { name = "", val, indirection } = assigned;
  if (val === undefined) throw new NoWords("an assignment of nothing");
  if (indirection !== undefined || !isPlain(name) || target.columns?.has(name) === false)
    return {
      kind: "fragment",
      key: template(columnPath(assigned, place)),
      value: place.say.value(val, place).chain,
    };
  return { kind: "one", name, value: assignedValue(val, name, target, place) };
}

/** What is given to a column of the table written, of the column's type. */
export function assignedValue(node: Node, name: string, target: Source, place: Place): Chain {
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

/** `(a, b) = (…)`: one assignment, which the tree has once for each column. */
function severalColumns(
  targets: readonly Node[],
  index: number,
  place: Place,
): readonly Assignment[] {
  const first = targets[index];
  if (first === undefined || !("ResTarget" in first)) return [];
  const { val } = first.ResTarget;
  if (val === undefined || !("MultiAssignRef" in val)) return [];
  const { colno, ncolumns = 0, source } = val.MultiAssignRef;
  if (colno !== 1) return [];
  if (source === undefined) throw new NoWords("an assignment of nothing");
  const columns = targets.slice(index, index + ncolumns).map((each) => {
    if (!("ResTarget" in each)) throw new NoWords("an assignment that is none");
    return columnPath(each.ResTarget, place);
  });
  const key = template(words`(${joinWords(columns, ", ")})`);
  return [{ kind: "fragment", key, value: template(rowWords(source, place)) }];
}

function rowWords(source: Node, place: Place): Words {
  if (!("RowExpr" in source)) return place.say.words(source, place);
  const items = (source.RowExpr.args ?? []).map((each) =>
    "SetToDefault" in each ? ["default"] : place.say.words(each, place),
  );
  const explicit = source.RowExpr.row_format === "COERCE_EXPLICIT_CALL" ? ["row"] : [];
  return words`${explicit}(${joinWords(items, ", ")})`;
}

/** `.set({ … })`, or call by call where Kysely has no word for a target. */
export function setCalls(
  on: Chain,
  assignments: readonly Assignment[],
  method: string,
  place: Place,
): Chain {
  const record = recordOf(assignments, place);
  if (record !== undefined) return call(on, method, record);
  return assignments.reduce((chain, each) => {
    const key = each.kind === "one" ? columnName(each.name) : withBuilder(each.key, place);
    return call(chain, method, key, withBuilder(each.value, place));
  }, on);
}

/**
 * An object of columns; undefined when it would not keep the order, or has no key for a target. Each value that needs the expression builder is a
 * function: were the whole one, TypeScript would not check the keys.
 */
export function recordOf(assignments: readonly Assignment[], place: Place): Chain | undefined {
  const entries = assignments.flatMap((each) =>
    each.kind === "one" ? [[each.name, withBuilder(each.value, place)] as const] : [],
  );
  const whole = entries.length === assignments.length && keepsOrder(entries.map(([key]) => key));
  return whole ? { kind: "record", entries, sees: entries.length } : undefined;
}

/** Whether an object has these keys, each once, in this order. */
export function keepsOrder(keys: readonly string[]): boolean {
  const plain = keys.every((key) => !/^\d+$/.test(key) && key !== "__proto__");
  return plain && new Set(keys).size === keys.length;
}
