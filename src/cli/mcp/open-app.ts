import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Runtime, shutdown } from "@skillc/runtime";
import { isRuntime } from "@skillc/runtime/internal";
import type { OpenRuntime } from "../commands/project-call.js";
import { CommandFailure } from "../exit.js";
import { describeLoadError, loadModule } from "../project/load-module.js";
import type { ModuleSources } from "./module-sources.js";

/**
 * Loads the module of the application, and takes its runtime.
 *
 * @param file path of the module, relative to the project
 * @throws CommandFailure if the module can't be loaded, or exports no runtime
 */
export async function openApp(
  root: string,
  file: string,
  { kept, shared }: ModuleSources,
): Promise<OpenRuntime> {
  const runtime = runtimeOf(file, await load(root, file, { kept, shared }));
  return {
    runtime,
    close: async () => {
      await runtime.close();
      await shutdown();
    },
  };
}

async function load(
  root: string,
  file: string,
  { kept, shared }: ModuleSources,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    // JavaScript needs no compiler, and gets the runtime from the same place as this process.
    if (/^\.\/.*\.[cm]?js$/.test(file)) return await import(pathToFileURL(join(root, file)).href);
    return (await loadModule(root, file, await shared(), kept)).exports;
  } catch (error) {
    throw CommandFailure.input(`\`${file}\` can't be loaded: ${describeLoadError(error, root)}`);
  }
}

function runtimeOf(file: string, exports: Readonly<Record<string, unknown>>): Runtime {
  const { runtime } = exports;
  if (isRuntime(runtime)) return runtime;
  throw CommandFailure.input(
    `\`${file}\` exports no \`runtime\``,
    "write `export const runtime = createRuntime({ … })`",
  );
}
