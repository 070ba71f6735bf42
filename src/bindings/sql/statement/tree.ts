import type { Node } from "@pgsql/types";
import { getOwn } from "../../../core/json.js";

/**
 * Calls `visit` for a node and for every node below it, each before its own, in the order of the tree's fields. `false` leaves out what is below.
 * The tree may be as deep as it likes.
 */
export function walk(root: Node, visit: (node: Node) => boolean | void): void {
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (visit(node) === false) continue;
    for (const child of childrenOf(node).toReversed()) waiting.push(child);
  }
}

/**
 * The nodes right below a node. The parser leaves out the name of a node where only one kind can stand (`larg`, `typeName`, `withClause`…): here it
 * is put back, so that every node is `{ Kind: fields }`. Constants have none.
 */
export function childrenOf(node: Node): readonly Node[] {
  if ("A_Const" in node) return [];
  return Object.entries(Object.values(node)[0] ?? {}).flatMap(([field, value]) =>
    nodesIn(field, value),
  );
}

/** The nodes that stand inside that many others. */
export function nodesBelow(root: Node, depth: number): readonly Node[] {
  let level: readonly Node[] = [root];
  for (let at = 0; at < depth && level.length > 0; at++) level = level.flatMap(childrenOf);
  return level;
}

/** Byte offset of a node, or of the first in it that the parser gave one. */
export function locationWithin(root: Node): number | undefined {
  let found: number | undefined;
  walk(root, (node) => {
    const body: unknown = Object.values(node)[0];
    const at: unknown = Object(body).location;
    if (found === undefined && typeof at === "number" && at >= 0) found = at;
    return found === undefined;
  });
  return found;
}

function nodesIn(field: string, value: unknown): readonly Node[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => nodesIn(field, item));
  if (typeof value !== "object" || value === null) return [];
  if (isNamed(value)) return [value];
  const kind = getOwn(KIND_OF_FIELD, field);
  if (kind === undefined) return [];
  return [nodeOf(kind, value)];
}

/** A node of that kind. The kind must be a node's, and the fields must be its: the parser's, or a copy of them. */
export function nodeOf(kind: string, fields: object): Node {
  const node: object = { [kind]: fields };
  // See above: the types can't tie a name in a variable to its fields.
  return node as Node;
}

// Fields begin with a small letter, kinds with a capital.
function isNamed(value: object): value is Node {
  const [name, ...others] = Object.keys(value);
  return name !== undefined && others.length === 0 && /^[A-Z]/.test(name);
}

/** What stands without its kind's name in the statements that a tool may be. */
const KIND_OF_FIELD: Readonly<Record<string, string>> = {
  alias: "Alias",
  arg: "JsonValueExpr",
  collClause: "CollateClause",
  constructor: "JsonAggConstructor",
  context_item: "JsonValueExpr",
  cycle_clause: "CTECycleClause",
  expr: "JsonValueExpr",
  format: "JsonFormat",
  infer: "InferClause",
  intoClause: "IntoClause",
  join_using_alias: "Alias",
  larg: "SelectStmt",
  on_empty: "JsonBehavior",
  on_error: "JsonBehavior",
  onConflictClause: "OnConflictClause",
  output: "JsonOutput",
  over: "WindowDef",
  pathspec: "JsonTablePathSpec",
  rarg: "SelectStmt",
  rel: "RangeVar",
  relation: "RangeVar",
  returning: "JsonReturning",
  returningClause: "ReturningClause",
  search_clause: "CTESearchClause",
  typeName: "TypeName",
  val: "JsonValueExpr",
  value: "JsonValueExpr",
  withClause: "WithClause",
};
