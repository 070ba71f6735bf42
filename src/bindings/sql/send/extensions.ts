import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Extension } from "@electric-sql/pglite";

/** Extensions of the embedded PostgreSQL, by the names that CREATE EXTENSION takes. */
export const EXTENSIONS: readonly string[] = (
  "amcheck bloom btree_gin btree_gist citext cube dict_int earthdistance fuzzystrmatch hstore intarray isn lo ltree moddatetime " +
  "pg_stat_statements pg_trgm pgcrypto seg tablefunc tcn tsm_system_rows tsm_system_time unaccent uuid-ossp"
).split(" ");

/**
 * This extension is preloaded with the server and then recorded in the folder's settings.
 * Afterwards an engine without it can't open the folder.
 */
const preloaded = "pg_stat_statements";

/** Loads those of the named extensions that exist, and the extensions that they need. */
export async function loadExtensions(
  names: readonly string[],
): Promise<Readonly<Record<string, Extension>>> {
  const needed = names.includes("earthdistance") ? [...names, "cube"] : names;
  const known = EXTENSIONS.filter((name) => needed.includes(name));
  return Object.fromEntries(
    await Promise.all(known.map(async (name) => [name, await load(name)] as const)),
  );
}

/**
 * Loads the extensions for a tool's database. All are loaded, because the database's own extensions
 * are known only after it is opened, which is too late to load them.
 *
 * @param folder undefined for a database in memory
 */
export async function extensionsFor(
  folder: string | undefined,
): Promise<Readonly<Record<string, Extension>>> {
  const settings = folder === undefined ? "" : await extensionSql(join(folder, "postgresql.conf"));
  const isPreloaded = settings.includes(preloaded);
  return loadExtensions(EXTENSIONS.filter((name) => name !== preloaded || isPreloaded));
}

/** Reads the settings; empty if there is no such file. */
function extensionSql(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
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
