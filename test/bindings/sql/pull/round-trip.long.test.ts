import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { PulledSchema } from "../../../../src/kit/kind-engine.js";
import type { Engine } from "../../../../src/bindings/sql/database/engine.js";
import { readSnapshot } from "../../../../src/bindings/sql/database/read-snapshot.js";
import { openServer } from "../../../../src/bindings/sql/database/server.js";
import type { Snapshot } from "../../../../src/bindings/sql/database/snapshot.js";
import { printSnapshot } from "../../../../src/bindings/sql/pull/snapshot-file.js";
import {
  readSchemaObjects,
  type SchemaObject,
} from "../../../../src/bindings/sql/pull/schema-objects.js";
import { createDatabase, type OwnDatabase, postgresService } from "../../../support/postgres.js";
import { describeWithService } from "../../../support/service.js";
import { embedded } from "../database/engines.js";
import { comparable, SCHEMA, SEARCH_PATH } from "./fixture.js";
import { pull } from "./pull.js";

const header = { database: "DB", server: 18, searchPath: ["public"] };

async function objectsOf(engine: Engine): Promise<readonly SchemaObject[]> {
  await engine.rows("SELECT set_config('search_path', 'pg_catalog', false)");
  return readSchemaObjects(engine, await readSnapshot(engine));
}

describe("schema of the embedded PostgreSQL, printed and loaded again", () => {
  let before: Snapshot;
  let after: Snapshot;
  let texts: readonly string[];
  beforeAll(async () => {
    const source = await embedded(SCHEMA);
    const text = printSnapshot(header, await objectsOf(source), []);
    const loaded = await embedded(text);
    texts = [text, printSnapshot(header, await objectsOf(loaded), [])];
    [before, after] = [await readSnapshot(source), await readSnapshot(loaded)];
    await Promise.all([source.close(), loaded.close()]);
  });

  test("keeps everything that the analysis reads", () => {
    expect(comparable(after, true)).toEqual(comparable(before, true));
    expect(before.relations.length).toBeGreaterThan(150);
  });

  test("prints the same text in a second round", () => {
    expect(texts[1]).toBe(texts[0]);
  });
});

await describeWithService(postgresService, () => {
  let database: OwnDatabase;
  let server: Engine;
  let pulled: PulledSchema;
  beforeAll(async () => {
    database = await createDatabase(
      `${SCHEMA}; CREATE EXTENSION intagg; CREATE EXTENSION dblink SCHEMA "odd ""s"`,
    );
    const name = new URL(database.url).pathname.slice(1);
    await database.run(`ALTER DATABASE ${name} ${SEARCH_PATH}`);
    await database.run(`ALTER DATABASE ${name} SET quote_all_identifiers = on`);
    pulled = await pull(database.url);
    const opened = await openServer(database.url);
    if (opened.kind !== "open") throw new Error(opened.message);
    server = opened.engine;
  });
  afterAll(async () => {
    await server.close();
    await database.drop();
  });

  test("a pulled schema contains everything that the analysis reads from the server", async () => {
    const loaded = await embedded(pulled.text);
    const [before, after] = [await readSnapshot(server), await readSnapshot(loaded)];
    await loaded.close();
    expect(comparable(after, false)).toEqual(comparable(before, false));
    expect(after.searchPath).toEqual(["pg_catalog", "sales", "public", 'odd "s']);
  });

  test("names are quoted only if necessary, whatever the server's settings are", () => {
    expect(pulled.text).toContain("\n-- table sales.items\nCREATE TABLE sales.items (");
    expect(pulled.text).not.toContain('"items"');
  });

  test("parts that the embedded PostgreSQL lacks are reported", () => {
    expect(pulled.notes).toEqual([
      "stand-in of the servers of foreign tables",
      "stand-in of the extension dblink",
      "stand-in of the extension intagg",
      "stand-in of the collation public.plain",
      "stand-in of the type public.geo",
    ]);
  });

  test("a role that may only connect gets the same file, except for the search path in its header", async () => {
    const role = `skillc_pull_${process.pid}`;
    await database.run(`CREATE ROLE ${role} LOGIN; REVOKE ALL ON SCHEMA public FROM PUBLIC`);
    const { notes, text } = await pull(database.urlAs(role)).finally(() =>
      database.run(`DROP ROLE ${role}`),
    );
    const [header = "", ...lines] = text.split("\n");
    expect(header).toContain('"search_path":[]');
    expect(lines).toEqual(pulled.text.split("\n").slice(1));
    expect(notes).toEqual(pulled.notes);
  });

  test("the file contains no rows, roles, hosts or secrets", () => {
    expect(pulled.text).not.toMatch(
      /secret|hunter2|4711|postgres:|127\.0\.0\.1|\bTO (?:current_user|postgres)\b/,
    );
  });

  test("objects that the embedded PostgreSQL rejects are left out and reported, and the rest loads", async ({
    skip,
  }) => {
    const [row] = await server.rows("SHOW server_version_num");
    skip(Number(row?.["server_version_num"]) >= 180_000, "from 18 on a child keeps NOT NULL");
    const own = await createDatabase(
      "CREATE TABLE old (id int PRIMARY KEY); CREATE TABLE young () INHERITS (old); ALTER TABLE young ALTER id DROP NOT NULL",
    );
    onTestFinished(() => own.drop());
    const { notes, text } = await pull(own.url);
    expect(notes).toEqual([
      expect.stringMatching(
        /^parent public\.young: public\.old is left out: .+ \(SQLSTATE 42804\)$/,
      ),
    ]);
    expect(text).toContain("\n-- left out: parent public.young: public.old\n--   column ");
    const loaded = await embedded(text);
    const { relations } = await readSnapshot(loaded);
    await loaded.close();
    expect(relations.filter(({ schema }) => schema === "public").map(({ name }) => name)).toEqual([
      "old",
      "young",
    ]);
  });
});
