import type { Catalogue } from "../../../core/catalogue.js";
import { highRisk, sqlEntry, writes } from "./example.js";

const query = "UPDATE orders SET note = NULL WHERE id = 1";

/** What can be wrong with what a statement does. */
export const effectCatalogue: Catalogue = {
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
