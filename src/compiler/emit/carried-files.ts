import { carriedFolder, type DraftFile } from "../../core/output.js";
import { type Emitter, toolsFile } from "./emitter.js";

/** Copies the files that calls of a skill's tools need, such as scripts, beside the modules. */
export const carriedFilesEmitter: Emitter = {
  name: "files",
  ofSkill({ lowered }, kinds) {
    const files = lowered.tools.flatMap(
      ({ tool: { binding } }) => kinds.find(binding.type)?.carriedFiles?.(binding.config) ?? [],
    );
    const drafts = files.map(({ path, text }): readonly [string, DraftFile] => [
      path,
      {
        path: `${lowered.folder}/${carriedFolder}/${path}`,
        source: toolsFile(lowered),
        body: { kind: "carried", text },
      },
    ]);
    return [...new Map(drafts).values()];
  },
};
