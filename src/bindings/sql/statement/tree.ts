/** Reads PostgreSQL's parse tree: kinds and fields of nodes, and walks. */
import type { Node } from "@pgsql/types";
import { getOwn } from "../../../core/json.js";

type KeysOf<T> = T extends unknown ? keyof T : never;

/** The kind of a node: `SelectStmt`, `ColumnRef`. */
export type Kind = KeysOf<Node>;

/** The fields of a node of that kind. */
export type Fields<K extends Kind> = Extract<Node, Record<K, unknown>>[K];

/** A node's kind, which is its only key; undefined for a missing node. */
export function nodeKind(node: Node | undefined): Kind | undefined {
  // A node is an object with exactly one key, and Kind is the type of these keys.
  return node === undefined ? undefined : (Object.keys(node)[0] as Kind | undefined);
}

/** The fields of a node if it has that kind; undefined otherwise. */
export function fieldsOf<K extends Kind>(node: Node | undefined, kind: K): Fields<K> | undefined {
  const byKind: Partial<Record<string, object>> = node ?? {};
  // The fields are stored under the kind.
  return byKind[kind] as Fields<K> | undefined;
}

/** The fields of a node of any kind. They identify the node in maps. */
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

/** The items of a `List` node; empty for any other node. */
export function itemsOf(node: Node | undefined): readonly Node[] {
  return fieldsOf(node, "List")?.items ?? [];
}

/** Byte offset of a node in its statement; undefined if the parser gave none. */
export function locationOf(node: object): number | undefined {
  const location: unknown = "location" in node ? node.location : undefined;
  // The parser omits a location of 0, and uses -1 for nodes without text.
  return typeof location === "number" && location >= 0 ? location : undefined;
}

/**
 * Visits a node and every node below it, parents first, in the order of the tree's fields. If
 * `visit` returns `false`, the nodes below are skipped. The depth of the tree is not limited.
 */
export function walk(root: Node, visit: (node: Node) => boolean | void): void {
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (visit(node) === false) continue;
    for (const child of childrenOf(node).toReversed()) waiting.push(child);
  }
}

/**
 * The direct children of a node. The parser omits the kind of a node if only one is possible
 * (`larg`, `typeName`, `withClause`…). This function adds it, so that every node is `{ Kind: fields
 * }`. Constants have no children.
 */
export function childrenOf(node: Node): readonly Node[] {
  if ("A_Const" in node) return [];
  return Object.entries(Object.values(node)[0] ?? {}).flatMap(([field, value]) =>
    nodesIn(field, value),
  );
}

/** The nodes at a given depth below a node. */
export function nodesBelow(root: Node, depth: number): readonly Node[] {
  let level: readonly Node[] = [root];
  for (let at = 0; at < depth && level.length > 0; at++) level = level.flatMap(childrenOf);
  return level;
}

/** Byte offset of a node, or of the first node inside that has one. */
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
 * Makes a node. The kind must be a node's kind, and the fields must be the parser's for that kind,
 * or a copy.
 */
export function nodeOf(kind: string, fields: object): Node {
  const node: object = { [kind]: fields };
  // The types can't connect a kind in a variable with its fields; see above.
  return node as Node;
}

// Names of fields begin with a small letter, kinds with a capital.
function isNamed(value: object): value is Node {
  const [name, ...others] = Object.keys(value);
  return name !== undefined && others.length === 0 && /^[A-Z]/.test(name);
}

/** Kinds of nodes that the parser omits, by field, for the statements that a tool may use. */
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

/** A node with its kind. Its fields may be those of any kind. */
export interface NodeWithKind {
  readonly kind: string;
  readonly body: object;
}

/** Fields that contain a node without its kind, for kinds that matter everywhere. */
const UNNAMED: ReadonlyMap<string, string> = new Map([
  ["intoClause", "IntoClause"],
  ["typeName", "TypeName"],
]);

/**
 * Every node of a tree, in no particular order. It doesn't depend on the fields of each kind, so
 * that it can't miss a node: any value under a capitalized key is a node.
 */
export function everyNode(tree: Node): readonly NodeWithKind[] {
  const found: NodeWithKind[] = [];
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
