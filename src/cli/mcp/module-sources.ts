import { join } from "node:path";
import type { SharedModules } from "../commands/project-call.js";
import type { Io } from "../io.js";
import { findRuntime, isBuilt, loadEntryPoints } from "../project/entry-points.js";
import { type KeptModules, openKeptModules } from "../project/kept-modules.js";

/** Sources of the JavaScript of the project's modules. */
export interface ModuleSources {
  /** JavaScript of earlier processes. */
  readonly kept: KeptModules;
  /** Loads the modules that the project's code must get from this process. */
  readonly shared: () => Promise<SharedModules>;
}

/** @param root absolute */
export function openModuleSources(root: string, env: Io["env"]): ModuleSources {
  // Node.js gives the project the runtime of this process, if both are built.
  const isNative = isBuilt && findRuntime(join(root, "skillc.yaml")) !== undefined;
  let loading: Promise<SharedModules> | undefined;
  return {
    kept: openKeptModules(root, env),
    shared: async () => (isNative ? {} : (loading ??= loadEntryPoints("@skillc/runtime"))),
  };
}
