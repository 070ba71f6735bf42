import type { Node } from "@pgsql/types";

/** A node as it stands in the tree. Fields are not relied on: they may be those of any kind. */
export interface Found {
  readonly kind: string;
  readonly body: object;
}

/** Fields that hold a node without its kind's name, of the kinds that matter wherever they stand. */
const UNNAMED: ReadonlyMap<string, string> = new Map([
  ["intoClause", "IntoClause"],
  ["typeName", "TypeName"],
]);

/**
 * Every node of a tree, in no certain order. It knows nothing of which kind has which fields, so that none can be overlooked: whatever stands under a
 * capital letter is a node.
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
