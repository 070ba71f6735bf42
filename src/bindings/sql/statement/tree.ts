/** PostgreSQL's parse tree: the kinds and fields of nodes, and ways through it. */
import type { Node } from "@pgsql/types";
import { getOwn } from "../../../core/json.js";

type KeysOf<T> = T extends unknown ? keyof T : never;

/** The kind of a node: `SelectStmt`, `ColumnRef`. */
export type Kind = KeysOf<Node>;

/** The fields of a node of that kind. */
export type Fields<K extends Kind> = Extract<Node, Record<K, unknown>>[K];

/** A node's kind, its only key; undefined for an empty place. */
export function nodeKind(node: Node | undefined): Kind | undefined {
  // A node is an object of exactly one key, and Kind is the type of these keys.
  return node === undefined ? undefined : (Object.keys(node)[0] as Kind | undefined);
}

/** The fields of a node, when it is of that kind. */
export function fieldsOf<K extends Kind>(node: Node | undefined, kind: K): Fields<K> | undefined {
  const byKind: Partial<Record<string, object>> = node ?? {};
  // The kind is the key under which the fields are.
  return byKind[kind] as Fields<K> | undefined;
}

/** The fields of a node of any kind: what tells one node of a tree from another. */
export function bodyOf(node: Node): object {
  const body: unknown = Object.values(node)[0];
  return typeof body === "object" && body !== null ? body : node;
}

/** The texts in a list of names: `["pg_catalog", "int4"]`. */
export function namesIn(nodes: readonly Node[] | undefined): readonly string[] {
  return (nodes ?? []).flatMap((each) => {
    const text = fieldsOf(each, "String")?.sval;
    return text === undefined ? [] : [text];
  });
}

/** The items of a `List` node; an array in its place is one too. */
export function itemsOf(node: Node | undefined): readonly Node[] {
  return fieldsOf(node, "List")?.items ?? [];
}

/** Byte offset of a node into its statement; undefined when the parser gave it none. */
export function locationOf(node: object): number | undefined {
  const location: unknown = "location" in node ? node.location : undefined;
  // The parser leaves out a location of 0, and marks what it made up with -1.
  return typeof location === "number" && location >= 0 ? location : undefined;
}

/**
 * Calls `visit` for a node and for every node below it, each before its own, in the order of the
 * tree's fields. `false` leaves out what is below. The tree may be as deep as it likes.
 */
export function walk(root: Node, visit: (node: Node) => boolean | void): void {
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (visit(node) === false) continue;
    for (const child of childrenOf(node).toReversed()) waiting.push(child);
  }
}

/**
 * The nodes right below a node. The parser leaves out the name of a node where only one kind can
 * stand (`larg`, `typeName`, `withClause`…): here it is put back, so that every node is `{ Kind:
 * fields }`. Constants have none.
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

/**
 * A node of that kind. The kind must be a node's, and the fields must be its: the parser's, or a
 * copy of them.
 */
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

/** A node as it stands in the tree. Fields are not relied on: they may be those of any kind. */
export interface Found {
  readonly kind: string;
  readonly body: object;
}

/**
 * Fields that hold a node without its kind's name, of the kinds that matter wherever they stand.
 */
const UNNAMED: ReadonlyMap<string, string> = new Map([
  ["intoClause", "IntoClause"],
  ["typeName", "TypeName"],
]);

/**
 * Every node of a tree, in no certain order. It knows nothing of which kind has which fields, so
 * that none can be overlooked: whatever stands under a capital letter is a node.
 */
export function everyNode(tree: Node): readonly Found[] {
  const found: Found[] = [];
  const waiting: unknown[] = [tree];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== "object" || value === null) continue;
    for (const [key, inner] of Object.entries(value) as readonly (readonly [string, unknown])[]) {
      const kind = /^[A-Z]/.test(key) ? key : UNNAMED.get(key);
      if (kind !== undefined && typeof inner === "object" && inner !== null)
        found.push({ kind, body: inner });
      waiting.push(inner);
    }
  }
  return found;
}
