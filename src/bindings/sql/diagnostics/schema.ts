import type { DiagnosticEntries } from "../../../core/diagnostic-entry.js";
import { sqlEntry } from "./example.js";

const query = "SELECT id FROM orders";
const files = ["WAREHOUSE_URL: { schema: [db/schema.sql] }"];

/** What can be wrong with connections, and with the databases behind them. */
export const databaseSchemaDiagnosticEntries: DiagnosticEntries = {
  "sql/bad-connection": sqlEntry({
    title: "a connection that is no `${NAME}`",
    explanation:
      "`connection` is the name of one setting, whose value is the URL: `postgres://…`, or `pglite://path` for the embedded PostgreSQL. A URL of its own would hold a password, " +
      "and could not differ from one machine to the next.",
    example: { query, connection: "WAREHOUSE_URL" },
    fixed: { connection: "${WAREHOUSE_URL}" },
  }),
  "sql/unknown-database": sqlEntry({
    title: "a connection of which skillc.yaml says nothing",
    explanation:
      "`databases:` of skillc.yaml says for each connection where its schema comes from. Without one nothing of the statement could be checked. It is told once for each " +
      "connection, at the first tool that names it, with the names of all.",
    example: { query, connection: "${WAREHOUS_URL}" },
    fixed: { connection: "${WAREHOUSE_URL}" },
  }),
  "sql/bad-database": sqlEntry({
    title: "a database of skillc.yaml that can't be understood",
    explanation:
      "A database is a mapping with one of three: `schema`, a list of files or patterns that make its tables; `snapshot`, the file that `skillc db pull` writes; or `introspect: true`, " +
      "which asks the server behind the connection in each run. " +
      "`harmless_functions` lists functions of your own that only read; `statement_timeout_ms` says how long a statement may take.",
    example: { query, settings: ["WAREHOUSE_URL: { schemas: [db/schema.sql] }"] },
    fixed: { settings: files },
  }),
  "sql/bad-set-config": sqlEntry({
    title: "a setting of `set_config` that can't be made",
    explanation:
      "`set_config:` of skillc.yaml names settings of PostgreSQL that each SQL tool's transaction has, so that row level security can read them. The name of such a setting has a dot (`app.tenant`): " +
      "the others are PostgreSQL's own. Its value is text and what the caller gives (`{caller.tenant}`), the same for every tool: no parameter, no credential.",
    example: { query, setConfig: ['tenant: "{caller.tenant}"'] },
    fixed: { setConfig: ['app.tenant: "{caller.tenant}"'] },
  }),
  "sql/unknown-function": sqlEntry({
    title: "`harmless_functions` names no function",
    explanation:
      "`harmless_functions` lists functions of the schema, as `name` or `schema.name`, that change nothing. A name that no function has is a misspelling: the function that is meant is then not " +
      "listed. What comes with PostgreSQL, and with extensions that only compute (citext, hstore, pg_trgm, pgcrypto, uuid-ossp, postgis, vector and the like), need not be listed.",
    example: {
      query,
      settings: ["WAREHOUSE_URL: { schema: [db/schema.sql], harmless_functions: [order_total] }"],
    },
    fixed: { settings: files },
  }),
  "sql/same-module": sqlEntry({
    title: "two databases that would be one module",
    explanation:
      "The tables of each database are a module, `databases/warehouse-url.ts` for `WAREHOUSE_URL`. Names that differ only by letter case would be the same file.",
    example: { query, settings: [...files, "warehouse_url: { schema: [db/schema.sql] }"] },
    fixed: { settings: [...files, "archive_url: { schema: [db/schema.sql] }"] },
  }),
  "sql/no-schema-files": sqlEntry({
    title: "a pattern that names no schema file",
    explanation:
      "Each path or pattern of `schema` names at least one file, relative to skillc.yaml. `.down.sql` files, which undo a migration, are left out. The file of " +
      "`snapshot` is written by `skillc db pull`.",
    example: { query, settings: ["WAREHOUSE_URL: { schema: [db/migrations/*.sql] }"] },
    fixed: { settings: files },
  }),
  "sql/schema-does-not-load": sqlEntry({
    title: "a schema file that PostgreSQL refuses",
    explanation:
      "The files are loaded into an empty PostgreSQL, in the order in which they are named. What it refuses, it would refuse of a new database too: a misspelling, a file that is missing " +
      "before this one, or an extension that the embedded PostgreSQL lacks (`skillc db pull` keeps the schema of a server that has it, and `introspect: true` asks it in each run). A file that psql would read with `\\i` is listed in skillc.yaml instead. " +
      "A statement that has not ended after 60 s of CPU time, a loop most likely, is ended and refused; `statement_timeout_ms` of the database gives it more.",
    example: { query, schema: "CREATE TABLE orders (id bigint PRIMARY KEY,);\n" },
    fixed: { schema: "CREATE TABLE orders (id bigint PRIMARY KEY);\n" },
  }),
  "sql/no-server": sqlEntry({
    title: "a server that can't be asked for its schema",
    explanation:
      "With `introspect: true` statements are described by the server behind the connection, PostgreSQL 15 or later, in a transaction that only reads and is rolled back. It has to be " +
      "set, reachable and answering when modules are generated; without it nothing is written, and the message names the tools that wait for it. `skillc db pull` keeps the schema in a file " +
      "(`snapshot: db/NAME.sql`), so that no later run needs the server. A question that takes longer " +
      "than ten seconds, or than `statement_timeout_ms` of the database, counts as no answer. What its role may do with tables is not looked at: SELECT is enough, or not even that, since tools may run as another role; it needs USAGE of the schemas.",
    example: { query, settings: ["WAREHOUSE_URL: { introspect: true }"] },
    fixed: { settings: files },
  }),
};
