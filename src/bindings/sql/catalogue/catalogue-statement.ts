import type { Catalogue } from "../../../core/catalogue.js";
import { highRisk, sqlEntry, writes } from "./example.js";

/** What can be wrong with the text of a statement. */
export const statementCatalogue: Catalogue = {
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
