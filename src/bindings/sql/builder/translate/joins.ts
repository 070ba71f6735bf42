import type { JoinExpr, Node } from "@pgsql/types";
import { booleanType, call, type Chain, lambda, list, literal, name } from "../chain.js";
import { columnRef, namesOf, operatorOf } from "../nodes.js";
import { type Place, withBuilder } from "../place.js";
import { extend } from "../scope.js";
import { quoted, quotedList, template, type Words, words } from "../words.js";
import { conditionCalls } from "./condition.js";
import { type FromList, type JoinStep, sourcesOf } from "./from.js";
import { tableChain, type TableItem } from "./item.js";
import { resolveText } from "./reference.js";

/** The argument of `.selectFrom`. */
export function firstTables(from: FromList, place: Place, after: Words): Chain {
  const { first, joins } = from;
  const chains = first.map((item, index) => {
    const last = index === first.length - 1;
    const natural = last && joins[0]?.natural === true ? [" natural"] : [];
    const rest = last && joins.length === 0 ? after : [];
    return withBuilder(tableChain(item, [...natural, ...rest]), place);
  });
  const [only, ...others] = chains;
  return only !== undefined && others.length === 0 ? only : list(chains);
}

/** `.innerJoin(…)` and its like, one a join. */
export function joinCalls(on: Chain, from: FromList, place: Place, after: Words): Chain {
  const { first, joins } = from;
  return joins.reduce((chain, step, index) => {
    const sources = sourcesOf({ first, joins: joins.slice(0, index + 1) });
    const seen = { ...place, frame: extend(place.frame, sources) };
    const natural = joins[index + 1]?.natural === true ? [" natural"] : [];
    const rest = index === joins.length - 1 ? after : [];
    return joinCall(chain, step, seen, [...natural, ...rest]);
  }, on);
}

function joinCall(on: Chain, step: JoinStep, place: Place, after: Words): Chain {
  const { join, item, method } = step;
  if (method.startsWith("crossJoin"))
    return call(on, method, withBuilder(tableChain(item, after), place));
  const unconditioned = lambda("join", name("join"));
  if (join?.usingClause !== undefined || join?.quals === undefined) {
    const table = tableChain(item, [...usingWords(join), ...after]);
    return call(on, method, withBuilder(table, place), unconditioned);
  }
  const table = withBuilder(tableChain(item), place);
  return call(
    on,
    method,
    table,
    ...joinConditions(join.quals, place, after, table.kind !== "lambda"),
  );
}

function usingWords(join: JoinExpr | undefined): Words {
  if (join?.usingClause === undefined) return [];
  const using = words` using (${quotedList(namesOf(join.usingClause))})`;
  const named = join.join_using_alias?.aliasname;
  return named === undefined ? using : words`${using} as ${quoted(named)}`;
}

/** `plain`: the table is no function of the builder, whose columns Kysely's types do not know beside two column names. */
function joinConditions(quals: Node, place: Place, after: Words, plain: boolean): readonly Chain[] {
  const join = name("join");
  if (after.length > 0) {
    const condition = template(words`(${place.say.condition(quals, place)})${after}`, booleanType);
    return [lambda("join", call(join, "on", withBuilder(condition, place)))];
  }
  const keys = plain ? keyColumns(quals, place) : undefined;
  if (keys !== undefined) return keys;
  const isTrue = "A_Const" in quals && quals.A_Const.boolval?.boolval === true;
  if (isTrue) return [lambda("join", call(join, "onTrue"))];
  return [lambda("join", conditionCalls(join, "on", quals, place))];
}

/** `c.id = o.customer_id`: Kysely takes the two columns. */
function keyColumns(quals: Node, place: Place): readonly Chain[] | undefined {
  if (!("A_Expr" in quals) || quals.A_Expr.kind !== "AEXPR_OP") return undefined;
  if (operatorOf(quals.A_Expr.name) !== "=") return undefined;
  const sides = [quals.A_Expr.lexpr, quals.A_Expr.rexpr].map((each) => {
    const ref = columnRef(each);
    const found = ref === undefined ? undefined : resolveText(ref, place);
    return found?.frame.depth === place.frame.depth ? literal(found.text, found.sees) : undefined;
  });
  return sides.every((each) => each !== undefined) ? sides : undefined;
}

/** `.from(…)` for each item: each may see those before it. */
export function writtenTables(on: Chain, method: string, from: FromList, place: Place): Chain {
  const begun = from.first.reduce((chain, item, index) => {
    const natural = index === from.first.length - 1 && from.joins[0]?.natural === true;
    const table = tableChain(sideBySide(item), natural ? [" natural"] : []);
    return call(chain, method, withBuilder(table, place));
  }, on);
  return joinCalls(begun, from, place, []);
}

/** Beside other items, a lateral query says so itself. */
function sideBySide(item: TableItem): TableItem {
  if (!item.lateral) return item;
  const { query: _, ...rest } = item;
  return { ...rest, head: words`lateral ${item.head}` };
}
