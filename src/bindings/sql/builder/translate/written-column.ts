import type { ResTarget } from "@pgsql/types";
import { call, type Chain, literal } from "../chain.js";
import { NoWords } from "../nodes.js";
import { builder, type Place } from "../place.js";
import { resolveReference } from "../scope.js";
import { joinWords, quoted, type Words, words } from "../words.js";

/** The name of a column that a statement writes, where Kysely takes it as a key. */
export function columnName(name: string): Chain {
  return literal(name, 1);
}

/** A column's own name, which `tsc` checks where it knows the table. */
function written(name: string, place: Place): Words {
  const [target] = place.frame.sources;
  if (target === undefined) return quoted(name);
  const found = resolveReference({ ...place.frame, sources: [target] }, [name]);
  if (found.kind === "untyped" || found.frame.depth !== place.frame.depth) return quoted(name);
  return words`${call(builder(place), "ref", literal(found.text, found.sees))}`;
}

/** A column that is written, or a part of one: `tags[1]`, `address.street`. */
export function columnPath({ name = "", indirection = [] }: ResTarget, place: Place): Words {
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
