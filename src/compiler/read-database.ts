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
 * The tables of the database behind a setting, read by the kind that connects to databases;
 * undefined, with errors in `report`, when the project's settings or files are wrong.
 */
export async function readDatabase(input: DatabaseReadInput): Promise<ReadTables | undefined> {
  for (const kind of input.kinds.all) {
    const tables = kind.engine?.tables;
    if (tables === undefined) continue;
    return tables({ ...input, settings: readSettings(kind, input.config, input.report) });
  }
  return undefined;
}
