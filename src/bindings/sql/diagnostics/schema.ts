import type { DiagnosticEntries } from "../../../core/diagnostic-entry.js";
import { sqlEntry } from "./example.js";

const query = "SELECT id FROM orders";
const tenants = `CREATE TABLE orders (id bigint PRIMARY KEY, tenant text NOT NULL);
ALTER TABLE orders ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_orders ON orders USING (tenant = current_setting('app.tenant'));
`;
const files = ["WAREHOUSE_URL: { schema: [db/schema.sql] }"];

/** Diagnostics of connections and their databases. */
export const databaseSchemaDiagnosticEntries: DiagnosticEntries = {
  "sql/bad-connection": sqlEntry({
    title: "a connection that is not a `${NAME}`",
    explanation:
      "`connection` names one setting, whose value is the URL: `postgres://…`, or `pglite://path` for the embedded PostgreSQL. A URL in the skill would reveal its password, and would be the same on every machine.",
    example: { query, connection: "WAREHOUSE_URL" },
    fixed: { connection: "${WAREHOUSE_URL}" },
  }),
  "sql/unknown-database": sqlEntry({
    title: "a connection that is not in skillc.yaml",
    explanation:
      "`databases:` in skillc.yaml says where the schema of each connection comes from. Without a schema, skillc can't check the statement. skillc reports each missing connection once, at the first tool that uses it, and names all tools that do.",
    example: { query, connection: "${WAREHOUS_URL}" },
    fixed: { connection: "${WAREHOUSE_URL}" },
  }),
  "sql/bad-database": sqlEntry({
    title: "an invalid database in skillc.yaml",
    explanation:
      "A database is a mapping with exactly one of three keys. `schema` lists files or patterns that create the tables, `snapshot` is the file that `skillc db pull` writes, and `introspect: true` asks the server behind the connection in each run. Two keys are optional: `harmless_functions` lists your own functions that only read, and `statement_timeout_ms` limits the time of a statement.",
    example: { query, settings: ["WAREHOUSE_URL: { schemas: [db/schema.sql] }"] },
    fixed: { settings: files },
  }),
  "sql/bad-set-config": sqlEntry({
    title: "an invalid setting in `set_config`",
    explanation:
      "`set_config:` in skillc.yaml names PostgreSQL settings that skillc sets in the transaction of each SQL tool, so that row-level security can read them. The name of such a setting has a dot (`app.tenant`), because names without a dot belong to PostgreSQL. The value consists of text and fields of the caller (`{caller.tenant}`). It can't contain parameters or credentials, because all tools share it.",
    example: { query, setConfig: ['tenant: "{caller.tenant}"'] },
    fixed: { setConfig: ['app.tenant: "{caller.tenant}"'] },
  }),
  "sql/unread-setting": sqlEntry({
    severity: "warning",
    title: "a key of `set_config` that the schema does not read",
    explanation:
      "Row policies, functions and views read settings with `current_setting('app.tenant')`. No schema file reads this key of `set_config`, but one reads a similar setting that `set_config` does not set. A policy that reads a setting without a value hides every row, or the statement fails.",
    example: { query, schema: tenants, setConfig: ['app.tenent: "{caller.tenant}"'] },
    fixed: { setConfig: ['app.tenant: "{caller.tenant}"'] },
  }),
  "sql/unknown-function": sqlEntry({
    title: "`harmless_functions` lists an unknown function",
    explanation:
      "`harmless_functions` lists functions of the schema that change nothing, as `name` or `schema.name`. A name that matches no function is probably misspelled, so the function that you mean is not listed. Don't list functions that come with PostgreSQL, or with extensions that only compute (citext, hstore, pg_trgm, pgcrypto, uuid-ossp, postgis, vector and similar).",
    example: {
      query,
      settings: ["WAREHOUSE_URL: { schema: [db/schema.sql], harmless_functions: [order_total] }"],
    },
    fixed: { settings: files },
  }),
  "sql/same-module": sqlEntry({
    title: "two databases with the same module",
    explanation:
      "skillc writes the tables of each database into a module: `databases/warehouse-url.ts` for `WAREHOUSE_URL`. Two names that differ only in case would be written to the same file.",
    example: { query, settings: [...files, "warehouse_url: { schema: [db/schema.sql] }"] },
    fixed: { settings: [...files, "archive_url: { schema: [db/schema.sql] }"] },
  }),
  "sql/no-schema-files": sqlEntry({
    title: "a pattern that matches no schema file",
    explanation:
      "Each path or pattern in `schema` must match at least one file, relative to skillc.yaml. skillc skips `.down.sql` files, because they undo a migration. `skillc db pull` writes the file of `snapshot`.",
    example: { query, settings: ["WAREHOUSE_URL: { schema: [db/migrations/*.sql] }"] },
    fixed: { settings: files },
  }),
  "sql/schema-does-not-load": sqlEntry({
    title: "a schema file that PostgreSQL rejects",
    explanation:
      "skillc loads the files into an empty PostgreSQL, in the order that you list them; a new database would reject them too. Typical causes are a misspelling, a file that is missing before this one, and an extension that the embedded PostgreSQL lacks. For such an extension, use a server that has it: `skillc db pull` keeps its schema, and `introspect: true` asks it in each run. If psql would include a file with `\\i`, list that file in skillc.yaml. skillc stops a statement after 60 s of CPU time; `statement_timeout_ms` gives it more.",
    example: { query, schema: "CREATE TABLE orders (id bigint PRIMARY KEY,);\n" },
    fixed: { schema: "CREATE TABLE orders (id bigint PRIMARY KEY);\n" },
  }),
  "sql/no-server": sqlEntry({
    title: "a server that skillc can't ask for its schema",
    explanation:
      "With `introspect: true`, the server behind the connection describes the statements, in a transaction that only reads and is rolled back. The server must be PostgreSQL 15 or later, and reachable whenever you generate modules. It must answer within ten seconds, or within `statement_timeout_ms`. If it doesn't, skillc writes nothing and the message names the affected tools. The role needs USAGE of the schemas, but no rights on tables. `skillc db pull` keeps the schema in a file (`snapshot: db/NAME.sql`), so that later runs don't need the server.",
    example: { query, settings: ["WAREHOUSE_URL: { introspect: true }"] },
    fixed: { settings: files },
  }),
};
