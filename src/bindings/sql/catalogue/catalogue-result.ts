import type { Catalogue } from "../../../core/catalogue.js";
import { highRisk, sqlEntry, writes } from "./example.js";

const returns = (note: string) =>
  `returns: { type: array, items: { type: object, required: [note], properties: { note: { type: ${note} } } } }`;

/** What can be wrong with what a statement gives. */
export const resultCatalogue: Catalogue = {
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
      "docs/sql-types.md: `int8` and `numeric` are text, so that no digit is lost. What PostgreSQL doesn't know (json, elements of arrays, which texts) `returns` may narrow; the runtime then checks it.",
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
