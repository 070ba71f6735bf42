/**
 * Writes a server's schema as a file of statements, and finds the tools that a change affects.
 *
 * - `object-queries.ts`: queries for all objects, each with the SQL that creates it
 * - `schema-objects.ts`: sorts the objects so that each comes after those that it needs
 * - `snapshot-file.ts`: prints and reads the file
 * - `differences.ts`: compares two files
 * - `tools-using.ts`: finds the tools that a difference affects
 */
import type { PulledSchema, PullInput } from "../../../kit/kind-engine.js";
import { withServer } from "../database/ask-server.js";
import { emptyImage } from "../database/empty-image.js";
import type { Engine } from "../database/engine.js";
import { extensionOf, runStatement } from "../database/load-schema.js";
import { namedPath } from "../database/pg-catalog.js";
import { PgliteThread } from "../database/pglite-thread.js";
import { readSnapshot } from "../database/read-snapshot.js";
import { readHeader, type SnapshotHeader } from "../database/snapshot-header.js";
import type { SqlConfig } from "../model.js";
import { type DatabaseSettings, snapshotPath, type SqlSettings } from "../settings.js";
import { differences, readSnapshotFile } from "./differences.js";
import { readSchemaObjects, type SchemaObject } from "./schema-objects.js";
import { type LeftOut, printSnapshot, readBlocks } from "./snapshot-file.js";
import { withTools } from "./tools-using.js";

/**
 * Reads the schemas of servers, each as the file that `snapshot:` names. Reports each server that
 * can't be used.
 */
export async function pullSchemas(
  input: PullInput<SqlConfig, SqlSettings>,
): Promise<readonly PulledSchema[]> {
  const { databases } = input.settings;
  const pulled: PulledSchema[] = [];
  for (const settings of chosen(databases, input.names)) {
    const schema = await pullOne(settings, input);
    if (schema !== undefined) pulled.push(schema);
  }
  return pulled;
}

/**
 * Chooses the named databases. Without names: those with a snapshot file, or else those that each
 * run reads from a server.
 */
function chosen(
  databases: readonly DatabaseSettings[],
  names: readonly string[],
): readonly DatabaseSettings[] {
  if (names.length > 0) return databases.filter(({ name }) => names.includes(name));
  const kept = databases.filter(({ source }) => source.kind === "files" && source.isSnapshot);
  return kept.length > 0 ? kept : databases.filter(({ source }) => source.kind === "server");
}

async function pullOne(
  settings: DatabaseSettings,
  input: PullInput<SqlConfig, SqlSettings>,
): Promise<PulledSchema | undefined> {
  const { name, source, span } = settings;
  const refuse = (message: string, help: string): void =>
    input.report.add({
      code: "sql/no-server",
      span,
      message,
      help: `${help}; nothing was written`,
    });
  const read = await withServer(settings, { ...input, refuse }, BEGINNING, async (engine) => {
    const found = await readServer(engine, name);
    await engine.close();
    return found;
  });
  if (read === undefined) return undefined;
  const { header, objects } = read;
  input.progress(`trying the schema of ${name} in an embedded PostgreSQL`);
  const leftOut = await refusedObjects(header, objects);
  if ("message" in leftOut) {
    const { message } = leftOut;
    const help =
      "correct the schema on the server, or keep `introspect: true`; nothing was written";
    input.report.add({ code: "sql/schema-does-not-load", span, message, help });
    return undefined;
  }
  const kept = objects.filter((each) => leftOut.every(({ object }) => object !== each));
  const text = printSnapshot(header, kept, leftOut);
  const isNamed = source.kind === "files" && source.isSnapshot;
  const path = (isNamed ? source.patterns[0]?.pattern : undefined) ?? snapshotPath(name);
  const before = await input.read(path);
  return {
    name,
    path,
    text,
    server: `PostgreSQL ${header.server}`,
    holds: holdings(kept),
    notes: notesOn(kept, leftOut),
    changes: before === undefined ? undefined : await changesSince(before, text, name, input),
    isForeign: before !== undefined && before !== "" && readHeader(before) === undefined,
    ...(!isNamed && { setting: `${name}: { snapshot: ${path} }` }),
  };
}

/**
 * The role's own search path is read first, because the next statement changes it so that names are
 * printed with their schemas.
 */
const BEGINNING = [
  "SELECT pg_catalog.set_config('skillc.search_path', pg_catalog.to_json(pg_catalog.current_schemas(true))::text, true)",
  "SET LOCAL search_path = pg_catalog",
  // Roles, databases and servers may configure how names and amounts of money are printed.
  "SET LOCAL quote_all_identifiers = off",
  "SET LOCAL lc_monetary = 'C'",
];

async function readServer(
  engine: Engine,
  database: string,
): Promise<{ readonly header: SnapshotHeader; readonly objects: readonly SchemaObject[] }> {
  const [row] = await engine.rows(
    "SELECT current_setting('server_version_num') AS version, current_setting('skillc.search_path') AS path",
  );
  const path: readonly string[] = JSON.parse(row?.["path"] ?? "[]");
  const server = Math.floor(Number(row?.["version"]) / 10_000);
  const objects = await readSchemaObjects(engine, await readSnapshot(engine));
  return { header: { database, server, searchPath: namedPath(path) }, objects };
}

const COUNTED = [
  "table",
  "view",
  "materialized view",
  "foreign table",
  "function",
  "enum",
  "domain",
];

function holdings(objects: readonly SchemaObject[]): PulledSchema["holds"] {
  return COUNTED.flatMap((what) => {
    const count = objects.filter(({ kind }) => kind === what).length;
    return count === 0 ? [] : [{ what, count }];
  });
}

function notesOn(objects: readonly SchemaObject[], leftOut: readonly LeftOut[]): readonly string[] {
  const standIns = objects.filter(({ kind }) => kind.startsWith("stand-in"));
  return [
    ...standIns.map(({ label }) => label),
    ...leftOut.map(({ object, why }) => `${object.label} is left out: ${why}`),
  ];
}

async function changesSince(
  before: string,
  text: string,
  name: string,
  { tools }: PullInput<SqlConfig, SqlSettings>,
): Promise<PulledSchema["changes"]> {
  const [old, now] = [await readSnapshotFile(before), await readSnapshotFile(text)];
  if (now === undefined) throw new Error("a loaded snapshot can't be read");
  if (old === undefined) return readHeader(before) === undefined ? undefined : [broken];
  const own = tools
    .filter(({ config }) => config.connection.name === name)
    .map(({ config, id }) => ({ id, query: config.query.value }));
  return withTools(differences(old, now), [old, now], own);
}

const broken = { what: "the file can't be parsed", tools: [] };

/** Time limit of each statement, in milliseconds of CPU time. */
const statementTimeoutMs = 60_000;

/**
 * Loads a snapshot into a separate embedded PostgreSQL, as later runs will. Returns the objects
 * that it rejects: features of other versions and extensions, and objects that need them. Returns a
 * message if the file can't be parsed or breaks PostgreSQL.
 */
async function refusedObjects(
  header: SnapshotHeader,
  objects: readonly SchemaObject[],
): Promise<readonly LeftOut[] | { readonly message: string }> {
  const statements = await readBlocks(printSnapshot(header, objects, []));
  if (statements === undefined)
    return { message: "skillc can't parse the schema that the server describes" };
  const extensions = statements.flatMap((each) => extensionOf(each) ?? []);
  const image = await emptyImage();
  const thread = await PgliteThread.start({ extensions, image, statementTimeoutMs });
  const refused = new Map<string, string>();
  try {
    for (const statement of statements) {
      const error = await runStatement(thread, statement);
      if (error === undefined) continue;
      const why = `${error.message} (SQLSTATE ${error.code})`;
      if (/^(?:08|53|57|58|XX)/.test(error.code ?? ""))
        return { message: `the embedded PostgreSQL rejects the ${statement.label}: ${why}` };
      refused.set(statement.label, refused.get(statement.label) ?? why);
    }
  } finally {
    await thread.close();
  }
  return objects.flatMap((object) => {
    const why = refused.get(object.label);
    return why === undefined ? [] : [{ object, why }];
  });
}
