/** The entry point `@skillc/runtime/v1/sql`, which generated modules of SQL tools import. */
export { type Generated, sql } from "kysely";
export type { ManyRows, Pg, Refusal, SqlFault, SqlFaultNames, SqlRecord } from "./contract.js";
export { query } from "./execute.js";
