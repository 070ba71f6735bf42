import { join } from "node:path";
import type { Io } from "../io.js";
import { findRuntime, isBuilt, loadEntryPoints } from "./entry-points.js";
import { type KeptModules, openKeptModules } from "./kept-modules.js";

/** Modules that this process has loaded and gives to the project's code, by specifier. */
export type SharedModules = Readonly<Record<string, unknown>>;

/** Sources of the JavaScript of the project's modules. */
export interface ModuleSources {
  /** JavaScript that earlier processes have made. */
  readonly kept: KeptModules;
  /** Loads the modules that the project's code must get from this process. */
  readonly shared: () => Promise<SharedModules>;
}

/** @param root absolute */
export function openModuleSources(root: string, env: Io["env"]): ModuleSources {
  // Node.js gives the project the runtime of this process, if both are built.
  const runtime = isBuilt ? findRuntime(join(root, "skillc.yaml"))?.folder : undefined;
  const isNative = runtime !== undefined && runtime === findRuntime()?.folder;
  let loading: Promise<SharedModules> | undefined;
  return {
    kept: openKeptModules(root, env),
    shared: async () => (isNative ? {} : (loading ??= loadEntryPoints("@skillc/runtime"))),
  };
}
