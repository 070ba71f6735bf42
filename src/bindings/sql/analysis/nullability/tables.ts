import type { RangeVar } from "@pgsql/types";
import { relationOf } from "../../database/catalog.js";
import type { Column, Relation } from "../../database/snapshot.js";
import { valueTypeOf } from "../catalog/value-type.js";
import { locationOf } from "../node.js";
import { NO_FACTS } from "./facts.js";
import { makeItem, scopeColumns } from "./item.js";
import type { Analysis, Columns, CteFrame, Item, Rows, Scope, ScopeColumn } from "./model.js";

/** A name in FROM: a WITH query, when one of that name is in sight, or a table or view. */
export function relationRows(variable: RangeVar, around: Scope, a: Analysis): Rows {
  const { relname = "", schemaname, alias } = variable;
  const query = schemaname === undefined ? queryNamed(relname, around.ctes) : undefined;
  if (query !== undefined) {
    const columns = scopeColumns(query());
    const item = makeItem(alias, columns, { name: relname, rowIsValue: true });
    return { items: [item], facts: NO_FACTS };
  }
  const relation = relationOf(variable, a.catalog);
  if (relation === undefined)
    return { items: [makeItem(alias, undefined, { name: relname })], facts: NO_FACTS };
  a.record.relation(relation, "read", locationOf(variable));
  return { items: [relationItem(variable, relation, a)], facts: NO_FACTS };
}

function queryNamed(name: string, frame: CteFrame | undefined): (() => Columns) | undefined {
  for (let at = frame; at !== undefined; at = at.outer) {
    const query = at.queries.get(name);
    if (query !== undefined) return query;
  }
  return undefined;
}

/** A table or view with its columns as they are stored, or as its definition gives them. */
export function relationItem({ relname, alias }: RangeVar, relation: Relation, a: Analysis): Item {
  const defined = relation.definition === undefined ? undefined : a.view(relation);
  const fits = defined?.length === relation.columns.length;
  return makeItem(
    alias,
    relation.columns.map((each, place) => ({
      name: each.name,
      type: valueTypeOf(a.catalog, each.type),
      notNull:
        isStoredNotNull(relation, each, a) || (fits && defined[place]?.value.null === "never"),
      groups: [],
      origin: { relation, column: each.name },
    })),
    { name: relname, schema: relation.schema, hidden: hiddenOf(relation), rowIsValue: true },
  );
}

/** Nothing enforces the constraints of a foreign table; a materialized view holds what its tables held once. */
function isStoredNotNull({ kind }: Relation, { notNull }: Column, a: Analysis): boolean {
  return (
    a.trustsConstraints &&
    notNull &&
    (kind === "table" || kind === "partitioned" || kind === "sequence")
  );
}

const SYSTEM_COLUMNS = ["tableoid", "ctid", "xmin", "xmax", "cmin", "cmax"];

function hiddenOf({ kind }: Relation): readonly ScopeColumn[] {
  const has = kind === "table" || kind === "partitioned" || kind === "materialized";
  return has
    ? SYSTEM_COLUMNS.map((name) => ({ name, type: undefined, notNull: true, groups: [] }))
    : [];
}
