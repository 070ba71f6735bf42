import type { Node } from "@pgsql/types";
import { deparseSync } from "pgsql-deparser";
import type { Engine, SqlFault } from "../database/engine.js";
import { readPlaces } from "../statement/places.js";
import type { Statement, TextRange } from "../statement/statement.js";
import { childrenOf, locationWithin } from "../statement/tree.js";

/** Expressions that are looked at one after another. */
const mostAsked = 50;

/**
 * Where a value stands that PostgreSQL can't compute, which it says without a place: the smallest constant expression with the same fault, `99999999999::int`,
 * `1 / 0`. Undefined where it is none.
 */
export async function placeOfConstant(
  statement: Statement,
  fault: SqlFault,
  engine: Engine,
): Promise<TextRange | undefined> {
  // Class 22: data exception.
  if (fault.position !== undefined || !fault.code.startsWith("22")) return undefined;
  for (const each of constantsIn(statement.tree).slice(0, mostAsked)) {
    const sql = printed(each);
    const found = sql === undefined ? undefined : await engine.plan(`SELECT ${sql}`);
    if (found?.code !== fault.code || found.message !== fault.message) continue;
    const byte = locationWithin("TypeCast" in each ? (each.TypeCast.arg ?? each) : each);
    return byte === undefined ? undefined : readPlaces(statement).ofByte(byte);
  }
  return undefined;
}

/** Expressions whose values depend on no row, no parameter and no setting: in the order of the text, those inside others first. */
function constantsIn(node: Node): readonly Node[] {
  const inside = childrenOf(node).flatMap(constantsIn);
  const isValue = "TypeCast" in node || "A_Expr" in node || "FuncCall" in node;
  return isValue && isConstant(node) ? [...inside, node] : inside;
}

const VARIABLE: ReadonlySet<string> = new Set([
  "ColumnRef",
  "ParamRef",
  "SubLink",
  "SQLValueFunction",
  "GroupingFunc",
  "WindowDef",
]);

function isConstant(node: Node): boolean {
  return !VARIABLE.has(Object.keys(node)[0] ?? "") && childrenOf(node).every(isConstant);
}

/** What the deparser can't print is left out. */
function printed(node: Node): string | undefined {
  try {
    return deparseSync(node, { pretty: false });
  } catch {
    return undefined;
  }
}
