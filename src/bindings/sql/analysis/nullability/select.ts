import type { Node, SelectStmt } from "@pgsql/types";
import { fieldsOf } from "../node.js";
import { allOf } from "./facts.js";
import { fromClause } from "./from.js";
import { hasGroupingSets, maskGroups, membersOf } from "./grouping-sets.js";
import type { Analysis, Output, Scope } from "./model.js";
import { hasOneRow } from "./one-row.js";
import { outputOf } from "./targets.js";

/** A SELECT with a target list: its FROM, what its conditions prove, and its columns. */
export function querySelect(select: SelectStmt, around: Scope, a: Analysis): Output {
  const rows = fromClause(select.fromClause, around, a);
  const before: Scope = {
    items: rows.items,
    facts: allOf([around.facts, rows.facts]),
    outer: around,
    ctes: around.ctes,
    grouped: false,
    windows: windowsOf(select),
  };
  const filtered = proven(before, select.whereClause, a);
  const sets = hasGroupingSets(select);
  const grouped = { ...filtered, grouped: select.groupClause !== undefined && !sets };
  const scope = sets ? grouped : proven(grouped, select.havingClause, a);
  look(select, scope, a);
  const columns = outputOf(select.targetList, scope, a);
  return {
    columns: sets ? maskGroups(select, columns, a) : columns,
    oneRow: hasOneRow(select, before, a),
  };
}

function proven(scope: Scope, condition: Node | undefined, a: Analysis): Scope {
  a.infer(condition, scope);
  return { ...scope, facts: allOf([scope.facts, a.prove(condition, scope, "true")]) };
}

/** What stands beside the target list says nothing of it, but refers to tables, columns and functions. */
function look(select: SelectStmt, scope: Scope, a: Analysis): void {
  const windows = (select.windowClause ?? []).flatMap((each) => {
    const {
      partitionClause = [],
      orderClause = [],
      startOffset,
      endOffset,
    } = fieldsOf(each, "WindowDef") ?? {};
    return [...partitionClause, ...orderClause, startOffset, endOffset];
  });
  const groups = (select.groupClause ?? []).flatMap((each) => membersOf(each));
  const sorts = (select.sortClause ?? []).concat(
    select.distinctClause ?? [],
    windows.filter((each) => each !== undefined),
  );
  const parts = [...groups, ...sorts, select.havingClause, select.limitCount, select.limitOffset];
  for (const each of parts) a.infer(fieldsOf(each, "SortBy")?.node ?? each, scope);
}

function windowsOf({ windowClause = [] }: SelectStmt): ReadonlyMap<string, number> {
  const windows = windowClause.map((each) => fieldsOf(each, "WindowDef"));
  return new Map(windows.map((each) => [each?.name ?? "", each?.frameOptions ?? 0]));
}
