/** The entry point `skillc/runtime/sql`: what generated modules of SQL tools import, and what an application on PGlite loads its schema with. */
export { type Generated, sql } from "kysely";
export type { ManyRows, Pg, Refusal, SqlFault, SqlFaultNames, SqlRecord } from "./contract.js";
export { type EmbeddedPostgres, openPglite, query } from "./execute.js";
