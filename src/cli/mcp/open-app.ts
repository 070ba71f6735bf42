import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Runtime, shutdown } from "@skillc/runtime";
import type { ResultStore } from "@skillc/runtime/mcp";
import { isRuntime } from "@skillc/runtime/internal";
import type { OpenRuntime } from "../commands/project-call.js";
import { CommandFailure } from "../exit.js";
import { describeLoadError, loadModule } from "../project/load-module.js";
import type { ModuleSources } from "../project/module-sources.js";

/** The runtime of an application, and its store of long results, if it has one. */
export interface OpenApp extends OpenRuntime {
  readonly results?: ResultStore;
}

/**
 * Loads the module of the application, and takes its `runtime` and its `results`.
 *
 * @param file path of the module, relative to the project
 * @throws CommandFailure if the module can't be loaded, or exports no runtime
 */
export async function openApp(
  root: string,
  file: string,
  { kept, shared }: ModuleSources,
): Promise<OpenApp> {
  const exports = await load(root, file, { kept, shared });
  const runtime = runtimeOf(file, exports);
  const results = resultsOf(file, exports);
  return {
    runtime,
    ...(results && { results }),
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

function resultsOf(
  file: string,
  { results }: Readonly<Record<string, unknown>>,
): ResultStore | undefined {
  if (results === undefined || isResultStore(results)) return results;
  throw CommandFailure.input(
    `\`results\` of \`${file}\` is not a store of results`,
    "write `export const results = folderResults({ … })`, or remove the export",
  );
}

function isResultStore(value: unknown): value is ResultStore {
  return typeof value === "object" && value !== null && "keep" in value && "read" in value;
}
