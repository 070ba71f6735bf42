import type { Node } from "@pgsql/types";
import { shown } from "../../../core/names.js";
import { didYouMean, nearestName } from "../../../schema/suggestion.js";
import { pgCatalogOf } from "../database/pg-catalog.js";
import type { PgType, Snapshot } from "../database/snapshot.js";
import { childrenOf, fieldsOf, namesIn } from "../statement/tree.js";
import { sqlTypeOf, writtenType } from "../types/sql-type.js";
import type { SqlErrorContext } from "./input.js";
import { type NodeAtError, nodeAtError, tablesInSight } from "./scope.js";

/** Help for `age = note` if there is no such operator for their types. */
export function operatorHelp({ error, snapshot, statement }: SqlErrorContext): string | undefined {
  const found = nodeAtError(error, statement.sql, "A_Expr");
  const { lexpr: left, rexpr: right } = fieldsOf(found?.node, "A_Expr") ?? {};
  if (found === undefined || left === undefined) return undefined;
  const around = [...found.around, found.node];
  const assumed = [
    [left, right],
    [right, left],
  ].flatMap(([sum, other]) => assumedHelp(sum, other, around, { snapshot, statement }) ?? []);
  if (assumed[0] !== undefined) return assumed[0];
  const type = typeOf(left, around, snapshot);
  if (type === undefined) return "give both sides one type: cast one of them, `…::type`";
  const written = shown(castTo(type, snapshot));
  return `give both sides one type: cast the other to \`${written}\`, \`…::${written}\``;
}

/**
 * Help for `at > now() - :age`. PostgreSQL gives a placeholder in a sum the type of its other side,
 * so that the sum is no point in time.
 */
function assumedHelp(
  sum: Node | undefined,
  other: Node | undefined,
  around: readonly Node[],
  { snapshot, statement }: Pick<SqlErrorContext, "snapshot" | "statement">,
): string | undefined {
  const { lexpr, name, rexpr } = fieldsOf(sum, "A_Expr") ?? {};
  const operator = namesIn(name).at(-1);
  const side = [lexpr, rexpr].find((each) => each !== undefined && "ParamRef" in each);
  const beside = side === lexpr ? rexpr : lexpr;
  const number = fieldsOf(side, "ParamRef")?.number;
  const oid = other && typeOf(other, around, snapshot);
  if (beside === undefined || number === undefined || oid === undefined) return undefined;
  const compared = castTo(oid, snapshot);
  if ((operator !== "+" && operator !== "-") || !timeTypes.has(compared)) return undefined;
  const besideType = typeOf(beside, around, snapshot);
  const isSpan = besideType !== undefined && castTo(besideType, snapshot) === "interval";
  const wanted = isSpan ? compared : compared === "date" ? "int4" : "interval";
  const placeholder = `:${shown(statement.placeholders[number - 1]?.name ?? "")}`;
  return `beside \`${operator}\`, PostgreSQL gives \`${placeholder}\` the type of the other side: write \`${placeholder}::${wanted}\``;
}

const timeTypes: ReadonlySet<string> = new Set("date timestamp timestamptz time timetz".split(" "));

/** Help for `SET age = note` if the column doesn't accept the value's type. */
export function assignedTypeHelp({
  error,
  snapshot,
  statement,
}: SqlErrorContext): string | undefined {
  const found = nodeAtError(
    error,
    statement.sql,
    ...(["TypeCast", "ColumnRef", "FuncCall", "A_Const", "ParamRef", "A_Expr"] as const),
  );
  const type = found && assignedType(found.node, found.around, snapshot);
  return type === undefined ? undefined : `cast the value: \`…::${shown(castTo(type, snapshot))}\``;
}

/** Help for `mood = 'god'`: suggests a label. */
export function labelHelp({ error, snapshot, statement }: SqlErrorContext): string | undefined {
  const found = nodeAtError(error, statement.sql, "A_Const");
  const value = fieldsOf(found?.node, "A_Const")?.sval?.sval;
  if (found === undefined || value === undefined) return undefined;
  const labels = labelsAt(found, value, snapshot);
  if (labels === undefined) return undefined;
  const all = labels.map((label) => `\`${shown(label)}\``).join(", ");
  return didYouMean(value, labels) ?? `its values are ${all}`;
}

/**
 * The labels of the expected type. If the tree doesn't determine it, those of the only enum with a
 * similar label.
 */
function labelsAt(
  { around, node }: NodeAtError,
  value: string,
  snapshot: Snapshot,
): readonly string[] | undefined {
  const { typeOf: look } = pgCatalogOf(snapshot);
  const wanted = wantedType(node, around, snapshot);
  const type = wanted === undefined ? undefined : look(wanted);
  const element = type?.kind === "array" ? look(type.element ?? 0) : type;
  if (element?.labels !== undefined) return element.labels;
  const enums = snapshot.types.flatMap(({ labels }: PgType) =>
    labels === undefined ? [] : [labels],
  );
  const like = enums.filter((labels) => nearestName(value, labels) !== undefined);
  const [only, ...others] = like.length > 0 ? like : enums;
  return others.length === 0 ? only : undefined;
}

/** The OID of the type that a constant must have. */
function wantedType(node: Node, around: readonly Node[], snapshot: Snapshot): number | undefined {
  for (const [index, parent] of [...around.entries()].toReversed()) {
    const outside = around.slice(0, index + 1);
    const cast = fieldsOf(parent, "TypeCast");
    if (cast !== undefined) return namedType(parent, snapshot);
    const { lexpr, rexpr } = fieldsOf(parent, "A_Expr") ?? {};
    for (const side of [lexpr, rexpr]) {
      const type = side && side !== node ? typeOf(side, outside, snapshot) : undefined;
      if (type !== undefined) return type;
    }
    if ("ResTarget" in parent) return assignedType(node, around, snapshot);
  }
  return assignedType(node, around, snapshot);
}

/** The type of the column that stores a value, in SET or among the values of an INSERT. */
function assignedType(node: Node, around: readonly Node[], snapshot: Snapshot): number | undefined {
  const [target] = tablesInSight(around.slice(0, 1), pgCatalogOf(snapshot))[0] ?? [];
  const root = around[0];
  const typeNamed = (name: string | undefined) =>
    target?.columns.find((each) => each.name === name)?.type;
  if (root !== undefined && "UpdateStmt" in root) {
    const set = around.flatMap((each) => fieldsOf(each, "ResTarget") ?? []).at(0);
    return typeNamed(set?.name);
  }
  const insert = fieldsOf(root, "InsertStmt");
  if (insert === undefined) return undefined;
  const inside = new Set([...around, node]);
  const source = fieldsOf(insert.selectStmt, "SelectStmt");
  const rows = source?.valuesLists?.map((each) => fieldsOf(each, "List")?.items ?? []);
  const targets = source?.targetList?.map((each) => fieldsOf(each, "ResTarget")?.val);
  const at = [...(rows ?? []), targets ?? []]
    .map((items) => items.findIndex((each) => each !== undefined && inside.has(each)))
    .find((each) => each >= 0);
  if (at === undefined) return undefined;
  const listed = insert.cols?.map((each) => fieldsOf(each, "ResTarget")?.name);
  return typeNamed(listed === undefined ? target?.columns[at]?.name : listed[at]);
}

/** The type of an expression that is a column or a cast. */
function typeOf(node: Node, around: readonly Node[], snapshot: Snapshot): number | undefined {
  if ("TypeCast" in node) return namedType(node, snapshot);
  const ref = fieldsOf(node, "ColumnRef");
  if (ref === undefined) return undefined;
  const [name, qualifier] = namesIn(ref.fields).toReversed();
  const tables = tablesInSight(around, pgCatalogOf(snapshot)).flat();
  const own = tables.filter(({ alias }) => qualifier === undefined || alias === qualifier);
  return own.flatMap(({ columns }) => columns).find((each) => each.name === name)?.type;
}

function namedType(cast: Node, snapshot: Snapshot): number | undefined {
  const type = childrenOf(cast)
    .map((each) => fieldsOf(each, "TypeName"))
    .find((each) => each !== undefined);
  const named = pgCatalogOf(snapshot).typeNamed(namesIn(type?.names))?.oid;
  const isArray = (type?.arrayBounds?.length ?? 0) > 0;
  return isArray && named !== undefined ? pgCatalogOf(snapshot).arrayOf(named)?.oid : named;
}

function castTo(oid: number, snapshot: Snapshot): string {
  return writtenType(sqlTypeOf(pgCatalogOf(snapshot).typeOf, oid));
}
