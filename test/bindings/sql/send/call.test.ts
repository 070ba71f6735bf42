import { afterEach, describe, expect, test } from "vitest";
import { query } from "../../../../src/bindings/sql/execute.js";
import { sql } from "../../../../src/bindings/sql/runtime.js";
import {
  type Answer,
  attempt,
  failure,
  onEachEngine,
  prepare,
  send,
  type TestDatabase,
  type Tool,
} from "./support.js";

const schema = `
  CREATE TABLE customers (id int4 PRIMARY KEY, email text NOT NULL CONSTRAINT one_email UNIQUE);
  CREATE TABLE orders (
    id int4 PRIMARY KEY,
    customer int4 CONSTRAINT known_customer REFERENCES customers ON DELETE RESTRICT,
    total int4 CONSTRAINT not_negative CHECK (total >= 0),
    late int4 CONSTRAINT known_late REFERENCES customers DEFERRABLE INITIALLY DEFERRED,
    during int4range, CONSTRAINT no_overlap EXCLUDE USING gist (during WITH &&)
  );
  CREATE FUNCTION boom(told text) RETURNS text LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'no % here', told USING DETAIL = told, HINT = told; END $$;
  CREATE TABLE numbers AS SELECT n FROM generate_series(1, 10000) n;
  CREATE TABLE jobs (id int4 PRIMARY KEY, done bool NOT NULL DEFAULT false);
  CREATE FUNCTION doit(job int4) RETURNS int4 LANGUAGE sql AS 'UPDATE jobs SET done = true WHERE id = job RETURNING id';
  CREATE DOMAIN title AS text NOT NULL CONSTRAINT short CHECK (length(value) < 9);
  CREATE TABLE books (name title);
  CREATE TYPE mood AS ENUM ('good', 'bad', 'so-so');
  CREATE FUNCTION lost() RETURNS int4 LANGUAGE plpgsql AS $$ BEGIN RETURN (SELECT id FROM nowhere); END $$;
  INSERT INTO customers VALUES (1, 'ada@example.com'), (2, 'bob@example.com');
  INSERT INTO orders (id, customer, total) VALUES (10, 1, 100);
`;
const contents = "SELECT (SELECT count(*) FROM customers) AS c, (SELECT count(*) FROM orders) AS o";

onEachEngine(schema, (database) => {
  const run = (tool: Tool) => send(tool, attempt(database().url));
  const untouched = async (db: TestDatabase) =>
    expect(await db.rows(`${contents}, (SELECT sum(id) FROM customers) AS s`)).toEqual([
      expect.objectContaining({ c: expect.toSatisfy((n) => Number(n) === 2) }),
    ]);

  describe("rows of a call", () => {
    const numbers: Tool = { text: "SELECT n FROM numbers ORDER BY n", columns: { n: "int4" } };

    test("`many` returns all rows", async () => {
      const { result } = await run({
        ...numbers,
        text: "SELECT n FROM numbers WHERE n < 4 ORDER BY n",
      });
      expect(result).toEqual({
        status: "success",
        data: [{ n: 1 }, { n: 2 }, { n: 3 }],
        truncated: false,
      });
    });

    test("`many` does not truncate exactly `max_rows` rows", async () => {
      const { result } = await run({ ...numbers, text: `${numbers.text} LIMIT 3`, maxRows: 3 });
      expect(result).toMatchObject({ truncated: false, data: { length: 3 } });
    });

    test("`many` truncates more than `max_rows` rows", async () => {
      const { result } = await run({ ...numbers, maxRows: 2 });
      expect(result).toEqual({ status: "success", data: [{ n: 1 }, { n: 2 }], truncated: true });
    });

    test("`one` returns the row itself", async () => {
      const { result } = await run({
        ...numbers,
        text: "SELECT n FROM numbers WHERE n = 7",
        rows: "one",
      });
      expect(result).toEqual({ status: "success", data: { n: 7 } });
    });

    test("`one` returns `not_found` without a row", async () => {
      const { result } = await run({
        ...numbers,
        text: "SELECT n FROM numbers WHERE n = 0",
        rows: "one",
      });
      expect(result).toEqual({ status: "not_found", error: {} });
    });

    test("`optional` returns the row or null", async () => {
      const { result } = await run({
        ...numbers,
        text: "SELECT n FROM numbers WHERE n = 0",
        rows: "optional",
      });
      expect(result).toEqual({ status: "success", data: null });
    });

    test.each(["one", "optional"] as const)("`%s` rejects several rows", async (rows) => {
      const { failure: why } = await failure(run({ ...numbers, rows }));
      expect(why).toMatchObject({
        code: "PROVIDER.PROTOCOL",
        reason: "the statement returned more than one row, but the tool allows only one",
      });
    });
  });

  describe("unexpected columns", () => {
    test.each([
      [
        "an unknown column",
        { text: "SELECT 1 AS a, 2 AS b", columns: { a: "int4" } },
        "`b` is unknown",
      ],
      [
        "a missing column",
        { text: "SELECT 1 AS a", columns: { a: "int4", b: "int4" } },
        "`b` is missing",
      ],
      [
        "a column of another type",
        { text: "SELECT 1.5 AS a", columns: { a: "int4" } },
        "`a` is no longer int4",
      ],
      [
        "an array of another type",
        { text: "SELECT '{a}'::text[] AS a", columns: { a: "int4[]" } },
        "`a` is no longer int4[]",
      ],
      [
        "a name of Object.prototype",
        { text: `SELECT 1 AS "constructor"`, columns: {} },
        "`constructor` is unknown",
      ],
    ] as const)("rejects %s", async (_, tool, told) => {
      const error = await failure(run(tool));
      expect(error.code).toBe("PROVIDER.PROTOCOL");
      expect(error.message).toContain(told);
    });
  });

  describe("schema that has changed since the tool was generated", () => {
    const drifted = "the database is not the one that the tool was generated for; generate again";
    const few = ["good", "bad"];
    const nowNull = "column `a` is NULL, which it could not be";
    const newLabel = "column `a` contains a label that its type did not have";

    test.each<[what: string, tool: Tool, told: string]>([
      [
        "NULL in a column that took none",
        { text: "SELECT n FROM (VALUES (1), (NULL)) AS v (n)", columns: { n: "int4!" } },
        "column `n` is NULL, which it could not be",
      ],
      [
        "NULL in one row",
        { text: "SELECT NULL AS a", columns: { a: "text!" }, rows: "one" },
        nowNull,
      ],
      [
        "NULL in an optional row",
        { text: "SELECT NULL::int8 AS a", columns: { a: "int8!" }, rows: "optional" },
        nowNull,
      ],
      [
        "NULL for an array",
        { text: "SELECT NULL::text[] AS a", columns: { a: "text[]!" } },
        nowNull,
      ],
      [
        "an enum's new label",
        { text: "SELECT 'so-so'::mood AS a", columns: { a: "text" }, labels: { a: few } },
        newLabel,
      ],
      [
        "a new label in an array",
        {
          text: "SELECT '{good,NULL,so-so}'::mood[] AS a",
          columns: { a: "text[]!" },
          labels: { a: few },
        },
        newLabel,
      ],
      [
        "a new label in an array of arrays",
        {
          text: "SELECT '{{good},{so-so}}'::mood[] AS a",
          columns: { a: "text[][]" },
          labels: { a: few },
        },
        newLabel,
      ],
      [
        "an enum that has become text",
        { text: "SELECT 'any'::text AS a", columns: { a: "text" }, labels: { a: few } },
        newLabel,
      ],
    ])("rejects %s", async (_, tool, told) => {
      const error = await failure(run(tool));
      expect(error.failure).toEqual({ code: "PROVIDER.PROTOCOL", reason: `${told}: ${drifted}` });
      expect(error.message).not.toContain("so-so");
    });

    test.each<[what: string, tool: Tool, data: unknown]>([
      ["NULL in a nullable column", { text: "SELECT NULL AS a", columns: { a: "text" } }, null],
      [
        "NULL for an enum that may be NULL",
        { text: "SELECT NULL::mood AS a", columns: { a: "text" }, labels: { a: few } },
        null,
      ],
      [
        "a listed label",
        { text: "SELECT 'bad'::mood AS a", columns: { a: "text!" }, labels: { a: few } },
        "bad",
      ],
      [
        "an array of listed labels with NULL",
        {
          text: "SELECT '{bad,NULL}'::mood[] AS a",
          columns: { a: "text[]!" },
          labels: { a: few },
        },
        ["bad", null],
      ],
      [
        "JSON's own null, which is not NULL",
        { text: "SELECT 'null'::jsonb AS a", columns: { a: "jsonb!" } },
        null,
      ],
    ])("accepts %s", async (_, tool, data) => {
      const { result } = await run({ ...tool, rows: "one" });
      expect(result).toEqual({ status: "success", data: { a: data } });
    });

    test("the error for NULL in a column marked with `!` asks the author to remove the mark", async () => {
      const { failure: why } = await failure(
        run({ text: 'SELECT NULL AS "a!"', columns: { a: "text!" } }),
      );
      expect(why).toEqual({
        code: "PROVIDER.PROTOCOL",
        reason: 'column `a` is NULL, but `AS "a!"` says that it is never NULL',
      });
    });

    test.each<[what: string, tool: Tool]>([
      ["NULL", { text: "RETURNING NULL::text AS a", columns: { a: "text!" } }],
      [
        "a new label",
        { text: "RETURNING 'so-so'::mood AS a", columns: { a: "text!" }, labels: { a: few } },
      ],
    ])("a write that returns %s is rolled back", async (_, { text, ...tool }) => {
      const insert = `INSERT INTO customers VALUES (99, 'eve@example.com') ${text}`;
      const error = await failure(run({ ...tool, text: insert, effect: "write", rows: "one" }));
      expect(error).toMatchObject({ code: "PROVIDER.PROTOCOL", outcome: "not-done" });
      await untouched(database());
    });

    test.each([
      ["a removed column", "SELECT gone FROM customers", "a column does not exist (42703)"],
      ["a removed function", "SELECT gone(id) FROM customers", "a function does not exist (42883)"],
      ["a removed label", "SELECT 'gone'::mood AS id", "a value is malformed for its type (22P02)"],
    ])("the error for %s suggests to generate again", async (_, text, told) => {
      const error = await failure(run({ text, columns: { id: "int4" } }));
      expect(error.failure).toEqual({
        code: "PROVIDER.PROTOCOL",
        reason: `PostgreSQL refused the statement: ${told}: ${drifted}`,
      });
    });

    test("the error for a removed table suggests to load the schema or to generate again", async () => {
      const error = await failure(run({ text: "SELECT id FROM gone", columns: { id: "int4" } }));
      expect(error.message).toMatch(
        /a table does not exist \(42P01\): the database of `\$\{\w+\}` is empty, or not the one that the tool was generated for: load its schema there, or generate again$/,
      );
    });

    test.each([
      ["a value that is malformed", { text: "SELECT $1::int4 AS id", values: ["x"] }],
      ["an error inside a function", { text: "SELECT lost() AS id" }],
      ["a division by zero", { text: "SELECT 1 / (id - id) AS id FROM customers" }],
      [
        "a file that is not there",
        { text: "SELECT pg_read_file('/none') AS id", effect: "write" as const },
      ],
    ])("the error for %s does not suggest to generate again", async (_, tool) => {
      const error = await failure(run({ ...tool, columns: { id: "int4" } }));
      expect(error.code).toBe("PROVIDER.PROTOCOL");
      expect(error.message).not.toContain("generate again");
    });
  });

  describe("read", () => {
    test("can't write anything", async () => {
      const text = "INSERT INTO customers VALUES (3, 'eve@example.com') RETURNING id";
      const { failure: why } = await failure(run({ text, columns: { id: "int4" } }));
      expect(why).toEqual({
        code: "PROVIDER.PROTOCOL",
        reason: "PostgreSQL refused the statement: a read tried to write (25006)",
      });
      await untouched(database());
    });

    test("leaves no transaction and no setting behind", async () => {
      await run({ text: "SELECT 1 AS it", columns: { it: "int4" } });
      const text =
        "SELECT current_setting('statement_timeout') AS it, txid_current_if_assigned()::text AS x";
      const as = { ...attempt(database().url), timeoutMs: undefined };
      const { timeoutMs: _, ...unlimited } = as;
      const { result } = await send(
        { text, columns: { it: "text", x: "text" }, rows: "one" },
        unlimited,
      );
      expect(result.data).toEqual({ it: "0", x: null });
    });

    test("gets the attempt's time limit, and a slightly shorter one for locks", async () => {
      const text =
        "SELECT current_setting('statement_timeout') AS s, current_setting('lock_timeout') AS l";
      const as = attempt(database().url, { timeoutMs: 1500 });
      const { result } = await send({ text, columns: { s: "text", l: "text" }, rows: "one" }, as);
      expect(result.data).toEqual({ s: "1500ms", l: "1350ms" });
    });

    test("fails if a value violates a domain", async () => {
      await database().rows(
        "DROP DOMAIN IF EXISTS small; CREATE DOMAIN small AS int4 CHECK (value < 10)",
      );
      const { failure: why } = await failure(
        run({
          text: "SELECT $1::int4::small AS it",
          values: [11],
          parameters: ["int4"],
          columns: { it: "int4" },
        }),
      );
      expect(why).toEqual({
        code: "PROVIDER.PROTOCOL",
        reason:
          "PostgreSQL refused the statement: a constraint was violated (23514), constraint `small_check`",
      });
    });
  });

  describe("write", () => {
    afterEach(async () => {
      await database().rows(
        "DELETE FROM orders WHERE id <> 10; DELETE FROM customers WHERE id > 2",
      );
    });
    const write = (text: string, rest: Partial<Tool> = {}) =>
      run({ text, effect: "write", rows: "none", ...rest });

    test("commits, and counts its rows", async () => {
      const { result } = await write("INSERT INTO customers VALUES (3, $1), (4, $2)", {
        values: ["c", "d"],
      });
      expect(result).toEqual({ status: "success", data: { affected_rows: 2 } });
      expect(await database().rows("SELECT email FROM customers WHERE id > 2 ORDER BY id")).toEqual(
        [{ email: "c" }, { email: "d" }],
      );
    });

    test("reports 0 affected rows if there are none", async () => {
      const { result } = await write("UPDATE customers SET email = 'x' WHERE id = 0");
      expect(result).toEqual({ status: "success", data: { affected_rows: 0 } });
    });

    test("returns the rows of RETURNING", async () => {
      const { result } = await write("INSERT INTO customers VALUES (3, 'c') RETURNING id, email", {
        rows: "one",
        columns: { id: "int4", email: "text" },
      });
      expect(result).toEqual({ status: "success", data: { id: 3, email: "c" } });
      expect(await database().rows("SELECT id FROM customers WHERE id = 3")).toEqual([{ id: 3 }]);
    });

    test("writes all its rows, even if it may return fewer", async () => {
      const text =
        "INSERT INTO customers SELECT n, 'n' || n FROM generate_series(3, 50) n RETURNING id";
      const { result } = await write(text, { rows: "many", maxRows: 2, columns: { id: "int4" } });
      expect(result).toEqual({ status: "success", data: [{ id: 3 }, { id: 4 }], truncated: true });
      expect(await database().rows("SELECT max(id) AS it FROM customers")).toEqual([{ it: 50 }]);
    });

    test("calls its functions for all its rows, even if it may return fewer", async () => {
      await database().rows("INSERT INTO jobs SELECT n FROM generate_series(1, 9) n");
      const text = "SELECT doit(jobs.id) AS id FROM jobs ORDER BY jobs.id";
      const { result } = await write(text, { rows: "many", maxRows: 2, columns: { id: "int4" } });
      expect(result).toEqual({ status: "success", data: [{ id: 1 }, { id: 2 }], truncated: true });
      const undone = await database().rows("SELECT id FROM jobs WHERE NOT done");
      expect(undone).toEqual([]);
    });

    test.each([
      [
        "several rows instead of one",
        "INSERT INTO customers VALUES (3, 'c'), (4, 'd') RETURNING id",
        { id: "int4" },
      ],
      [
        "a value without JSON",
        "INSERT INTO customers VALUES (3, 'c') RETURNING 'NaN'::float8 AS id",
        { id: "float8" },
      ],
      ["an unknown column", "INSERT INTO customers VALUES (3, 'c') RETURNING id", {}],
    ] as const)(
      "leaves nothing behind if its answer can't be returned: %s",
      async (_, text, columns) => {
        const error = await failure(write(text, { rows: "one", columns }));
        expect(error.code).toBe("PROVIDER.PROTOCOL");
        await untouched(database());
      },
    );

    test.each([
      [
        "conflict",
        "INSERT INTO customers VALUES (3, 'ada@example.com')",
        { constraint: "one_email", table: "customers" },
      ],
      [
        "conflict",
        "INSERT INTO orders (id, during) VALUES (11, '[1,5)'), (12, '[2,3)')",
        { constraint: "no_overlap", table: "orders" },
      ],
      [
        "invalid_reference",
        "INSERT INTO orders (id, customer) VALUES (11, 99)",
        { constraint: "known_customer", table: "orders" },
      ],
      [
        "invalid_reference",
        "INSERT INTO orders (id, late) VALUES (11, 99)",
        { constraint: "known_late", table: "orders" },
      ],
      [
        "invalid_reference",
        "DELETE FROM customers WHERE id = 1",
        { constraint: "known_customer", table: "orders" },
      ],
      [
        "check_failed",
        "INSERT INTO orders (id, total) VALUES (11, -1)",
        { constraint: "not_negative", table: "orders" },
      ],
      [
        "missing_value",
        "INSERT INTO customers VALUES (3, NULL)",
        { column: "email", table: "customers" },
      ],
      ["missing_value", "INSERT INTO books VALUES (NULL)", { domain: "title" }],
      [
        "check_failed",
        "INSERT INTO books VALUES ('a long title')",
        { constraint: "short", domain: "title" },
      ],
    ])("returns `%s` for %s", async (status, text, error) => {
      expect(await write(text)).toEqual({ result: { status, error } });
      await untouched(database());
      expect(await write("UPDATE customers SET email = email")).toMatchObject({
        result: { status: "success" },
      });
    });

    test("reports a violation that only COMMIT finds after rows came back", async () => {
      const { result } = await write("INSERT INTO orders (id, late) VALUES (11, 99) RETURNING id", {
        rows: "one",
        columns: { id: "int4" },
      });
      expect(result).toEqual({
        status: "invalid_reference",
        error: { constraint: "known_late", table: "orders" },
      });
      await untouched(database());
    });
  });

  describe("data in PostgreSQL's messages", () => {
    const secret = "hunter2-secret";
    test.each([
      ["a cast", "SELECT $1::text::int4 AS it", "22P02"],
      ["a function's exception", "SELECT boom($1) AS it", "P0001"],
      ["a date", "SELECT $1::text::date AS it", "22007"],
    ])("stays out of the failure: %s", async (_, text, code) => {
      const error = await failure(run({ text, values: [secret], columns: { it: "text" } }));
      expect(error.code).toBe("PROVIDER.PROTOCOL");
      expect(error.message).toContain(code);
      expect(JSON.stringify({ ...error, stack: error.stack, cause: error.cause })).not.toContain(
        secret,
      );
      expect(error.message).not.toContain(secret);
    });

    test("the detail of a violated constraint stays out of the result", async () => {
      const { result } = await run({
        text: "INSERT INTO customers VALUES (3, $1), (4, $2)",
        values: [secret, secret],
        effect: "write",
        rows: "none",
      });
      expect(result.status).toBe("conflict");
      expect(JSON.stringify(result)).not.toContain(secret);
    });
  });

  describe("values that can't be sent as parameters", () => {
    test.each([
      ["NUL", "a\0b", "text"],
      ["half a surrogate pair", "\ud800", "text"],
      ["NUL in an array", ["a\0"], "text[]"],
      ["no base64", "%%%", "bytea"],
      ["JSON too deep", JSON.parse(`${"[".repeat(1001)}${"]".repeat(1001)}`), "jsonb"],
      ["an array too deep", [[[[[[["x"]]]]]]], "text[]"],
    ] as const)("rejects %s before anything is sent", (_, value, format) => {
      const tool: Tool = { text: "SELECT $1 AS it", values: [value], parameters: [format] };
      expect(() => prepare(tool)).toThrow(expect.objectContaining({ name: "RefusedValue" }));
    });
  });

  test("a call that is aborted before its turn sends nothing", async () => {
    const as = attempt(database().url, { signal: AbortSignal.abort(new Error("over")) });
    const text = "INSERT INTO customers VALUES (3, 'late')";
    await expect(send({ text, effect: "write", rows: "none" }, as)).rejects.toThrow("aborted");
    await untouched(database());
  });
});

test("the record of shadow mode contains the statement that would be sent", () => {
  const call = prepare({
    text: "SELECT $1, $2",
    values: ["a", undefined],
    parameters: ["text", "jsonb"],
  });
  expect(call.credentials).toEqual(["TEST_URL"]);
  expect(call.describe()).toEqual({
    connection: "${TEST_URL}",
    sql: "SELECT $1, $2",
    parameters: ["a", null],
  });
});

test("a statement reports its connection by name, and by value without its login", () => {
  const contract = {
    connection: "TEST_URL",
    effect: "read",
    build: () => sql`SELECT 1`,
    tables: { reads: ["public.orders"] },
    parameters: [],
    columns: {},
    rows: "optional",
  } as const;
  const call = query<unknown, object, unknown, Answer>(contract).prepare(
    {},
    { id: "a-call", toolId: "skill/tool" },
  );
  const tables = { kind: "sql", reads: ["public.orders"], writes: [] };
  expect(call.reach()).toEqual([
    {
      ...tables,
      connection: "${TEST_URL}",
      capabilities: ["sql:read ${TEST_URL} public.orders"],
    },
  ]);
  expect(
    call.reach(() => "postgres://user:password@db.example.com:5433/shop?sslmode=require"),
  ).toMatchObject([{ ...tables, connection: "postgres://db.example.com:5433/shop" }]);
});

test("a masked record needs no values that could be sent", () => {
  const photos = query<unknown, { readonly photo: string }, unknown, Answer>({
    connection: "TEST_URL",
    effect: "write",
    build: (_db, { photo }) => sql`INSERT INTO photos VALUES (${photo})`,
    parameters: ["bytea"],
    columns: {},
    rows: "none",
  });
  const call = photos.prepare({ photo: "AP8Q" }, { id: "a-call", toolId: "skill/tool" });
  expect(call.describeMasked?.({ photo: "***" })).toEqual({
    connection: "${TEST_URL}",
    sql: "INSERT INTO photos VALUES ($1)",
    parameters: ["***"],
  });
});

test.each([
  ["mysql://user:hunter2@host/db", "must be a postgres://, postgresql:// or pglite:// URL"],
  ["pglite://", "must be a postgres://, postgresql:// or pglite:// URL"],
  ["postgres://user:hunter2@host:port/db", "is not a valid URL"],
  ["postgres://user:hunter2@host/db?sslrootcert=/not/there", "names an unreadable file"],
  ["postgres://user:hunter2@host/db?pool_max=0", "`pool_max` that is not a number"],
])("the error for an unusable URL names only its variable: %s", async (url, told) => {
  const error = await failure(send({ text: "SELECT 1" }, attempt(url)));
  expect(error.code).toBe("PROVIDER.PROTOCOL");
  expect(error.message).toContain("`${TEST_URL}`");
  expect(error.message).toContain(told);
  expect(JSON.stringify([error.message, error.stack, error.cause])).not.toContain("hunter2");
});
