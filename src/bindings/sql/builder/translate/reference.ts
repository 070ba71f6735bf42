import type { ColumnRef } from "@pgsql/types";
import { call, type Chain, literal, name, sql } from "../chain.js";
import { fieldsOf } from "../nodes.js";
import type { Place, Typed } from "../place.js";
import { findTable, isPlain, type Resolved, resolveReference } from "../scope.js";
import { joinWords, quoted, template, words } from "../words.js";

/** A column as an expression: `eb.ref("o.id")`, or a name that `tsc` does not check. */
export function referenceValue(ref: ColumnRef, place: Place): Typed {
  const { names, star } = fieldsOf(ref);
  if (star) return { chain: template(words`${joinWords(names.map(quoted), ".")}.*`) };
  const found = resolveReference(place.frame, names);
  if (found.kind === "untyped") return { chain: wholeRow(names, place) ?? uncheckedName(names) };
  return {
    chain: call(name(found.frame.eb), "ref", literal(found.text, found.sees)),
    type: found.type,
  };
}

/** `json_agg(o)`: a table by its name. */
function wholeRow(names: readonly string[], place: Place): Chain | undefined {
  const [only, ...others] = names;
  if (only === undefined || others.length > 0 || !isPlain(only)) return undefined;
  const source = findTable(place.frame, only);
  const known = source !== undefined && source.types !== "hidden" && source.key === only;
  // Without its columns, the name may be a column's.
  return known && source.columns !== undefined && !source.partial && !source.absent
    ? call(name(place.frame.eb), "table", literal(only, 1))
    : undefined;
}

/** A column by its name alone, where Kysely takes one; undefined when only an expression will do. */
export function referenceText(ref: ColumnRef, place: Place): Chain | undefined {
  const found = resolveText(ref, place);
  return found === undefined ? undefined : literal(found.text, found.sees);
}

/** What a reference means where a string can stand for it. */
export function resolveText(
  ref: ColumnRef,
  place: Place,
): Extract<Resolved, { kind: "typed" }> | undefined {
  const { names, star } = fieldsOf(ref);
  if (star) return undefined;
  const found = resolveReference(place.frame, names);
  return found.kind === "typed" && found.visible ? found : undefined;
}

/** A name that Kysely quotes and `tsc` does not check. */
export function uncheckedName(names: readonly string[]): Chain {
  if (names.length <= 3 && names.every(isPlain)) return call(sql, "ref", literal(names.join(".")));
  return call(sql, "id", ...names.map((each) => literal(each)));
}
