import type { SchemaStatement } from "./schema-statements.js";

/** What CREATE EXTENSION names; undefined for any other statement. */
export function extensionOf({ tree }: SchemaStatement): string | undefined {
  return "CreateExtensionStmt" in tree ? tree.CreateExtensionStmt.extname : undefined;
}
