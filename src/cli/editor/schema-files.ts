import { posix } from "node:path";

/** The folder of a project, and of this package, that the schemas for editors are written to. */
export const schemaFolder = "schemas";

/** The files of that folder, by what they are for. */
export const schemaFiles = {
  config: "skillc.schema.json",
  frontMatter: "skill.schema.json",
  metadata: "metadata.schema.json",
} as const;

/**
 * Relative path from a project's file to its editor schema: `../../schemas/metadata.schema.json`.
 *
 * @param path path of the file, below the project
 * @param schema name of the schema's file
 */
export function schemaFrom(path: string, schema: string): string {
  const relative = posix.relative(posix.dirname(path), `${schemaFolder}/${schema}`);
  return relative.startsWith(".") ? relative : `./${relative}`;
}

/**
 * The comment by which the YAML language server, and the editors that use it, find a file's schema.
 */
export function schemaLine(path: string, schema: string): string {
  return `# yaml-language-server: $schema=${schemaFrom(path, schema)}`;
}
