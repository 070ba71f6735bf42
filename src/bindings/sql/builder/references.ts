import type { Node } from "@pgsql/types";
import { walk } from "../statement/tree.js";
import { type Chain, type ChainType, childrenOf, type ReferenceCount } from "./chain.js";

/**
 * How many of the statement's references `tsc` sees in its code. References are: columns (also `t.*`, and those that INSERT and UPDATE write), tables,
 * common table expressions where they are used, and every place of a parameter. `*` alone refers to nothing that could be wrong.
 */
export function countReferences(tree: Node, chain: Chain): ReferenceCount {
  const all = referencesOf(tree);
  // A fragment may say a name twice that the statement says once.
  return { seen: Math.min(seenIn(chain), all), all };
}

function referencesOf(tree: Node): number {
  let count = 0;
  walk(tree, (node) => {
    // The tree has the row of `(a, b) = (…)` once for each column.
    if ("MultiAssignRef" in node && node.MultiAssignRef.colno !== 1) return false;
    count += referencesAt(node);
    return true;
  });
  return count;
}

function referencesAt(node: Node): number {
  if ("ColumnRef" in node) {
    const [only, ...others] = node.ColumnRef.fields ?? [];
    return only !== undefined && "A_Star" in only && others.length === 0 ? 0 : 1;
  }
  if ("RangeVar" in node || "ParamRef" in node) return 1;
  if ("InsertStmt" in node) return node.InsertStmt.cols?.length ?? 0;
  if ("UpdateStmt" in node) return node.UpdateStmt.targetList?.length ?? 0;
  if ("OnConflictClause" in node) return node.OnConflictClause.targetList?.length ?? 0;
  if ("MergeWhenClause" in node) return node.MergeWhenClause.targetList?.length ?? 0;
  return "IndexElem" in node && node.IndexElem.name !== undefined ? 1 : 0;
}

function seenIn(chain: Chain): number {
  return childrenOf(chain).reduce((sum, each) => sum + seenIn(each), seenAt(chain));
}

function seenAt(chain: Chain): number {
  if (chain.kind === "parameter") return 1;
  if (chain.kind === "literal" || chain.kind === "record") return chain.sees ?? 0;
  return chain.kind === "template" && isTable(chain.type) ? 1 : 0;
}

function isTable(type: ChainType): boolean {
  return type.kind === "row";
}
