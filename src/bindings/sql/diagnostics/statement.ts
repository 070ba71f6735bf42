import type { DiagnosticEntries } from "../../../core/diagnostic-entry.js";
import { highRisk, sqlEntry, writes } from "./example.js";

/** What can be wrong with the text of a statement. */
export const statementDiagnosticEntries: DiagnosticEntries = {
  "sql/syntax": sqlEntry({
    title: "SQL that PostgreSQL can't parse",
    explanation:
      "The text is read by PostgreSQL's own parser; the message is its own. SQL is no template: `{name}`, `${NAME}`, `@name` and `?` mean nothing there. A parameter is `:name`, " +
      "and stands for a value, never for a table, a column or a keyword.",
    example: { query: "SELECT id FRM orders WHERE id = 1" },
    fixed: { query: "SELECT id FROM orders WHERE id = 1" },
  }),
  "sql/placeholder": sqlEntry({
    title: "a placeholder that is no `:name`",
    explanation:
      "A parameter stands in SQL as a colon and its name, with a space or a sign before it: `:name`. Numbers (`$1`) and quotes (`:'name'`) name no parameter of a tool. Inside strings " +
      "and comments nothing is a placeholder. `${NAME}` is not replaced in SQL: in a string or a quoted name it is an error, since it would be text like any other; `'$' || '{NAME}'` is that text.",
    example: { query: "SELECT note FROM orders WHERE id = $1", parameters: ["order_id: integer"] },
    fixed: { query: "SELECT note FROM orders WHERE id = :order_id" },
  }),
  "sql/no-statement": sqlEntry({
    title: "no statement",
    explanation: "The query is one statement. Comments alone do nothing.",
    example: { query: "-- SELECT id FROM orders" },
    fixed: { query: "SELECT id FROM orders" },
  }),
  "sql/several-statements": sqlEntry({
    title: "more than one statement",
    explanation:
      "A tool is one statement: one result, one effect, one thing to allow. What belongs together goes into one with `WITH`; the rest is a tool of its own.",
    example: { query: "SELECT id FROM orders; SELECT note FROM orders" },
    fixed: { query: "SELECT id, note FROM orders" },
  }),
  "sql/not-a-query": sqlEntry({
    title: "a statement that a tool can't be",
    explanation:
      "A tool asks or changes rows: SELECT, VALUES, INSERT, UPDATE, DELETE, MERGE or TRUNCATE. Statements that change the schema or the session belong to migrations and to the connection.",
    example: { query: "DROP TABLE orders", tool: highRisk, binding: writes },
    fixed: { query: "DELETE FROM orders WHERE id = 1" },
  }),
  "sql/too-large": sqlEntry({
    title: "a statement that is too large",
    explanation:
      "A statement has at most 1,000,000 bytes and 100,000 words, and 200 parts inside each other. Nobody writes such by hand; give long lists as one array parameter, with `= ANY (:names)`.",
    example: { query: `SELECT ${"+ ".repeat(200)}1 AS one` },
    fixed: { query: "SELECT 1 AS one" },
  }),
  "sql/refused": sqlEntry({
    title: "a statement that PostgreSQL refuses",
    explanation:
      "PostgreSQL was asked to describe and to plan the statement against the schema, as it will be sent, and says no. The message is its own, with its SQLSTATE. Of a placeholder that stands " +
      "alone (`:since IS NULL`) it can't tell the type, even where the same name stands elsewhere: each place is sent by itself. A cast says it: `:since::timestamptz IS NULL`. " +
      "57014 is what it was not done with in time: functions are called while it plans, such as the checks of a domain, and one of them loops.",
    example: { query: "SELECT id, custmer FROM orders" },
    fixed: { query: "SELECT id, customer FROM orders" },
  }),
  "sql/not-translated": sqlEntry({
    severity: "info",
    title: "a statement that stays text",
    explanation:
      "Statements become Kysely builder code, in which `tsc` checks every table and column once more. Where that can't be proved to say the same, or TypeScript does not take it, the text itself is sent, as one template. " +
      "PostgreSQL has checked it all the same, but a change of the schema shows only when modules are generated again.",
    example: { query: "TRUNCATE orders", tool: highRisk, binding: [...writes, "all_rows: true"] },
    fixed: { query: "DELETE FROM orders" },
  }),
};

const query = "UPDATE orders SET note = NULL WHERE id = 1";

/** What can be wrong with what a statement does. */
export const effectDiagnosticEntries: DiagnosticEntries = {
  "sql/write-called-read": sqlEntry({
    title: "a write that calls itself a read",
    explanation:
      "What a statement does is read off its tree, never off its first word: a WITH query that changes rows, a row lock, `SELECT INTO`, a function that acts (`nextval`, `pg_notify`, one of your own that is " +
      "not under `harmless_functions` of skillc.yaml, or is VOLATILE, as functions are that don't say otherwise). What comes with PostgreSQL, and with extensions that only compute (citext, hstore, pg_trgm, " +
      "pgcrypto, uuid-ossp, postgis, vector and the like), is believed to be what it says. What PostgreSQL evaluates unasked counts too: views, the checks of domains, policies of row-level security, defaults of arguments, constants in indexes and checks, and what orders, reads or writes a type's values, its casts to json among them. A read runs in a transaction that can't write and is repeated when a connection is lost.",
    example: {
      query: `WITH changed AS (${query} RETURNING id) SELECT id FROM changed`,
      binding: ["read_only: true"],
    },
    fixed: { tool: highRisk, binding: writes },
  }),
  "sql/undeclared-write": sqlEntry({
    title: "a write that does not say so",
    explanation:
      "A statement that changes something says `read_only: false`, so that whoever reads the tool sees it; and its tool has `risk_level: high` or `critical`.",
    example: { query, tool: highRisk },
    fixed: { binding: writes },
  }),
  "sql/write-risk": sqlEntry({
    title: "a write below `risk_level: high`",
    explanation:
      "A statement that changes a database is `high` or `critical`: agents ask before they call such a tool, or are not given it at all.",
    example: { query, tool: ["risk_level: medium"], binding: writes },
    fixed: { tool: highRisk },
  }),
  "sql/read-called-write": sqlEntry({
    severity: "warning",
    title: "a read that calls itself a write",
    explanation:
      "The statement changes nothing. As a write it would not be repeated when a connection is lost, nor run in shadow mode.",
    example: { query: "SELECT id FROM orders", tool: highRisk, binding: writes },
    fixed: { tool: [], binding: [] },
  }),
  "sql/all-rows": sqlEntry({
    title: "a statement that changes or removes every row of a table",
    explanation:
      "UPDATE or DELETE without WHERE, TRUNCATE, a branch of MERGE that nothing limits, in WITH too; a condition that is always true, `WHERE true OR …`, or once the parameters that may be absent are NULL: " +
      "`WHERE :id::int IS NULL OR id = :id` removes all when a call leaves `id` out; or is empty: `WHERE id <> ALL (:keep)` removes all while `keep` has no items, which `minItems: 1` refuses; and one that says nothing of the table's own rows. `all_rows: true` in the binding says that this is meant.",
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
    title: "`all_rows` on a statement that changes no table as a whole",
    explanation:
      "The statement has conditions. Left there, `all_rows: true` would keep quiet when one of them gets lost.",
    example: { query, tool: highRisk, binding: [...writes, "all_rows: true"] },
    fixed: { binding: writes },
  }),
};

const returns = (note: string) =>
  `returns: { type: array, items: { type: object, required: [note], properties: { note: { type: ${note} } } } }`;

/** What can be wrong with what a statement gives. */
export const resultDiagnosticEntries: DiagnosticEntries = {
  "sql/unnamed-column": sqlEntry({
    severity: "warning",
    title: "a column without a name",
    explanation:
      "A row is an object, and each column a property of it. One without a name gets PostgreSQL's, `?column?`, which tells nobody what it is.",
    example: { query: "SELECT 1 + 1" },
    fixed: { query: "SELECT 1 + 1 AS two" },
  }),
  "sql/duplicate-column": sqlEntry({
    title: "two columns of one name",
    explanation: "A row is an object: of two columns with one name, one would be lost.",
    example: { query: "SELECT a.id, b.id FROM orders a JOIN orders b ON b.note = a.note" },
    fixed: {
      query: "SELECT a.id, b.id AS other_id FROM orders a JOIN orders b ON b.note = a.note",
    },
  }),
  "sql/bad-mark": sqlEntry({
    title: "an alias with two marks",
    explanation:
      '`AS "name!"` says that a column is never NULL, `AS "name?"` that it may be. The mark is no part of the name, and says one thing or the other.',
    example: { query: 'SELECT id AS "id!?" FROM orders' },
    fixed: { query: 'SELECT id AS "id!" FROM orders' },
  }),
  "sql/never-not-null": sqlEntry({
    title: "`!` on a column that is always NULL",
    explanation:
      "`AS \"name!\"` is the author's word that a column is never NULL, where that can't be proved. Here it is proved that it always is.",
    example: { query: 'SELECT id, NULL::text AS "note!" FROM orders' },
    fixed: { query: "SELECT id, NULL::text AS note FROM orders" },
  }),
  "sql/no-rows": sqlEntry({
    title: "`rows` of a statement that gives none, or a SELECT of no columns",
    explanation:
      "A write without RETURNING gives no rows but `{ affected_rows }`, the number of rows that it changed. A SELECT without columns gives nothing at all.",
    example: {
      query: "DELETE FROM orders WHERE id = 1",
      tool: highRisk,
      binding: [...writes, "rows: one"],
    },
    fixed: { binding: writes },
  }),
  "sql/max-rows-without-many": sqlEntry({
    title: "`max_rows` where there are not many",
    explanation:
      "`max_rows` limits an array of rows, and `truncated` beside it says whether there were more. One row, or none, has nothing to limit.",
    example: { query: "SELECT note FROM orders LIMIT 1", binding: ["rows: one", "max_rows: 10"] },
    fixed: { binding: ["rows: one"] },
  }),
  "sql/returns-mismatch": sqlEntry({
    title: "`returns` describes something else than the statement gives",
    explanation:
      "`returns` is the schema of exactly what a success carries: an array of rows (`rows: many`), a row (`one`), a row or null (`optional`), `{ affected_rows }` without rows. Each column has the type of " +
      "docs/sql/types.md: `int8` and `numeric` are text, so that no digit is lost. What PostgreSQL doesn't know (json, elements of arrays, which texts) `returns` may narrow; the runtime then checks it.",
    example: { query: "SELECT coalesce(note, '') AS note FROM orders", tool: [returns("integer")] },
    fixed: { tool: [returns("string")] },
  }),
  "sql/returns-narrows": sqlEntry({
    severity: "warning",
    title: "`returns` allows only some of the values that a column may have",
    explanation:
      "What PostgreSQL doesn't know (json, elements of arrays, which texts) `returns` may narrow; the values of a number, a date, a uuid it knows, and where `returns` leaves some out, a call that meets one " +
      "of them fails; so of the labels of an enum. Where no value is left, that is the error `sql/returns-mismatch`. Let `returns` take all of the type, or say in the statement what comes: `least(n, 5)`, `round(x)::int4`. A least of 0 is left alone, as counts and lengths have it.",
    example: {
      query: "SELECT length(customer) AS note FROM orders",
      tool: [returns("integer, maximum: 5")],
    },
    fixed: { tool: [returns("integer, minimum: 0")] },
  }),
  "sql/returns-denies-null": sqlEntry({
    title: "`returns` denies that a column may be NULL",
    explanation:
      "A column is never NULL only where that is proved: from NOT NULL columns, inner joins, conditions, functions that are known. Anything else may be NULL, and `returns` takes null there. " +
      'Where you know better, say it in the statement: `AS "note!"`; a NULL then fails the call.',
    example: { query: "SELECT note FROM orders", tool: [returns("string")] },
    fixed: { tool: [returns('[string, "null"]')] },
  }),
};
