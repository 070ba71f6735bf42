/**
 * The entry point `@skillc/runtime/pglite`. Through it an application loads a schema into the
 * embedded database that tools with a `pglite://` URL use.
 */
export { type EmbeddedPostgres, openPglite } from "./databases.js";
