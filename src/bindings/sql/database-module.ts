import { code, jsDoc } from "../../core/code.js";
import type { SharedModule } from "../../kit/kind-engine.js";
import { emitDatabase } from "./builder/emit-database.js";
import type { Snapshot } from "./database/snapshot.js";

/**
 * Path of the module that declares a connection's tables, relative to the output folder and without
 * extension: `databases/warehouse-url`.
 */
export function databaseModulePath(connection: string): string {
  return `databases/${connection.toLowerCase().replaceAll("_", "-")}`;
}

/** Makes the module that declares the tables of a connection for Kysely. */
export function databaseModule(connection: string, snapshot: Snapshot): SharedModule {
  const doc = jsDoc(
    `The tables behind \`\${${connection}}\`: statements are checked against them.`,
  );
  return {
    path: databaseModulePath(connection),
    source: "skillc.yaml",
    body: code`${doc}${emitDatabase(snapshot)}`,
    declared: new Set(["Database"]),
  };
}
