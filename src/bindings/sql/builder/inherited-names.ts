import type { Node } from "@pgsql/types";
import { fieldsOf, walk } from "../statement/tree.js";
import { catalogOf, relationOf } from "../database/catalog.js";
import type { BuildFacts } from "./place.js";

/** Whether every object in JavaScript has a property of that name: `constructor`, `toString`. */
export function isInherited(name: string): boolean {
  return Reflect.has(Object.prototype, name);
}

/**
 * A column of such a name, of a table that the statement gives values to. TypeScript takes the property that an object inherits for the column's value when the
 * column is left out, and Kysely's types refuse it.
 */
export function inheritedColumn(tree: Node, { snapshot }: BuildFacts): string | undefined {
  if (snapshot === undefined) return undefined;
  const catalog = catalogOf(snapshot);
  let found: string | undefined;
  walk(tree, (node) => {
    const { relation } = {
      ...fieldsOf(node, "InsertStmt"),
      ...fieldsOf(node, "UpdateStmt"),
      ...fieldsOf(node, "MergeStmt"),
    };
    const columns = relationOf(relation, catalog)?.columns ?? [];
    found ??= columns.find(({ name }) => isInherited(name))?.name;
  });
  return found;
}
