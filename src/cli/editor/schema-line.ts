import { posix } from "node:path";
import { schemaFolder } from "./schema-folder.js";

/**
 * How a file of a project names the schema that editors check it by: `../../schemas/metadata.schema.json`.
 *
 * @param path of the file, below the project
 * @param schema name of the schema's file
 */
export function schemaFrom(path: string, schema: string): string {
  const relative = posix.relative(posix.dirname(path), `${schemaFolder}/${schema}`);
  return relative.startsWith(".") ? relative : `./${relative}`;
}

/** The comment by which the YAML language server, and the editors that use it, find a file's schema. */
export function schemaLine(path: string, schema: string): string {
  return `# yaml-language-server: $schema=${schemaFrom(path, schema)}`;
}
