import { posix } from "node:path";

/** Folder for the editor schemas, in a project and in this package. */
export const schemaFolder = "schemas";

/** Files of the folder, by purpose. */
export const schemaFiles = {
  config: "skillc.schema.json",
  frontMatter: "skill.schema.json",
  metadata: "metadata.schema.json",
  overrides: "import-overrides.schema.json",
} as const;

/**
 * Relative path from a project's file to its editor schema: `../../schemas/metadata.schema.json`.
 *
 * @param path path of the file, below the project
 * @param schema name of the schema's file
 */
function schemaFrom(path: string, schema: string): string {
  const relative = posix.relative(posix.dirname(path), `${schemaFolder}/${schema}`);
  return relative.startsWith(".") ? relative : `./${relative}`;
}

/**
 * Returns the comment that tells the YAML language server, and editors with it, the schema of a
 * file.
 */
export function schemaLine(path: string, schema: string): string {
  return `# yaml-language-server: $schema=${schemaFrom(path, schema)}`;
}
