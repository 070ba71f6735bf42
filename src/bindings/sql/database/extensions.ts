import type { Extension } from "@electric-sql/pglite";
import type { SchemaStatement } from "./schema-statements.js";

/** The extensions that come with the embedded PostgreSQL, by the names that CREATE EXTENSION takes. */
export const EXTENSIONS: readonly string[] = (
  "amcheck bloom btree_gin btree_gist citext cube dict_int earthdistance fuzzystrmatch hstore intarray isn lo ltree moddatetime " +
  "pg_stat_statements pg_trgm pgcrypto seg tablefunc tcn tsm_system_rows tsm_system_time unaccent uuid-ossp"
).split(" ");

/** What CREATE EXTENSION names; undefined for any other statement. */
export function extensionOf({ tree }: SchemaStatement): string | undefined {
  return "CreateExtensionStmt" in tree ? tree.CreateExtensionStmt.extname : undefined;
}

/** Those of the named extensions that exist, with what they need themselves. */
export async function loadExtensions(
  names: readonly string[],
): Promise<Readonly<Record<string, Extension>>> {
  const needed = names.includes("earthdistance") ? [...names, "cube"] : names;
  const known = EXTENSIONS.filter((name) => needed.includes(name));
  return Object.fromEntries(
    await Promise.all(known.map(async (name) => [name, await load(name)] as const)),
  );
}

async function load(name: string): Promise<Extension> {
  const file = name.replaceAll("-", "_");
  const module: Readonly<Record<string, Extension>> = await import(
    `@electric-sql/pglite/contrib/${file}`
  );
  const extension = module[file];
  if (extension === undefined)
    throw new Error(`PGlite's module for the extension ${name} exports no ${file}`);
  return extension;
}
