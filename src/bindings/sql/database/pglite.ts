import { PGlite } from "@electric-sql/pglite";
import { loadExtensions } from "../send/extensions.js";
import { loadParser } from "../statement/lexer.js";
import type { EmbeddedEngine } from "./engine.js";
import { extensionOf } from "./extensions.js";
import type { SchemaFault } from "./fault.js";
import { loadSchema } from "./load-schema.js";
import { createEngine } from "./pglite-engine.js";
import type { SchemaFile } from "./schema-files.js";
import { readSchemaStatements, type SchemaStatement } from "./schema-statements.js";

export type OpenedEmbedded =
  | { readonly kind: "open"; readonly engine: EmbeddedEngine }
  | { readonly kind: "faults"; readonly faults: readonly SchemaFault[] };

/**
 * Boots PostgreSQL in memory and loads schema files, in the order given. A file that can't be parsed stops before the boot, with every such file named; a
 * statement that fails stops the load. A boot takes about 3 s; from the `image` of an engine with the same files, which are then not loaded again, 0.7 s.
 * Until it is closed, an engine keeps the process alive.
 */
export async function openEmbedded(
  files: readonly SchemaFile[],
  image?: Uint8Array<ArrayBuffer>,
): Promise<OpenedEmbedded> {
  await loadParser();
  const read = files.map(readSchemaStatements);
  const faults = read.flatMap((file) => ("message" in file ? [file] : []));
  if (faults.length > 0) return { kind: "faults", faults };
  const statements = read.flatMap((file) => ("message" in file ? [] : [file]));
  const db = await bootWith(statements, image);
  if (!(db instanceof PGlite)) return { kind: "faults", faults: [db] };
  return { kind: "open", engine: createEngine(db, () => bootAgain(statements, image)) };
}

/** Loaded already once, so it loads. */
async function bootAgain(...[statements, image]: Parameters<typeof bootWith>): Promise<PGlite> {
  const db = await bootWith(statements, image);
  if (db instanceof PGlite) return db;
  throw new Error(`a schema that was loaded before is refused: ${db.message}`);
}

async function bootWith(
  statements: readonly (readonly SchemaStatement[])[],
  image: Uint8Array<ArrayBuffer> | undefined,
): Promise<PGlite | SchemaFault> {
  const db = await boot(statements.flat(), image);
  const fault = image === undefined ? await loadSchema(db, statements) : undefined;
  if (fault === undefined) return freeze(db);
  await db.close();
  return fault;
}

async function boot(
  statements: readonly SchemaStatement[],
  image: Uint8Array<ArrayBuffer> | undefined,
): Promise<PGlite> {
  const names = statements.flatMap((statement) => extensionOf(statement) ?? []);
  const extensions = await loadExtensions(names);
  if (image === undefined) return PGlite.create({ extensions });
  return PGlite.create({
    extensions,
    loadDataDir: new Blob([image], { type: "application/x-gzip" }),
  });
}

/** Nothing is written from here on, whatever is asked. */
async function freeze(db: PGlite): Promise<PGlite> {
  await db.exec("SET default_transaction_read_only = on");
  return db;
}
