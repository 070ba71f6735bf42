import { statSync } from "node:fs";
import { join } from "node:path";
import {
  type AnyResult,
  type Caller,
  type CallOptions as RuntimeCallOptions,
  createRuntime,
  currentCaller,
  isToolError,
  shutdown,
  withCaller,
} from "@skillc/runtime";
import { findObstacle, parseJson, UnheldNumber } from "@skillc/runtime/internal";
import { type CommandContext, resolveFrom } from "../command-context.js";
import { severityColour, withCodeSpans } from "../console/palette.js";
import { visible } from "../console/visible.js";
import { CommandFailure, type ExitCode, exitCode } from "../exit.js";
import { loadEntryPoints } from "../project/entry-points.js";
import { envFileProblem } from "../project/env-file.js";
import { describeLoadError, loadModule } from "../project/load-module.js";
import { readSettings } from "../project/read-settings.js";
import { findTool, type GeneratedTool } from "./generated-tools.js";
import { printAnswer } from "./print-answer.js";
import { printToolError } from "./print-tool-error.js";
import { isStale } from "./stale-tool.js";
import { governanceOf, tellNoStore } from "../project/project-governance.js";
import { projectRoot } from "../project/project-root.js";

export interface CallOptions {
  /** Arguments as JSON, or `-` for standard input. */
  readonly args: string;
  readonly mode?: "active" | "shadow";
  /** Path of a module that exports `handlers`. */
  readonly handlers?: string;
  readonly json?: true;
  readonly preflight?: true;
  /** A `Caller` as JSON. */
  readonly caller?: string;
  readonly approval?: string;
  readonly idempotencyKey?: string;
}

/**
 * Calls a generated tool as an application would: the default runtime, with the project's `.env`,
 * skillc.yaml and ledger.
 */
export async function call(
  context: CommandContext,
  id: string,
  options: CallOptions,
): Promise<ExitCode> {
  const root = await projectRoot(context.directory);
  const settings = await readSettings(root);
  const tool = findTool(root, settings.out, id);
  const params = parseArgs(
    options.args === "-" ? await readAll(context) : options.args,
    options.args === "-",
  );
  await warnIfStale(context, root, tool);
  warnOfEnvFile(context, root);
  const shared = await loadEntryPoints("@skillc/runtime");
  const run = await loadTool(root, tool, shared);
  const handlers =
    options.handlers === undefined
      ? {}
      : await loadHandlers(resolveFrom(context.directory, options.handlers), root, shared);
  const ofCall = optionsOfCall(options);
  if (options.preflight === true) {
    const { callPreflight } = await import("./call-preflight.js");
    const json = options.json === true;
    const loaded = { root, settings, id, tool: run, params, handlers, shared, json };
    return callPreflight(context, { ...loaded, options: ofCall });
  }
  const governed = await governanceOf(context, { root, settings, shared });
  if (governed?.isShared === false) tellNoStore(context);
  if (governed?.isShared === true && ofCall.idempotencyKey !== undefined) {
    await governed.governance.store.close();
    throw keyOfApplication();
  }
  const runtime = createRuntime({
    directory: root,
    env: context.io.env,
    // Don't follow a link that came with the project.
    ...(findObstacle(root, downloads, "folder") === undefined && { downloads }),
    handlers,
    ...(governed && { governance: governed.governance }),
  });
  try {
    const result: unknown = await run(params, {
      runtime,
      ...ofCall,
      ...(options.mode && { mode: options.mode }),
    });
    await printAnswer(context, result, { whole: options.json === true });
    return exitCode.fine;
  } catch (error) {
    if (!isToolError(error)) throw error;
    printToolError(context, error, options.json === true);
    return exitCode.inputErrors;
  } finally {
    await runtime.close();
    await governed?.governance.store.close();
    await shutdown();
  }
}

/** Folder of saved responses, relative to the project. */
const downloads = ".skillc/downloads";

/**
 * Failure for keyed calls, whose results are encrypted with a key that only the application has.
 */
function keyOfApplication(): CommandFailure {
  return CommandFailure.usage(
    "`--idempotency-key` needs `--preflight` and a `store:`: the store keeps the answer of such a call for the application, encrypted with the application's key",
    "make the call from the application",
  );
}

/** @throws CommandFailure for an invalid caller */
function optionsOfCall({
  approval,
  caller,
  idempotencyKey,
}: CallOptions): Pick<RuntimeCallOptions, "approval" | "caller" | "idempotencyKey"> {
  return {
    ...(caller !== undefined && { caller: parseCaller(caller) }),
    ...(approval !== undefined && { approval }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  };
}

function parseCaller(text: string): Caller {
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
  const module = tool.toolModule.slice(2);
  warn(context, `\`${module}\` is older than \`${tool.skillFile}\`: run \`skillc generate\``);
}

/**
 * Warns of a merge conflict in `.env`. The call continues with the lines outside of the conflict.
 */
function warnOfEnvFile(context: CommandContext, root: string): void {
  const { diagnostic } = envFileProblem(root) ?? {};
  if (diagnostic === undefined) return;
  warn(context, `${diagnostic.message}: if a name occurs twice, the last value counts`);
}

function warn({ err, io }: CommandContext, text: string): void {
  const warning = severityColour(err, "warning")("warning");
  io.stderr.write(`${warning}: ${withCodeSpans(visible(text), err)}\n`);
}

function parseArgs(text: string, fromStdin: boolean): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof UnheldNumber) throw unheldArgument(error, fromStdin);
    const reason = error instanceof Error ? error.message : String(error);
    throw CommandFailure.usage(
      `${fromStdin ? "standard input" : "`--args`"} is not JSON: ${reason}`,
      `quote it for the shell: --args '{"name": "value"}'`,
    );
  }
}

function unheldArgument({ message }: UnheldNumber, fromStdin: boolean): CommandFailure {
  const place = fromStdin ? "standard input" : "`--args`";
  return CommandFailure.usage(`the tool can't be called with ${place}: ${message}`);
}

async function readAll({ io }: CommandContext): Promise<string> {
  const chunks: Uint8Array[] = [];
  const encoder = new TextEncoder();
  for await (const chunk of io.stdin)
    chunks.push(typeof chunk === "string" ? encoder.encode(chunk) : chunk);
  return Buffer.concat(chunks).toString("utf8");
}

type ToolFunction = (params: unknown, options?: RuntimeCallOptions) => Promise<AnyResult>;

async function loadTool(
  root: string,
  tool: GeneratedTool,
  shared: Readonly<Record<string, unknown>>,
): Promise<ToolFunction> {
  // Loading would wait for a pipe's other end.
  for (const module of [tool.module, tool.toolModule]) refuseIrregular(root, module);
  const { exports } = await loadOrExplain(root, tool.module, shared);
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

async function loadHandlers(
  file: string,
  root: string,
  shared: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, (params: never) => unknown>>> {
  const { exports } = await loadOrExplain(root, file, shared);
  const handlers = exports["handlers"] ?? exports["default"];
  if (typeof handlers !== "object" || handlers === null) {
    throw CommandFailure.usage(
      `\`${file}\` exports no \`handlers\``,
      "write `export const handlers: Handlers = { … }`",
    );
  }
  // The user's module is typed by generated/handlers.ts.
  return handlers as Readonly<Record<string, (params: never) => unknown>>;
}

async function loadOrExplain(
  root: string,
  module: string,
  shared: Readonly<Record<string, unknown>>,
) {
  try {
    return await loadModule(root, module, shared);
  } catch (error) {
    const shown = module.replace(`${root}/`, "");
    throw CommandFailure.input(`\`${shown}\` can't be loaded: ${describeLoadError(error, root)}`);
  }
}
