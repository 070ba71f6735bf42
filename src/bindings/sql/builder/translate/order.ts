import type { SortBy } from "@pgsql/types";
import { call, type Chain, lambda, literal, name } from "../chain.js";
import { columnRef, fieldsOf, NoWords } from "../nodes.js";
import { type Place, withBuilder } from "../place.js";
import { isPlain } from "../scope.js";
import { template, words } from "../words.js";

/** The arguments of `.orderBy`. */
export function orderArguments(by: SortBy, place: Place): readonly Chain[] {
  if (by.node === undefined) throw new NoWords("ORDER BY without an expression");
  if (by.sortby_dir === "SORTBY_USING") return [withBuilder(orderUsing(by, place), place)];
  const what = orderedValue(by, place);
  const direction = DIRECTIONS[by.sortby_dir ?? ""];
  const nulls = NULLS[by.sortby_nulls ?? ""];
  if (nulls === undefined) return direction === undefined ? [what] : [what, literal(direction)];
  const item = name("item");
  const directed = direction === undefined ? item : call(item, direction);
  return [what, lambda("item", call(directed, nulls))];
}

const DIRECTIONS: Readonly<Record<string, string>> = { SORTBY_ASC: "asc", SORTBY_DESC: "desc" };
const NULLS: Readonly<Record<string, string>> = {
  SORTBY_NULLS_FIRST: "nullsFirst",
  SORTBY_NULLS_LAST: "nullsLast",
};

/** A name alone means an output column first. */
function orderedValue({ node }: SortBy, place: Place): Chain {
  if (node === undefined) throw new NoWords("ORDER BY without an expression");
  const output = outputName(columnRef(node), place);
  const what = output ?? place.say.operand(node, place);
  // Kysely takes a string apart at a space.
  const apart = what.kind === "literal" && String(what.value).includes(" ");
  return withBuilder(apart ? place.say.value(node, place).chain : what, place);
}

export function outputName(ref: ReturnType<typeof columnRef>, place: Place): Chain | undefined {
  if (ref === undefined) return undefined;
  const { names, star } = fieldsOf(ref);
  const [only, ...others] = names;
  if (star || only === undefined || others.length > 0 || !isPlain(only)) return undefined;
  return place.frame.outputs.has(only) ? literal(only, 1) : undefined;
}

function orderUsing(by: SortBy, place: Place): Chain {
  const said = place.say.words({ SortBy: by }, place);
  return template(words`${said}`);
}
