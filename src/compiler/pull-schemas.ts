import { readSettings, settingsNode } from "../bindings/kind-settings.js";
import type { PulledSchema, PullInput } from "../kit/kind-engine.js";
import type { KindRegistry } from "../bindings/registry.js";
import type { Diagnostic } from "../core/diagnostic.js";
import type { ProjectConfig } from "../core/project.js";
import { createReport, inSourceOrder } from "../core/report.js";
import { diagnosticEntriesOf } from "./diagnostics.js";
import type { CompileInput } from "./compilation.js";
import { ignored } from "./config/parse-config.js";
import { skillFolders } from "./skill-folders.js";
import { trackFiles } from "./tracked-files.js";
import { readSkillModel } from "./read-skill-model.js";

export interface SchemaPullInput
  extends
    Pick<CompileInput, "project" | "config" | "kinds">,
    Pick<PullInput, "names" | "progress" | "read" | "setting"> {}

export interface SchemaPull {
  readonly diagnostics: readonly Diagnostic[];
  readonly schemas: readonly PulledSchema[];
}

/**
 * Reads the schemas of the servers in skillc.yaml, for every kind that supports it. Compiles
 * nothing, and skips unreadable skills.
 */
export async function pullSchemas(input: SchemaPullInput): Promise<SchemaPull> {
  const { kinds } = input;
  const report = createReport(diagnosticEntriesOf(kinds));
  const tools = skillFolders(input.project).flatMap((folder) => {
    const read = readSkillModel({ ...input, folder, report: ignored }, trackFiles(input.project));
    return (read?.model.tools ?? []).map(({ binding, name }) => ({
      type: binding.type,
      id: `${read?.model.name}/${name}`,
      config: binding.config,
    }));
  });
  const schemas: PulledSchema[] = [];
  for (const kind of kinds.all) {
    const own = tools.filter(({ type }) => type === kind.type);
    const pull = kind.engine?.pull;
    if (pull === undefined) continue;
    const settings = readSettings(kind, input.config, report);
    schemas.push(...(await pull({ ...input, settings, report, tools: own })));
  }
  return { diagnostics: inSourceOrder(report.diagnostics()), schemas };
}

/** Setting names in the configuration of kinds that can pull schemas. */
export function namesOfServers(config: ProjectConfig, kinds: KindRegistry): ReadonlySet<string> {
  const nodes = kinds.all.flatMap(
    (kind) => (kind.engine?.pull && settingsNode(kind, config)) ?? [],
  );
  return new Set(nodes.flatMap(({ entries }) => entries.map(({ key }) => key.value)));
}
