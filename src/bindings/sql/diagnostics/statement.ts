import type { DiagnosticEntries } from "../../../core/diagnostic-entry.js";
import { highRisk, sqlEntry, writes } from "./example.js";

/** Diagnostics of the text of a statement. */
export const statementDiagnosticEntries: DiagnosticEntries = {
  "sql/syntax": sqlEntry({
    title: "SQL that PostgreSQL can't parse",
    explanation:
      "PostgreSQL's own parser reads the statement, and the message is the parser's. SQL is not a template: `{name}`, `${NAME}`, `@name` and `?` are not placeholders. A parameter is `:name`. It stands for a value, never for a table, a column or a keyword.",
    example: { query: "SELECT id FRM orders WHERE id = 1" },
    fixed: { query: "SELECT id FROM orders WHERE id = 1" },
  }),
  "sql/placeholder": sqlEntry({
    title: "a placeholder that is not a `:name`",
    explanation:
      "Write a parameter as a colon and its name, after a space or a sign: `:name`. Numbers (`$1`) and quotes (`:'name'`) don't name a parameter. Strings and comments contain no placeholders. skillc doesn't replace `${NAME}` in SQL, so it is an error in a string or a quoted name; if you want exactly that text, write `'$' || '{NAME}'`.",
    example: { query: "SELECT note FROM orders WHERE id = $1", parameters: ["order_id: integer"] },
    fixed: { query: "SELECT note FROM orders WHERE id = :order_id" },
  }),
  "sql/no-statement": sqlEntry({
    title: "a query without a statement",
    explanation: "The query must be one statement. A query of comments alone does nothing.",
    example: { query: "-- SELECT id FROM orders" },
    fixed: { query: "SELECT id FROM orders" },
  }),
  "sql/several-statements": sqlEntry({
    title: "more than one statement",
    explanation:
      "A tool runs one statement, so that it has one result and one effect, and can be allowed or denied as a whole. Join statements that belong together with `WITH`. Make a separate tool of each other statement.",
    example: { query: "SELECT id FROM orders; SELECT note FROM orders" },
    fixed: { query: "SELECT id, note FROM orders" },
  }),
  "sql/not-a-query": sqlEntry({
    title: "a statement that a tool can't run",
    explanation:
      "A tool reads or changes rows: SELECT, VALUES, INSERT, UPDATE, DELETE, MERGE or TRUNCATE. Put statements that change the schema into migrations, and settings of the session into the connection.",
    example: { query: "DROP TABLE orders", tool: highRisk, binding: writes },
    fixed: { query: "DELETE FROM orders WHERE id = 1" },
  }),
  "sql/too-large": sqlEntry({
    title: "a statement that is too large",
    explanation:
      "A statement has at most 1,000,000 bytes, 100,000 words and 200 levels of nesting. If a list makes the statement long, pass the list as one array parameter, with `= ANY (:names)`.",
    example: { query: `SELECT ${"+ ".repeat(200)}1 AS one` },
    fixed: { query: "SELECT 1 AS one" },
  }),
  "sql/refused": sqlEntry({
    title: "a statement that PostgreSQL rejects",
    explanation:
      "skillc asks PostgreSQL to describe and plan the statement against the schema, exactly as the runtime will send it. PostgreSQL rejected the statement; the message and the SQLSTATE are its own. If a placeholder stands alone (`:since IS NULL`), PostgreSQL can't infer its type, even if the same name stands elsewhere, because each place is a separate value. Add a cast: `:since::timestamptz IS NULL`. SQLSTATE 57014 means that planning took too long: PostgreSQL calls some functions while it plans, such as the check of a domain, and one of them loops.",
    example: { query: "SELECT id, custmer FROM orders" },
    fixed: { query: "SELECT id, customer FROM orders" },
  }),
  "sql/not-translated": sqlEntry({
    severity: "info",
    title: "a statement that stays text",
    explanation:
      "skillc translates statements into Kysely builder code, in which `tsc` checks every table and column again. If skillc can't prove that the code does the same, or TypeScript rejects the code, skillc sends the text itself as one template. PostgreSQL has checked the text, but after a change of the schema you see an error only when you generate the modules again.",
    example: { query: "TRUNCATE orders", tool: highRisk, binding: [...writes, "all_rows: true"] },
    fixed: { query: "DELETE FROM orders" },
  }),
};

const query = "UPDATE orders SET note = NULL WHERE id = 1";

/** Diagnostics of the effect of a statement. */
export const effectDiagnosticEntries: DiagnosticEntries = {
  "sql/write-called-read": sqlEntry({
    title: "a write declared as a read",
    explanation:
      "A read runs in a transaction that can't write, and is repeated if the connection is lost. skillc finds the effect in the parsed statement, not in its first word. A statement writes if it changes rows in WITH, locks rows, uses `SELECT INTO`, or calls a function with side effects (`nextval`, `pg_notify`). Your own functions count as writes unless `harmless_functions` in skillc.yaml lists them and they are declared STABLE or IMMUTABLE; the default is VOLATILE. skillc trusts the functions of PostgreSQL, and of extensions that only compute (citext, hstore, pg_trgm, pgcrypto, uuid-ossp, postgis, vector and similar), to be what they declare. Code that PostgreSQL runs by itself counts too: views, checks of domains, row-level security policies, defaults of arguments, constants in indexes and checks, and the functions that sort, read, write or cast the values of a type.",
    example: {
      query: `WITH changed AS (${query} RETURNING id) SELECT id FROM changed`,
      binding: ["read_only: true"],
    },
    fixed: { tool: highRisk, binding: writes },
  }),
  "sql/undeclared-write": sqlEntry({
    title: "a write without `read_only: false`",
    explanation:
      "A statement that changes something needs `read_only: false`, so that everybody who reads the tool sees the write. The tool also needs `risk_level: high` or `critical`.",
    example: { query, tool: highRisk },
    fixed: { binding: writes },
  }),
  "sql/write-risk": sqlEntry({
    title: "a write below `risk_level: high`",
    explanation:
      "A tool whose statement changes a database is `high` or `critical`. Agents ask before they call such a tool, or don't get the tool at all.",
    example: { query, tool: ["risk_level: medium"], binding: writes },
    fixed: { tool: highRisk },
  }),
  "sql/read-called-write": sqlEntry({
    severity: "warning",
    title: "a read declared as a write",
    explanation:
      "The statement changes nothing. skillc doesn't repeat a write if the connection is lost, and doesn't run a write in shadow mode.",
    example: { query: "SELECT id FROM orders", tool: highRisk, binding: writes },
    fixed: { tool: [], binding: [] },
  }),
  "sql/all-rows": sqlEntry({
    title: "a statement that changes or removes every row of a table",
    explanation:
      "skillc reports TRUNCATE, an UPDATE or DELETE without WHERE, and a branch of MERGE without a limit, also inside WITH. It reports a condition that doesn't depend on the table's rows, and a condition that is true for all rows, always or in some calls. For example, `WHERE :id::int IS NULL OR id = :id` matches every row if a call leaves `id` out. `WHERE id <> ALL (:keep)` matches every row if `keep` is empty; `minItems: 1` prevents that. If you mean every row, set `all_rows: true` in the binding.",
    example: {
      query: "DELETE FROM orders WHERE :order_id::bigint IS NULL OR id = :order_id",
      parameters: ["order_id?: { type: string, pattern: '^[0-9]{1,18}$' }"],
      tool: highRisk,
      binding: writes,
    },
    fixed: {
      query: "DELETE FROM orders WHERE id = :order_id",
      parameters: ["order_id: { type: string, pattern: '^[0-9]{1,18}$' }"],
    },
  }),
  "sql/needless-all-rows": sqlEntry({
    severity: "warning",
    title: "`all_rows` on a statement with conditions",
    explanation:
      "The conditions of the statement limit the rows that it changes. If `all_rows: true` stays and a condition is lost later, skillc won't report the loss.",
    example: { query, tool: highRisk, binding: [...writes, "all_rows: true"] },
    fixed: { binding: writes },
  }),
};

const returns = (note: string) =>
  `returns: { type: array, items: { type: object, required: [note], properties: { note: { type: ${note} } } } }`;

/** Diagnostics of the result of a statement. */
export const resultDiagnosticEntries: DiagnosticEntries = {
  "sql/unnamed-column": sqlEntry({
    severity: "warning",
    title: "a column without a name",
    explanation:
      "A row is an object, and each column is a property of it. PostgreSQL names a column without a name `?column?`, which says nothing about its value.",
    example: { query: "SELECT 1 + 1" },
    fixed: { query: "SELECT 1 + 1 AS two" },
  }),
  "sql/duplicate-column": sqlEntry({
    title: "two columns with the same name",
    explanation:
      "A row is an object, so two columns with the same name would be one property. One of the two values would be lost.",
    example: { query: "SELECT a.id, b.id FROM orders a JOIN orders b ON b.note = a.note" },
    fixed: {
      query: "SELECT a.id, b.id AS other_id FROM orders a JOIN orders b ON b.note = a.note",
    },
  }),
  "sql/bad-mark": sqlEntry({
    title: "an alias with two marks",
    explanation:
      '`AS "name!"` says that a column is never NULL, and `AS "name?"` says that it may be NULL. The mark is not part of the name. An alias has one mark or none.',
    example: { query: 'SELECT id AS "id!?" FROM orders' },
    fixed: { query: 'SELECT id AS "id!" FROM orders' },
  }),
  "sql/never-not-null": sqlEntry({
    title: "`!` on a column that is always NULL",
    explanation:
      '`AS "name!"` states that a column is never NULL, for a column where skillc can\'t prove it. Here skillc can prove that the column is always NULL.',
    example: { query: 'SELECT id, NULL::text AS "note!" FROM orders' },
    fixed: { query: "SELECT id, NULL::text AS note FROM orders" },
  }),
  "sql/no-rows": sqlEntry({
    title: "`rows` for a statement that returns no rows or no columns",
    explanation:
      "A write without RETURNING returns `{ affected_rows }`, the number of changed rows, and no rows. A SELECT without columns returns no data at all.",
    example: {
      query: "DELETE FROM orders WHERE id = 1",
      tool: highRisk,
      binding: [...writes, "rows: one"],
    },
    fixed: { binding: writes },
  }),
  "sql/max-rows-without-many": sqlEntry({
    title: "`max_rows` without `rows: many`",
    explanation:
      "`max_rows` limits an array of rows, and `truncated` beside the array says whether there were more. A tool that returns one row, or none, has nothing to limit.",
    example: { query: "SELECT note FROM orders LIMIT 1", binding: ["rows: one", "max_rows: 10"] },
    fixed: { binding: ["rows: one"] },
  }),
  "sql/returns-mismatch": sqlEntry({
    title: "`returns` contradicts the statement",
    explanation:
      "`returns` is the schema of exactly the data of a success. The data is an array of rows (`rows: many`), a row (`one`), a row or null (`optional`), or `{ affected_rows }` if there are no rows. docs/sql/types.md lists the type of each column: `int8` and `numeric` are text, so that no digit is lost. `returns` may narrow values that PostgreSQL doesn't know (JSON, elements of arrays, the content of texts); the runtime then checks them.",
    example: { query: "SELECT coalesce(note, '') AS note FROM orders", tool: [returns("integer")] },
    fixed: { tool: [returns("string")] },
  }),
  "sql/returns-narrows": sqlEntry({
    severity: "warning",
    title: "`returns` allows only some values of a column",
    explanation:
      "PostgreSQL knows the possible values of a number, a date, a uuid or an enum. If `returns` excludes some of them, a call that reads an excluded value fails. Let `returns` allow the whole type, or limit the value in the statement: `least(n, 5)`, `round(x)::int4`. `minimum: 0` is not reported, because counts and lengths are never negative. `returns` may narrow values that PostgreSQL doesn't know: JSON, elements of arrays, the content of texts. If no value is left, skillc reports the error `sql/returns-mismatch` instead.",
    example: {
      query: "SELECT length(customer) AS note FROM orders",
      tool: [returns("integer, maximum: 5")],
    },
    fixed: { tool: [returns("integer, minimum: 0")] },
  }),
  "sql/returns-denies-null": sqlEntry({
    title: "`returns` rejects NULL for a column that may be NULL",
    explanation:
      'skillc treats a column as never NULL only if it can prove that, from NOT NULL columns, inner joins, conditions and known functions. Any other column may be NULL, so `returns` must allow null. If you know that the column is never NULL, write `AS "note!"` in the statement; a NULL then fails the call.',
    example: { query: "SELECT note FROM orders", tool: [returns("string")] },
    fixed: { tool: [returns('[string, "null"]')] },
  }),
};
