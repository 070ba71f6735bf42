import { onTestFinished } from "vitest";
import { makeProject, type Ran, skillc } from "../../cli/support/command-line.js";
import { createDatabase, type OwnDatabase } from "../../support/postgres.js";
import { skillsIn, type ReportedDiagnostic } from "../openapi/support.js";

export interface ImportedTables extends Ran {
  /** Files of the skills, without the record of the import. */
  readonly files: Readonly<Record<string, string>>;
  readonly told: readonly ReportedDiagnostic[];
  readonly report: {
    readonly server: string;
    readonly tables: readonly {
      readonly schema: string;
      readonly name: string;
      readonly tools: readonly string[];
      readonly taken: string;
      readonly notes: readonly string[];
    }[];
    readonly changes: { readonly verdict: string | null } | null;
  };
}

/** Creates a database, and a project that connects to it by SHOP_URL. */
export async function shopWith(
  schema: string,
  files: Readonly<Record<string, string>> = {},
): Promise<{ readonly root: string; readonly database: OwnDatabase }> {
  const database = await createDatabase(schema);
  onTestFinished(() => database.drop());
  return { database, root: makeProject({ ".env": `SHOP_URL=${database.url}\n`, ...files }) };
}

export async function importTables(
  root: string,
  ...argv: readonly string[]
): Promise<ImportedTables> {
  const ran = await skillc(root, ["import", "database", ...argv, "--json"]);
  const printed = ran.stdout.startsWith("{") ? JSON.parse(ran.stdout) : { diagnostics: [] };
  // Without a source, the command reports a list of all imports.
  const report = printed.imports?.[0] ?? printed;
  return { ...ran, files: skillsIn(root), told: report.diagnostics, report };
}
