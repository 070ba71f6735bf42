/** Translates UPDATE, DELETE and MERGE. */
import type { DeleteStmt, MergeStmt, MergeWhenClause, Node, UpdateStmt } from "@pgsql/types";
import { call, type Chain, lambda, name } from "../chain.js";
import { NoWords } from "../nodes.js";
import { type TranslationContext, type Query, type QueryStart, withBuilder } from "../place.js";
import { extend, type Source } from "../scope.js";
import {
  assignedValue,
  keepsOrder,
  readAssignments,
  setCalls,
  tableText,
  writtenTable,
} from "./assignments.js";
import { conditionCalls } from "./condition.js";
import { readWritten, sourcesOf, writtenTables } from "./from.js";
import { tableChain, tableItem } from "./table.js";
import { returningCalls } from "./targets.js";

/** Translates UPDATE. */
export function updateQuery(update: UpdateStmt, start: QueryStart): Query {
  const { item, place: base, chain: text } = writtenTable(update.relation, start);
  const from = readWritten(update.fromClause ?? [], base);
  const place = { ...base, frame: extend(base.frame, sourcesOf(from)) };
  const begun = call(start.names.start, "updateTable", text);
  const joined = writtenTables(begun, "from", from, base);
  const assigned = readAssignments(update.targetList ?? [], item.source, place);
  if (assigned.length === 0) throw new NoWords("UPDATE of nothing");
  const set = setCalls(joined, assigned, "set", place);
  const filtered = conditionCalls(set, "where", update.whereClause, place);
  return returningCalls(filtered, update.returningClause, place);
}

/** Translates DELETE. */
export function deleteQuery(statement: DeleteStmt, start: QueryStart): Query {
  const { place: base, chain: text } = writtenTable(statement.relation, start);
  const from = readWritten(statement.usingClause ?? [], base);
  const place = { ...base, frame: extend(base.frame, sourcesOf(from)) };
  const begun = call(start.names.start, "deleteFrom", text);
  const joined = writtenTables(begun, "using", from, base);
  const filtered = conditionCalls(joined, "where", statement.whereClause, place);
  return returningCalls(filtered, statement.returningClause, place);
}

/** Translates MERGE. */
export function mergeQuery(merge: MergeStmt, start: QueryStart): Query {
  const table = writtenTable(merge.relation, start);
  const { item: target, place: base } = table;
  const { sourceRelation, joinCondition } = merge;
  if (sourceRelation === undefined || joinCondition === undefined)
    throw new NoWords("an incomplete MERGE");
  const source = tableItem(sourceRelation, base);
  const place = { ...base, frame: extend(base.frame, [source.source]) };
  const join = lambda("join", conditionCalls(name("join"), "on", joinCondition, place));
  const begun = call(start.names.start, "mergeInto", tableText(table));
  const using = call(begun, "using", withBuilder(tableChain(source), base), join);
  const both = { target: target.source, source: source.source };
  const whole = (merge.mergeWhenClauses ?? []).reduce<Chain>(
    (chain, each) => whenCalls(chain, each, both, place),
    using,
  );
  return returningCalls(whole, merge.returningClause, place);
}

interface Tables {
  readonly target: Source;
  readonly source: Source;
}

const WHENS: Readonly<Record<string, string>> = {
  MERGE_WHEN_MATCHED: "whenMatched",
  MERGE_WHEN_NOT_MATCHED_BY_SOURCE: "whenNotMatchedBySource",
  MERGE_WHEN_NOT_MATCHED_BY_TARGET: "whenNotMatched",
};

function whenCalls(on: Chain, node: Node, tables: Tables, all: TranslationContext): Chain {
  if (!("MergeWhenClause" in node)) throw new NoWords("a malformed part of MERGE");
  const clause = node.MergeWhenClause;
  const word = WHENS[clause.matchKind ?? ""];
  if (word === undefined) throw new NoWords("this kind of WHEN");
  const place = { ...all, frame: { ...all.frame, sources: inSight(word, tables) } };
  const { condition } = clause;
  const when =
    condition === undefined
      ? call(on, word)
      : call(on, `${word}And`, withBuilder(place.say.condition(condition, place), place));
  return thenCall(when, clause, tables, place);
}

function inSight(word: string, { target, source }: Tables): readonly Source[] {
  if (word === "whenMatched") return [target, source];
  return word === "whenNotMatched" ? [source] : [target];
}

function thenCall(
  on: Chain,
  clause: MergeWhenClause,
  tables: Tables,
  place: TranslationContext,
): Chain {
  const { commandType, targetList = [] } = clause;
  if (commandType === "CMD_DELETE") return call(on, "thenDelete");
  if (commandType === "CMD_NOTHING") return call(on, "thenDoNothing");
  if (commandType === "CMD_INSERT") return thenInsert(on, clause, tables, place);
  const assigned = readAssignments(targetList, tables.target, place);
  // Not `thenUpdateSet`, because its types accept any key.
  const set = setCalls(name("update"), assigned, "set", place);
  return call(on, "thenUpdate", lambda("update", set));
}

function thenInsert(
  on: Chain,
  clause: MergeWhenClause,
  { target }: Tables,
  place: TranslationContext,
): Chain {
  const { targetList = [], values = [], override } = clause;
  const plain = override === undefined || override === "OVERRIDING_NOT_SET";
  if (!plain || targetList.length !== values.length || values.length === 0)
    throw new NoWords("MERGE that inserts without columns");
  const assigned = targetList.map((each, index) => {
    const value = values[index];
    if (!("ResTarget" in each) || each.ResTarget.indirection || value === undefined)
      throw new NoWords("MERGE that inserts a part of a column");
    const name = each.ResTarget.name ?? "";
    return [name, assignedValue(value, name, target, place)] as const;
  });
  if (!keepsOrder(assigned.map(([key]) => key))) throw new NoWords("this kind of INSERT in MERGE");
  // One function for the whole object, because only there Kysely knows the source. Its types accept
  // any key.
  const record: Chain = { kind: "record", entries: assigned };
  return call(on, "thenInsertValues", withBuilder(record, place));
}
