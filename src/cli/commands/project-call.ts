/**
 * The parts that `skillc call` and `skillc runs resume` share: they call a generated tool as an
 * application would, with the project's `.env`, skillc.yaml, governance and ledger.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import {
  type AnyResult,
  type Caller,
  type CallOptions,
  createRuntime,
  currentCaller,
  isToolError,
  type LedgerStore,
  type Runtime,
  type RuntimeOptions,
  shutdown,
  withCaller,
} from "@skillc/runtime";
import { findObstacle, parseJson } from "@skillc/runtime/internal";
import { type CommandContext, resolveFrom } from "../command-context.js";
import { severityColour, withCodeSpans } from "../console/palette.js";
import { visible } from "../console/visible.js";
import { CommandFailure, type ExitCode, exitCode } from "../exit.js";
import { envFileProblem } from "../project/env-file.js";
import type { KeptModules } from "../project/kept-modules.js";
import {
  type ModuleSources,
  openModuleSources,
  type SharedModules,
} from "../project/module-sources.js";
import { describeLoadError, loadModule } from "../project/load-module.js";
import type { governanceOf } from "../project/project-governance.js";
import type { GeneratedTool } from "./generated-tools.js";
import { printAnswer } from "./print-answer.js";
import { printToolError } from "./print-tool-error.js";
import { isStale } from "./stale-tool.js";

type Handlers = Readonly<Record<string, (params: never) => unknown>>;

/** Function of a generated module; its validator checks the parameters. */
export type ToolFunction = (params: unknown, options?: CallOptions) => Promise<AnyResult>;

/** A generated tool that the command line can call. */
export interface LoadedCall {
  readonly run: ToolFunction;
  readonly handlers: Handlers;
  readonly shared: SharedModules;
  /** JavaScript of earlier processes. */
  readonly kept: KeptModules;
}

/** Modules to load for a call. */
export interface CallModules {
  /** Path of the project's folder. */
  readonly root: string;
  readonly tool: GeneratedTool;
  /** Path of a module that exports `handlers`. */
  readonly handlers?: string;
  /** Sources that the caller has already opened; by default the call opens them. */
  readonly sources?: ModuleSources;
}

/**
 * Loads a generated tool, and the application's handlers. Warns if the tool's module is old.
 *
 * @throws CommandFailure if a module can't be loaded
 */
export async function loadCall(
  context: CommandContext,
  { handlers: file, root, sources, tool }: CallModules,
): Promise<LoadedCall> {
  await warnIfStale(context, root, tool);
  const loaded = await loadHandlers(context, root, file, sources);
  return { ...loaded, run: await loadTool(root, tool, loaded.shared, loaded.kept) };
}

/**
 * Loads the application's handlers, and the modules that the project's code shares with them.
 *
 * @param file path of a module that exports `handlers`; undefined for none
 * @throws CommandFailure if the module can't be loaded, or exports no handlers
 */
export async function loadHandlers(
  context: CommandContext,
  root: string,
  file: string | undefined,
  sources = openModuleSources(root, context.io.env),
): Promise<Omit<LoadedCall, "run">> {
  warnOfEnvFile(context, root);
  const { kept } = sources;
  const shared = await sources.shared();
  if (file === undefined) return { handlers: {}, shared, kept };
  const module = resolveFrom(context.directory, file);
  return { handlers: await handlersOf(module, root, shared, kept), shared, kept };
}

/** The project of a call. */
export interface CallProject {
  /** Path of the project's folder. */
  readonly root: string;
  readonly handlers: Handlers;
  readonly governed: Awaited<ReturnType<typeof governanceOf>>;
  /** Store of the ledger, if it is not the project's files. */
  readonly ledger?: LedgerStore;
  /** Store of runs; absent if the call belongs to no run. */
  readonly runs?: RuntimeOptions["runs"];
  /** True to print the answer, or the error, as JSON. */
  readonly isJson: boolean;
}

/** Makes a call with the project's runtime, and prints the answer or the error. */
export function callInProject(
  context: CommandContext,
  project: CallProject,
  make: (runtime: Runtime) => Promise<AnyResult>,
): Promise<ExitCode> {
  return inProject(context, project, async (runtime) => {
    await printAnswer(context, await make(runtime), { whole: project.isJson });
    return exitCode.fine;
  });
}

/** Makes calls with the project's runtime, and prints the error of a call that fails. */
export async function inProject(
  context: CommandContext,
  project: CallProject,
  make: (runtime: Runtime) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { close, runtime } = openRuntime(context, project);
  try {
    return await make(runtime);
  } catch (error) {
    if (!isToolError(error)) throw error;
    printToolError(context, error, project.isJson);
    return exitCode.inputErrors;
  } finally {
    await close();
  }
}

/** The project's runtime. `close` lets calls end, and closes everything that they use. */
export interface OpenRuntime {
  readonly runtime: Runtime;
  readonly close: () => Promise<void>;
}

/** Makes the project's runtime, for callers that nobody has checked. */
export function openRuntime(
  { io }: CommandContext,
  { governed, handlers, ledger, root, runs }: Omit<CallProject, "isJson">,
): OpenRuntime {
  const runtime = createRuntime({
    directory: root,
    env: io.env,
    callersAreClaimed: true,
    // Don't follow a link that came with the project.
    ...(findObstacle(root, downloads, "folder") === undefined && { downloads }),
    handlers,
    ...(governed && { governance: governed.governance }),
    ...(runs && { runs }),
    ...(ledger && { ledger }),
  });
  return {
    runtime,
    close: async () => {
      await runtime.close();
      await governed?.governance.store.close();
      await shutdown();
    },
  };
}

/** Folder of saved responses, relative to the project. */
const downloads = ".skillc/downloads";

/**
 * Reads the value of `--caller`.
 *
 * @throws CommandFailure if it is not a caller
 */
export function callerOption(text: string): Caller {
  const help = `write an object: --caller '{"tenant": "acme", "subject": "ada"}'`;
  try {
    return withCaller(parseJson(text) as Caller, () => currentCaller() ?? {});
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw CommandFailure.usage(`\`--caller\` is not a caller: ${reason}`, help);
  }
}

async function warnIfStale(
  context: CommandContext,
  root: string,
  tool: GeneratedTool,
): Promise<void> {
  if (!(await isStale(root, tool))) return;
  const module = tool.module.slice(2);
  warn(context, `\`${module}\` is older than \`${tool.skillFile}\`: run \`skillc generate\``);
}

/**
 * Warns of a merge conflict in `.env`. The call continues with the lines outside of the conflict.
 */
export function warnOfEnvFile(context: CommandContext, root: string): void {
  const diagnostic = envFileProblem(root);
  if (diagnostic === undefined) return;
  warn(context, `${diagnostic.message}: if a name occurs twice, the last value counts`);
}

function warn({ err, io }: CommandContext, text: string): void {
  const warning = severityColour(err, "warning")("warning");
  io.stderr.write(`${warning}: ${withCodeSpans(visible(text), err)}\n`);
}

/**
 * Loads a generated tool.
 *
 * @param kept JavaScript of earlier processes
 * @throws CommandFailure if its module can't be loaded
 */
export async function loadTool(
  root: string,
  tool: GeneratedTool,
  shared: SharedModules,
  kept?: KeptModules,
): Promise<ToolFunction> {
  // Loading would wait for a pipe's other end.
  refuseIrregular(root, tool.module);
  const { exports } = await loadOrExplain(root, tool.module, shared, kept);
  const found = exports[tool.functionName];
  if (typeof found === "function") {
    // Function of a generated module; its validator checks the parameters.
    return found as ToolFunction;
  }
  throw CommandFailure.input(
    `\`${tool.module}\` has no function \`${tool.functionName}\``,
    "run `skillc generate`: the generated files don't belong together",
  );
}

function refuseIrregular(root: string, module: string): void {
  const found = statSync(join(root, module), { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) return;
  throw CommandFailure.input(`\`${module.slice(2)}\` is not a file`, "run `skillc generate`");
}

async function handlersOf(
  file: string,
  root: string,
  shared: SharedModules,
  kept: KeptModules,
): Promise<Handlers> {
  const { exports } = await loadOrExplain(root, file, shared, kept);
  const handlers = exports["handlers"] ?? exports["default"];
  if (typeof handlers !== "object" || handlers === null) {
    throw CommandFailure.usage(
      `\`${file}\` exports no \`handlers\``,
      "write `export const handlers: Handlers = { … }`",
    );
  }
  // The user's module is typed by generated/handlers.ts.
  return handlers as Handlers;
}

async function loadOrExplain(
  root: string,
  module: string,
  shared: SharedModules,
  kept?: KeptModules,
) {
  try {
    return await loadModule(root, module, shared, kept);
  } catch (error) {
    const shown = module.replace(`${root}/`, "");
    throw CommandFailure.input(`\`${shown}\` can't be loaded: ${describeLoadError(error, root)}`);
  }
}
