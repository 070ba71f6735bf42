/**
 * Converts lowered skills to drafts. Each output of a skill or the project is an `Emitter` in its
 * own file.
 *
 * - `tool-module.ts` fills in the modules of a tool with `render-template.ts`
 * - `frame-module.ts` adds imports to a body; `format-code.ts` formats statements
 */
import type { KindRegistry } from "../../bindings/registry.js";
import type { LoweredSkill } from "../../core/lowered-skill.js";
import type { DraftFile, OutputFile } from "../../core/output.js";
import { carriedFilesEmitter } from "./carried-files.js";
import { catalogEmitter } from "./catalog.js";
import { credentialsEmitter } from "./credentials.js";
import type {
  EmittedProject,
  EmittedSkill,
  EmittedTool,
  Emitter,
  PrintedProject,
} from "./emitter.js";
import { entryEmitter } from "./entry-module.js";
import { handlersEmitter } from "./handlers.js";
import { mcpEmitter } from "./mcp.js";
import { policyEmitter } from "./policy.js";
import { toolMapEmitter } from "./tool-map.js";
import { versionsEmitter } from "./versions.js";

/**
 * Loaded on demand: the code for types and validators takes longer to load than a run without
 * changes.
 */
const toolEmitter: Emitter = {
  name: "tools",
  async ofTool(tool) {
    const { emitTool } = await import("./tool-module.js");
    return emitTool(tool);
  },
};

/**
 * All emitters of lowered skills. Other files are modules that kinds share between skills
 * (`shared-modules.ts`). The kinds make those.
 */
const emitters: readonly Emitter[] = [
  toolEmitter,
  carriedFilesEmitter,
  catalogEmitter,
  credentialsEmitter,
  handlersEmitter,
  entryEmitter,
  toolMapEmitter,
  policyEmitter,
  mcpEmitter,
  versionsEmitter,
];

/** Emits the modules of one tool. */
export async function emitTool(tool: EmittedTool): Promise<readonly DraftFile[]> {
  const files = await Promise.all(emitters.map((each) => each.ofTool?.(tool) ?? []));
  return files.flat();
}

/**
 * Emits the files of a skill's folder that name all of its tools. A skill without tools has none,
 * because it is only an entry of the catalog.
 */
export function emitSkill(skill: EmittedSkill, kinds: KindRegistry): readonly DraftFile[] {
  if (skill.lowered.tools.length === 0) return [];
  return emitters.flatMap((each) => each.ofSkill?.(skill, kinds) ?? []);
}

/** Emits the files that join all skills. */
export function emitProject(project: EmittedProject): readonly DraftFile[] {
  return emitters.flatMap((each) => each.ofProject?.(project) ?? []);
}

/** Emits the files about a skill's other files; empty if there are none. */
export function emitPrintedSkill(
  lowered: LoweredSkill,
  files: readonly OutputFile[],
): readonly DraftFile[] {
  if (files.length === 0) return [];
  return emitters.flatMap((each) => each.ofPrintedSkill?.(lowered, files) ?? []);
}

/** Emits the files about files that belong to no skill. */
export function emitPrintedProject(printed: PrintedProject): readonly DraftFile[] {
  return emitters.flatMap((each) => each.ofPrintedProject?.(printed) ?? []);
}
