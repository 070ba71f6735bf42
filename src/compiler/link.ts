import type { KindRegistry } from "../bindings/registry.js";
import type { SkillPlan } from "../core/emit-plan.js";
import type { DraftFile } from "../core/output.js";
import { withJsonHeader } from "../core/provenance.js";
import type { Style } from "../core/style.js";
import { catalogSkill } from "./emit/catalog-data.js";
import { emitProject } from "./emit/emit-project.js";
import { printJson } from "./emit/print-json.js";

/** The files that hold or name every skill. */
export function linkFiles(
  plans: readonly SkillPlan[],
  kinds: KindRegistry,
  style: Style,
  skillsFolder: string,
): readonly DraftFile[] {
  const catalogue = printJson({ skills: plans.map(catalogSkill) }, style);
  const json: DraftFile = {
    path: "catalog.json",
    source: `${skillsFolder}/`,
    body: { kind: "json", text: withJsonHeader(catalogue) },
  };
  return [json, ...emitProject(plans, kinds, skillsFolder)];
}
