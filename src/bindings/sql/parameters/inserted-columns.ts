import type { InsertStmt, MergeStmt, Node, RangeVar, SelectStmt } from "@pgsql/types";
import { fieldsOf, itemsOf, locationOf, walk } from "../statement/tree.js";
import { catalogOf, relationOf } from "../database/catalog.js";
import type { Column, Relation, Snapshot } from "../database/snapshot.js";

/** The rows that an INSERT adds, or one branch of a MERGE. */
export interface Insertion {
  readonly relation: Relation;
  /** The table as the statement names it. */
  readonly range: RangeVar;
  /** Columns that are given something, DEFAULT included. */
  readonly given: readonly Column[];
  /** Columns that are given nothing, have no default and take no NULL. */
  readonly leftOut: readonly Column[];
  /** Of the table's name: UTF-8 bytes into the statement. */
  readonly location: number | undefined;
}

/** Every insertion of a statement whose number of columns is known. */
export function insertions(tree: Node, snapshot: Snapshot): readonly Insertion[] {
  const found: Insertion[] = [];
  walk(tree, (node) => {
    const insert = fieldsOf(node, "InsertStmt");
    const merge = fieldsOf(node, "MergeStmt");
    const range = insert?.relation ?? merge?.relation;
    const relation = relationOf(range, catalogOf(snapshot));
    if (range === undefined || relation === undefined) return;
    for (const given of [...givenByInsert(insert, relation), ...givenByMerge(merge, relation)])
      found.push({
        relation,
        range,
        given,
        leftOut: relation.columns.filter((each) => isNeeded(each) && !given.includes(each)),
        location: locationOf(range),
      });
  });
  return found;
}

function isNeeded({ generated, hasDefault, notNull }: Column): boolean {
  return notNull && !hasDefault && !generated;
}

type Given = readonly Column[];

/** One or none. */
function givenByInsert(insert: InsertStmt | undefined, relation: Relation): readonly Given[] {
  if (insert === undefined) return [];
  if (insert.cols !== undefined) return [columnsNamed(insert.cols, relation)];
  const width = widthOf(fieldsOf(insert.selectStmt, "SelectStmt"));
  return width === undefined ? [] : [relation.columns.slice(0, width)];
}

function givenByMerge(merge: MergeStmt | undefined, relation: Relation): readonly Given[] {
  return (merge?.mergeWhenClauses ?? []).flatMap((each) => {
    const { commandType, targetList, values = [] } = fieldsOf(each, "MergeWhenClause") ?? {};
    if (commandType !== "CMD_INSERT") return [];
    if (targetList !== undefined) return [columnsNamed(targetList, relation)];
    return [relation.columns.slice(0, values.length)];
  });
}

function columnsNamed(targets: readonly Node[], { columns }: Relation): Given {
  const names = new Set(targets.map((each) => fieldsOf(each, "ResTarget")?.name));
  return columns.filter(({ name }) => names.has(name));
}

/** How many columns the rows have; undefined when a `*` says it. Of DEFAULT VALUES none. */
function widthOf(select: SelectStmt | undefined): number | undefined {
  if (select === undefined) return 0;
  const { larg, targetList = [], valuesLists: [row] = [] } = select;
  if (larg !== undefined) return widthOf(larg);
  if (row !== undefined) return itemsOf(row).length;
  const isStar = targetList.some((each) =>
    fieldsOf(fieldsOf(each, "ResTarget")?.val, "ColumnRef")?.fields?.some(
      (field) => "A_Star" in field,
    ),
  );
  return isStar ? undefined : targetList.length;
}
