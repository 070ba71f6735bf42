/**
 * Plans to drafts. Each output of a skill or of the project is an `Emitter` in a file of its own.
 *
 * - `tool-module.ts`: a tool's own modules, with `render-template.ts`; `versions.ts`: checksums, of what has been printed
 * - `frame-module.ts` puts imports above a body; `format-code.ts` and `print-json.ts` print
 */
import type { KindRegistry } from "../../bindings/registry.js";
import type { DraftFile } from "../../core/output.js";
import { catalogEmitter } from "./catalog.js";
import { credentialsEmitter } from "./credentials.js";
import type { EmittedProject, EmittedSkill, Emitter } from "./emitter.js";
import { entryEmitter } from "./entry-module.js";
import { handlersEmitter } from "./handlers.js";
import { toolMapEmitter } from "./tool-map.js";

/**
 * What is written of plans, one line each. Tools' own modules are not among them (`tool-module.ts`): they are kept tool by tool. Nor are checksums (`versions.ts`), which are of
 * what has been printed.
 */
export const emitters: readonly Emitter[] = [
  catalogEmitter,
  credentialsEmitter,
  handlersEmitter,
  entryEmitter,
  toolMapEmitter,
];

/** The files of a skill's folder that name all of its tools; none for a skill without tools, which is only an entry of the catalog. */
export function emitSkill(skill: EmittedSkill, kinds: KindRegistry): readonly DraftFile[] {
  if (skill.plan.tools.length === 0) return [];
  return emitters.flatMap((each) => each.ofSkill?.(skill, kinds) ?? []);
}

/** The files that tie all skills together. */
export function emitProject(project: EmittedProject): readonly DraftFile[] {
  return emitters.flatMap((each) => each.ofProject?.(project) ?? []);
}
