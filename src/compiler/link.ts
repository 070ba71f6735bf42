import type { KindRegistry } from "../bindings/registry.js";
import type { SkillPlan } from "../core/emit-plan.js";
import type { JsonObject } from "../core/json.js";
import type { DraftFile } from "../core/output.js";
import { withJsonHeader } from "../core/provenance.js";
import type { Style } from "../core/style.js";
import { emitProject } from "./emit/emit-project.js";
import { printJson } from "./emit/print-json.js";

/**
 * The files that hold or name every skill.
 *
 * @param catalogue each skill's part of it, in the order of the plans
 */
export function linkFiles(
  plans: readonly SkillPlan[],
  catalogue: readonly JsonObject[],
  kinds: KindRegistry,
  style: Style,
  skillsFolder: string,
): readonly DraftFile[] {
  const json: DraftFile = {
    path: "catalog.json",
    source: `${skillsFolder}/`,
    body: { kind: "json", text: withJsonHeader(printJson({ skills: catalogue }, style)) },
  };
  return [json, ...emitProject(plans, catalogue, kinds, skillsFolder)];
}
