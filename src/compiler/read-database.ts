import type { ReadTables, TablesInput } from "../kit/kind-engine.js";
import { readSettings } from "../bindings/kind-settings.js";
import type { KindRegistry } from "../bindings/registry.js";
import type { ProjectConfig } from "../core/project.js";
import type { Report } from "../core/report.js";

export interface DatabaseReadInput extends Omit<TablesInput, "settings"> {
  readonly config: ProjectConfig;
  readonly kinds: KindRegistry;
  readonly report: Report;
}

/**
 * Reads the tables of the database behind a setting, with the kind that connects to databases.
 * Undefined, with errors in `report`, if the project's settings or files are invalid.
 */
export async function readDatabase(input: DatabaseReadInput): Promise<ReadTables | undefined> {
  for (const kind of input.kinds.all) {
    const tables = kind.engine?.tables;
    if (tables === undefined) continue;
    return tables({ ...input, settings: readSettings(kind, input.config, input.report) });
  }
  return undefined;
}
