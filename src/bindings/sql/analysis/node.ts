import type { Node } from "@pgsql/types";

type KeysOf<T> = T extends unknown ? keyof T : never;

/** The kind of a node: `SelectStmt`, `ColumnRef`. */
export type Kind = KeysOf<Node>;

/** The fields of a node of that kind. */
export type Fields<K extends Kind> = Extract<Node, Record<K, unknown>>[K];

/** A node's kind, its only key; undefined for an empty place. */
export function kindOf(node: Node | undefined): Kind | undefined {
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
