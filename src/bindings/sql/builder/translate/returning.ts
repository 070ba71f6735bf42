import type { ReturningClause } from "@pgsql/types";
import { call, type Chain } from "../chain.js";
import { columnRef, fieldsOf, NoWords } from "../nodes.js";
import type { Place, Query } from "../place.js";
import { extend, type Source } from "../scope.js";
import { joinWords, quoted, template, type Words, words } from "../words.js";
import { readTargets, RETURNING } from "./targets.js";

/** RETURNING, with the old and the new row in sight. */
export function returningCalls(
  on: Chain,
  clause: ReturningClause | undefined,
  place: Place,
): Query {
  if (clause === undefined) return { chain: on };
  const rows: readonly Source[] = ["old", "new"].map((each) => hidden(each));
  const seen = { ...place, frame: extend(place.frame, rows) };
  if (clause.options !== undefined) return spelledOut(on, clause, place);
  const { calls, columns } = readTargets(clause.exprs ?? [], RETURNING, seen);
  return { chain: calls(on), columns };
}

/** RETURNING of an INSERT, where Kysely gives all columns of the table only without its name. */
export function insertedCalls(on: Chain, clause: ReturningClause | undefined, place: Place): Query {
  const named = clause?.exprs?.some((each) => {
    const ref = "ResTarget" in each ? columnRef(each.ResTarget.val) : undefined;
    const fields = ref === undefined ? undefined : fieldsOf(ref);
    return fields?.star === true && fields.names.length > 0;
  });
  return clause !== undefined && named
    ? spelledOut(on, clause, place)
    : returningCalls(on, clause, place);
}

function hidden(alias: string): Source {
  return { alias, key: alias, types: "hidden", qualifiedOnly: true };
}

/** `RETURNING WITH (OLD AS o)`: Kysely has no words for it, and no builder where it ends a statement. */
function spelledOut(on: Chain, { options = [], exprs = [] }: ReturningClause, place: Place): Query {
  const sources = place.frame.sources.map((source) => ({ ...source, types: "hidden" as const }));
  const unchecked = { ...place, frame: { ...place.frame, sources } };
  const named = options.map((each): Words => {
    const { option, value = "" } = "ReturningOption" in each ? each.ReturningOption : {};
    return words`${[option === "RETURNING_OPTION_OLD" ? "old" : "new"]} as ${quoted(value)}`;
  });
  const outputs = exprs.map((each): Words => {
    if (!("ResTarget" in each) || each.ResTarget.val === undefined)
      throw new NoWords("an output that is none");
    const said = unchecked.say.words(each.ResTarget.val, unchecked);
    const { name } = each.ResTarget;
    return name === undefined ? said : words`${said} as ${quoted(name)}`;
  });
  const rows = named.length === 0 ? [] : words`with (${joinWords(named, ", ")}) `;
  const said = words`returning ${rows}${joinWords(outputs, ", ")}`;
  return { chain: call(on, "modifyEnd", template(said)) };
}
