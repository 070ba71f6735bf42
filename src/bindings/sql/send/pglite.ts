/**
 * The entry point `@skillc/runtime/pglite`: the embedded database that tools with a `pglite://` URL
 * use, for an application that loads its schema.
 */
export { type EmbeddedPostgres, openPglite } from "./databases.js";
