/**
 * Finds where values meet columns in INSERT, UPDATE, MERGE and comparisons: parameters, required
 * columns that a new row lacks, and NOT NULL columns that get a literal NULL.
 */
import type { InsertStmt, MergeStmt, Node, RangeVar, SelectStmt } from "@pgsql/types";
import { type PgCatalog, pgCatalogOf, relationOf } from "../database/pg-catalog.js";
import type { Column, Relation, Snapshot } from "../database/snapshot.js";
import { fieldsOf, itemsOf, locationOf, namesIn, walk } from "../statement/tree.js";

/** A column that a parameter's value is written to, or compared with. */
export interface ColumnUse {
  /** Number of the parameter: `1` for `$1`. */
  readonly number: number;
  /** Position of the parameter, in UTF-8 bytes into the statement. */
  readonly location: number | undefined;
  readonly how: "stored" | "compared";
  /** True if the value is cast. */
  readonly cast: boolean;
  readonly relation: Relation;
  readonly column: Column;
}

/**
 * Finds the columns that parameters meet: in INSERT, UPDATE and MERGE, and in `column = :name`,
 * `IN` and `= ANY`. Ambiguous names, and other expressions, are left out.
 */
export function columnUses(tree: Node, snapshot: Snapshot): readonly ColumnUse[] {
  const pgCatalog = pgCatalogOf(snapshot);
  const tables = tablesIn(tree, pgCatalog);
  const uses: ColumnUse[] = [];
  walk(tree, (node) => {
    const pairs = [...storedValues(node, pgCatalog), ...comparedValues(node, tables)];
    uses.push(...pairs.flatMap(useOf));
  });
  return uses;
}

function useOf({ value, column, how, relation }: Pair): readonly ColumnUse[] {
  const inner = fieldsOf(value, "TypeCast")?.arg;
  const parameter = fieldsOf(inner ?? value, "ParamRef");
  if (parameter?.number === undefined || column === undefined) return [];
  const location = locationOf(parameter);
  const cast = inner !== undefined;
  return [{ number: parameter.number, location, how, cast, relation, column }];
}

/** A value and the column that it meets; undefined if the column is uncertain. */
interface Pair {
  readonly value: Node | undefined;
  readonly how: "stored" | "compared";
  readonly relation: Relation;
  readonly column: Column | undefined;
}

/** The values that an INSERT, UPDATE or MERGE writes to columns. */
export function storedValues(node: Node, pgCatalog: PgCatalog): readonly Pair[] {
  const insert = fieldsOf(node, "InsertStmt");
  if (insert !== undefined) {
    const { cols, onConflictClause, relation, selectStmt } = insert;
    const updated = assigned(relation, onConflictClause?.targetList, pgCatalog);
    return [
      ...insertedRows(selectStmt).flatMap((row) => inserted(relation, cols, row, pgCatalog)),
      ...updated,
    ];
  }
  const update = fieldsOf(node, "UpdateStmt");
  if (update !== undefined) return assigned(update.relation, update.targetList, pgCatalog);
  const { mergeWhenClauses = [], relation } = fieldsOf(node, "MergeStmt") ?? {};
  return mergeWhenClauses.flatMap((each) => {
    const { commandType, targetList, values = [] } = fieldsOf(each, "MergeWhenClause") ?? {};
    if (commandType === "CMD_INSERT") return inserted(relation, targetList, values, pgCatalog);
    return commandType === "CMD_UPDATE" ? assigned(relation, targetList, pgCatalog) : [];
  });
}

/** The rows of an INSERT that the statement itself contains. */
function insertedRows(select: Node | undefined): readonly (readonly Node[])[] {
  const { targetList = [], valuesLists = [] } = fieldsOf(select, "SelectStmt") ?? {};
  if (valuesLists.length > 0) return valuesLists.map(itemsOf);
  // A `*` stands for an unknown number of columns, so all positions are uncertain.
  const values = targetList.map((each) => fieldsOf(each, "ResTarget")?.val);
  const isStar = values.some((each) =>
    fieldsOf(each, "ColumnRef")?.fields?.some((field) => "A_Star" in field),
  );
  return isStar ? [] : [values.flatMap((each) => each ?? [])];
}

function inserted(
  table: RangeVar | undefined,
  targets: readonly Node[] | undefined,
  row: readonly Node[],
  pgCatalog: PgCatalog,
): readonly Pair[] {
  const relation = relationOf(table, pgCatalog);
  if (relation === undefined) return [];
  return row.map((value, place): Pair => {
    const target = fieldsOf(targets?.[place], "ResTarget");
    const named = relation.columns.find(({ name }) => name === target?.name);
    const column = targets === undefined ? relation.columns[place] : named;
    const whole = target?.indirection === undefined ? column : undefined;
    return { value, how: "stored", relation, column: whole };
  });
}

function assigned(
  table: RangeVar | undefined,
  targets: readonly Node[] | undefined,
  pgCatalog: PgCatalog,
): readonly Pair[] {
  const relation = relationOf(table, pgCatalog);
  if (relation === undefined) return [];
  return (targets ?? []).map((each): Pair => {
    const { indirection, name, val } = fieldsOf(each, "ResTarget") ?? {};
    const column = relation.columns.find((column) => column.name === name);
    const whole = indirection === undefined ? column : undefined;
    return { value: oneOfSeveral(val), how: "stored", relation, column: whole };
  });
}

/** The value of one column in `(a, b) = (:x, :y)`. */
function oneOfSeveral(value: Node | undefined): Node | undefined {
  const several = fieldsOf(value, "MultiAssignRef");
  if (several === undefined) return value;
  return fieldsOf(several.source, "RowExpr")?.args?.[(several.colno ?? 1) - 1];
}

/** The values that `=`, `IN` or `= ANY` compares with columns. */
function comparedValues(node: Node, tables: readonly NamedTable[]): readonly Pair[] {
  const { kind, lexpr, name, rexpr } = fieldsOf(node, "A_Expr") ?? {};
  if (name === undefined || namesIn(name).at(-1) !== "=") return [];
  if (kind === "AEXPR_IN") return itemsOf(rexpr).flatMap((item) => compared(lexpr, item, tables));
  if (kind === "AEXPR_OP_ANY") return compared(lexpr, rexpr, tables);
  if (kind !== "AEXPR_OP") return [];
  return [...compared(lexpr, rexpr, tables), ...compared(rexpr, lexpr, tables)];
}

function compared(
  side: Node | undefined,
  value: Node | undefined,
  tables: readonly NamedTable[],
): readonly Pair[] {
  const path = namesIn(fieldsOf(side, "ColumnRef")?.fields);
  const name = path.at(-1);
  if (name === undefined || path.length > 2) return [];
  const meant = path.length === 1 ? tables : tables.filter((each) => each.name === path[0]);
  const found = meant.flatMap(({ relation }) => {
    const column = relation.columns.find((each) => each.name === name);
    return column === undefined ? [] : [{ relation, column }];
  });
  const [only, another] = found;
  return only === undefined || another !== undefined ? [] : [{ value, how: "compared", ...only }];
}

/** A table by its name in the statement. */
interface NamedTable {
  readonly name: string;
  readonly relation: Relation;
}

/** The tables and views of a statement, without WITH queries. */
function tablesIn(tree: Node, pgCatalog: PgCatalog): readonly NamedTable[] {
  const queries = new Set<string>();
  const variables: RangeVar[] = [];
  walk(tree, (node) => {
    const query = fieldsOf(node, "CommonTableExpr")?.ctename;
    if (query !== undefined) queries.add(query);
    if ("RangeVar" in node) variables.push(node.RangeVar);
  });
  return variables.flatMap((each): NamedTable[] => {
    const relation = relationOf(each, pgCatalog);
    const isQuery = each.schemaname === undefined && queries.has(each.relname ?? "");
    if (relation === undefined || isQuery) return [];
    return [{ name: each.alias?.aliasname ?? each.relname ?? "", relation }];
  });
}

/** The rows that an INSERT adds, or one branch of a MERGE. */
export interface Insertion {
  readonly relation: Relation;
  /** The table as the statement names it. */
  readonly range: RangeVar;
  /** Columns that get a value, or DEFAULT. */
  readonly given: readonly Column[];
  /** NOT NULL columns without a default that get no value. */
  readonly leftOut: readonly Column[];
  /** Position of the table's name, in UTF-8 bytes into the statement. */
  readonly location: number | undefined;
}

/** Finds every insertion whose number of columns is known. */
export function insertions(tree: Node, snapshot: Snapshot): readonly Insertion[] {
  const found: Insertion[] = [];
  walk(tree, (node) => {
    const insert = fieldsOf(node, "InsertStmt");
    const merge = fieldsOf(node, "MergeStmt");
    const range = insert?.relation ?? merge?.relation;
    const relation = relationOf(range, pgCatalogOf(snapshot));
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

/** The columns that an INSERT gives: a list of one entry, or none if unknown. */
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

/** Number of columns in the rows; undefined if a `*` determines it, and 0 for DEFAULT VALUES. */
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

/** A literal NULL for a NOT NULL column, or a DEFAULT that is NULL there. */
interface WrittenNull {
  readonly relation: Relation;
  readonly column: Column;
  readonly word: "NULL" | "DEFAULT";
  /** Position in UTF-8 bytes into the statement. */
  readonly location: number | undefined;
}

/** Finds literal NULLs, except in tables where a trigger or a rule may replace them. */
export function writtenNulls(tree: Node, snapshot: Snapshot): readonly WrittenNull[] {
  const found: WrittenNull[] = [];
  walk(tree, (node) => {
    for (const { column, relation, value } of storedValues(node, pgCatalogOf(snapshot))) {
      const written = wordOf(value, column);
      if (written === undefined || column?.notNull !== true) continue;
      if (relation.intercepted === undefined || relation.intercepted === "never")
        found.push({ relation, column, ...written });
    }
  });
  return found;
}

function wordOf(
  value: Node | undefined,
  column: Column | undefined,
): Pick<WrittenNull, "word" | "location"> | undefined {
  const isFilled = column?.hasDefault === true || column?.generated === true;
  const byDefault = fieldsOf(value, "SetToDefault");
  if (byDefault !== undefined)
    return isFilled ? undefined : { word: "DEFAULT", location: locationOf(byDefault) };
  const cast = fieldsOf(value, "TypeCast");
  if (cast !== undefined) return wordOf(cast.arg, column);
  const constant = fieldsOf(value, "A_Const");
  return constant?.isnull === true ? { word: "NULL", location: locationOf(constant) } : undefined;
}
