import type { MergeStmt, Node, RangeVar } from "@pgsql/types";
import { bodyOf, fieldsOf, locationOf, namesIn } from "../analysis/node.js";
import { type Catalog, catalogOf, relationOf } from "../database/catalog.js";
import type { Relation, Snapshot } from "../database/snapshot.js";
import { walk } from "../statement/tree.js";
import type { Assumed, TargetRows } from "./assumed.js";
import { assumeNull, truthOf } from "./null-logic.js";
import { TRUE } from "./truth.js";

/** A part of a statement that changes or removes every row of a table. */
export interface WholeTable {
  readonly verb: "UPDATE" | "DELETE" | "TRUNCATE" | "MERGE";
  readonly table: string;
  /**
   * `unconditional`: there is no condition. `true`: it is true of every row, while the parameters `without` are NULL. `other`: it says nothing of the table's rows, so that it
   * is true of all of them or of none.
   */
  readonly why: "unconditional" | "true" | "other";
  readonly without: readonly number[];
  /** Of the table's name where there is no condition, else of the condition: UTF-8 bytes into the statement. */
  readonly location: number | undefined;
}

export interface ParameterPresence {
  /** Those that a call may leave without a value: `1` for `$1`; placeholders of one parameter together. */
  readonly absent: readonly (readonly number[])[];
  /** Those that always have one. */
  readonly valued: ReadonlySet<number>;
}

/**
 * The parts of a statement that no condition keeps from every row of a table: in WITH too. A condition counts when it says something of the table's rows whichever of the
 * parameters are absent: each alone, and all of them.
 */
export function wholeTables(
  tree: Node,
  { absent, valued }: ParameterPresence,
  snapshot: Snapshot,
): readonly WholeTable[] {
  const catalog = catalogOf(snapshot);
  const cases = [[], ...absent, absent.flat()];
  const found: WholeTable[] = [];
  walk(tree, (node) => {
    for (const { conditions, range, verb } of changesIn(node)) {
      const table = range.relname ?? "";
      const location = locationOf(range);
      const given = conditions.flatMap((each) => each ?? []);
      if (given.length === 0) {
        found.push({ verb, table, why: "unconditional", without: [], location });
        continue;
      }
      const target = targetOf(range, catalog);
      const at = firstPlace(given) ?? location;
      for (const numbers of cases) {
        const assumed = assumeNull(catalog, new Set(numbers), { target: target?.rows, valued });
        if (given.some((each) => chooses(each, assumed, target))) continue;
        const isTrue = given.every((each) => truthOf(each, assumed) === TRUE);
        const why = isTrue || numbers.length > 0 ? "true" : "other";
        found.push({ verb, table, why, without: numbers, location: at });
        break;
      }
    }
  });
  return found;
}

/** Of the first word, whatever the tree puts first. */
function firstPlace(conditions: readonly Node[]): number | undefined {
  let first = Infinity;
  for (const condition of conditions)
    walk(condition, (node) => {
      first = Math.min(first, locationOf(bodyOf(node)) ?? Infinity);
    });
  return Number.isFinite(first) ? first : undefined;
}

interface Change {
  readonly verb: WholeTable["verb"];
  readonly range: RangeVar;
  /** What must hold for a row to be changed; undefined where nothing is written. */
  readonly conditions: readonly (Node | undefined)[];
}

function changesIn(node: Node): readonly Change[] {
  const truncated = fieldsOf(node, "TruncateStmt")?.relations ?? [];
  const merge = fieldsOf(node, "MergeStmt");
  const update = fieldsOf(node, "UpdateStmt");
  const { relation, whereClause } = update ?? fieldsOf(node, "DeleteStmt") ?? {};
  return [
    ...truncated.flatMap((each): Change[] => {
      const range = fieldsOf(each, "RangeVar");
      return range === undefined ? [] : [{ verb: "TRUNCATE", range, conditions: [] }];
    }),
    ...(merge === undefined ? [] : mergedBy(merge)),
    ...(relation === undefined
      ? []
      : [
          {
            verb: update ? "UPDATE" : "DELETE",
            range: relation,
            conditions: [whereClause],
          } as const,
        ]),
  ];
}

/** The join is a condition of what is matched. What the source lacks is all the rest of the table, so that there only the branch's own condition chooses. */
function mergedBy({
  joinCondition,
  mergeWhenClauses = [],
  relation,
}: MergeStmt): readonly Change[] {
  if (relation === undefined) return [];
  return mergeWhenClauses.flatMap((each): Change[] => {
    const { commandType, condition, matchKind } = fieldsOf(each, "MergeWhenClause") ?? {};
    if (commandType !== "CMD_UPDATE" && commandType !== "CMD_DELETE") return [];
    const isMatched = matchKind !== "MERGE_WHEN_NOT_MATCHED_BY_SOURCE";
    const conditions = isMatched ? [joinCondition, condition] : [condition];
    return [{ verb: "MERGE", range: relation, conditions }];
  });
}

interface Target {
  /** Absent for a table that the catalogue lacks: then any name may be one of its columns. */
  readonly rows?: TargetRows;
  readonly name: string;
}

function targetOf(range: RangeVar, catalog: Catalog): Target {
  const relation: Relation | undefined = relationOf(range, catalog);
  const name = range.alias?.aliasname ?? range.relname ?? "";
  return relation === undefined ? { name } : { name, rows: { relation, name } };
}

/** Whether a condition tells rows of the table apart, under what is assumed. */
function chooses(condition: Node, assumed: Assumed, target: Target): boolean {
  const truth = truthOf(condition, assumed);
  if (truth === TRUE) return false;
  const bool = fieldsOf(condition, "BoolExpr");
  const args = bool?.args ?? [];
  if (bool?.boolop === "AND_EXPR") {
    // What is never true takes no row.
    return !(truth & TRUE) || args.some((each) => chooses(each, assumed, target));
  }
  if (bool?.boolop === "OR_EXPR") {
    const possible = args.filter((each) => truthOf(each, assumed) & TRUE);
    return possible.length === 0 || possible.some((each) => chooses(each, assumed, target));
  }
  if (!(truth & TRUE)) return true;
  return speaksOf(condition, assumed.catalog, target);
}

/** Whether an expression has a column of the table, the row under the cursor, or chance. */
function speaksOf(expression: Node, catalog: Catalog, { name, rows }: Target): boolean {
  let found = false;
  walk(expression, (node) => {
    const call = fieldsOf(node, "FuncCall");
    const reference = fieldsOf(node, "ColumnRef");
    if ("CurrentOfExpr" in node) found = true;
    if (call !== undefined)
      found ||= catalog
        .functions(namesIn(call.funcname))
        .some(({ volatility }) => volatility === "volatile");
    if (reference !== undefined) {
      const path = namesIn(reference.fields);
      const isWhole = reference.fields?.some((each) => "A_Star" in each) === true;
      const [qualifier] = path.slice(isWhole ? -1 : -2);
      found ||=
        path.length > 1 || isWhole
          ? qualifier === undefined || qualifier === name
          : isColumn(path[0], name, rows);
    }
    return !found;
  });
  return found;
}

const SYSTEM_COLUMNS: ReadonlySet<string> = new Set("ctid cmax cmin tableoid xmax xmin".split(" "));

function isColumn(name: string | undefined, table: string, rows: TargetRows | undefined): boolean {
  if (rows === undefined || name === undefined || name === table) return true;
  return SYSTEM_COLUMNS.has(name) || rows.relation.columns.some((each) => each.name === name);
}
