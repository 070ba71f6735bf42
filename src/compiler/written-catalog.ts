import { createRegistry, type KindRegistry } from "../bindings/registry.js";
import type { Project } from "../core/project.js";
import { createReport } from "../core/report.js";
import { asCompared } from "./compile-catalog.js";
import type { ComparedCatalog, ComparedSkill } from "./compare-tools/compare-catalogs.js";
import { defaultConfig } from "./config/config-schema.js";
import { diagnosticEntriesOf } from "./diagnostics.js";
import { catalogSkill } from "./emit/catalog-data.js";
import { lowerSkill } from "./lower/lower-skill.js";
import { metadataNames } from "./skill-folders.js";
import { readSkillModel } from "./read-skill-model.js";
import { trackFiles } from "./tracked-files.js";
import { writtenPath, writtenProject } from "./written-project.js";

/**
 * Returns the catalog of some skills from their files alone, without analysis and checks. It lacks
 * the reach of tools whose kind needs an engine.
 *
 * @param files texts by path below the skills folder
 * @param names names of the skills, which are also their folders' names
 */
export function writtenCatalog(
  files: ReadonlyMap<string, string>,
  names: readonly string[],
): ComparedCatalog {
  const project = writtenProject(files);
  const kinds = withoutEngines(createRegistry());
  return { skills: names.flatMap((name) => skillOf(name, project, kinds)) };
}

function skillOf(name: string, project: Project, kinds: KindRegistry): readonly ComparedSkill[] {
  const folder = writtenPath(name);
  const texts = ["SKILL.md", ...metadataNames].flatMap(
    (file) => project.files.get(`${folder}/${file}`)?.text ?? [],
  );
  if (texts.length === 0) return [];
  const report = createReport(diagnosticEntriesOf(kinds));
  const source = { project, config: defaultConfig, folder, kinds, report };
  const model = readSkillModel(source, trackFiles(project))?.model;
  const lowered = model && lowerSkill(model);
  const read = lowered
    ? asCompared(catalogSkill(lowered, kinds).entry, lowered)
    : { name, tools: [] };
  // The content of an unreadable skill is unknown, so any difference counts as the worst.
  return [report.errorCount() > 0 ? { ...read, unreadable: texts } : read];
}

/** Removes the reach of kinds with an engine, which is unknown without the engine. */
function withoutEngines(kinds: KindRegistry): KindRegistry {
  return {
    ...kinds,
    find(type) {
      const kind = kinds.find(type);
      if (kind?.engine === undefined) return kind;
      const { capabilities: _, ...others } = kind;
      return others;
    },
  };
}
