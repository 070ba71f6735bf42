import type { DraftFile } from "../core/output.js";
import type { ToolModel } from "../core/skill-model.js";
import type { Sessions } from "./analyze/sessions.js";
import { frameModule } from "./emit/frame-module.js";

/** Collects the modules that tools of several skills import, each once. */
export async function sharedModules(
  tools: readonly ToolModel[],
  sessions: Sessions,
): Promise<readonly DraftFile[]> {
  const drafts = new Map<string, DraftFile>();
  for (const { binding } of tools) {
    const modules = (await sessions.of(binding.type)?.modules(binding.config)) ?? [];
    for (const { path, source, body, declared } of modules) {
      const code = frameModule(body, declared);
      drafts.set(path, { path: `${path}.ts`, source, body: { kind: "typescript", code } });
    }
  }
  return [...drafts.values()];
}
