import { type CallOptions as RuntimeCallOptions, preflight } from "@skillc/runtime";
import type { CommandContext } from "../command-context.js";
import { parseJsonOption } from "../console/json-option.js";
import { severityColour, withCodeSpans } from "../console/palette.js";
import { CommandFailure, type ExitCode } from "../exit.js";
import { openDatabaseLedger } from "../ledger/open-ledger.js";
import { governanceOf, tellNoStore } from "../project/project-governance.js";
import { projectRoot } from "../project/project-root.js";
import { keptSettings } from "../project/kept-settings.js";
import { openModuleSources } from "../project/module-sources.js";
import { findTool } from "./generated-tools.js";
import { callInProject, callerOption, loadCall, type ToolFunction } from "./project-call.js";

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
  /** True to wait for a decision if the call needs an approval. */
  readonly wait?: true;
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
  const sources = openModuleSources(root, context.io.env);
  const settings = await keptSettings(root, sources.kept);
  const tool = findTool(root, settings.out, id);
  const params = parseArgs(
    options.args === "-" ? await readAll(context) : options.args,
    options.args === "-",
  );
  const modules = { root, tool, sources, ...options };
  const { handlers, kept, run, shared } = await loadCall(context, modules);
  const ofCall = optionsOfCall(options);
  if (options.preflight === true) {
    const { callPreflight } = await import("./call-preflight.js");
    const json = options.json === true;
    const loaded = { root, settings, id, tool: run, params, handlers, shared, json };
    return callPreflight(context, { ...loaded, options: ofCall });
  }
  const ledger = (await openDatabaseLedger(root, {}, context.io.env))?.store;
  const governed = await governanceOf(context, { root, settings, shared, kept });
  if (governed?.isShared === false) tellNoStore(context);
  if (governed?.isShared === true && ofCall.idempotencyKey !== undefined) {
    await governed.governance.store.close();
    throw keyOfApplication();
  }
  const isJson = options.json === true;
  const mode = options.mode && { mode: options.mode };
  const waits = options.wait === true && governed !== undefined;
  const project = { root, handlers, governed, isJson, ...(ledger && { ledger }) };
  return callInProject(context, project, async (runtime) => {
    if (waits) await tellWait(context, run, params, { runtime, ...ofCall, ...mode });
    const wait = waits && { approval: { wait: true } as const };
    return run(params, { runtime, ...ofCall, ...mode, ...wait });
  });
}

/** Says how to decide the call, if it will wait for an approval. */
async function tellWait(
  { err, io }: CommandContext,
  run: ToolFunction,
  params: unknown,
  options: RuntimeCallOptions,
): Promise<void> {
  const { reason } = await preflight(run, params, options);
  const failure = reason?.failure;
  if (failure?.code !== "AUTH.APPROVAL_REQUIRED" || failure.reason === "denied") return;
  const { id, subject } = failure.request;
  // Nobody can approve the call of an unknown subject, so it doesn't wait.
  if (subject === undefined) return;
  const note = `the call waits for an approval: \`skillc approvals show ${id}\`, and then \`skillc approvals approve ${id} --as SUBJECT\` or \`skillc approvals deny ${id}\``;
  io.stderr.write(`${severityColour(err, "info")("note")}: ${withCodeSpans(note, err)}\n`);
}

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
    ...(caller !== undefined && { caller: callerOption(caller) }),
    ...(approval !== undefined && { approval }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  };
}

function parseArgs(text: string, fromStdin: boolean): unknown {
  const name = fromStdin ? "standard input" : "`--args`";
  return parseJsonOption(text, {
    name,
    unusable: `the tool can't be called with ${name}`,
    help: `quote it for the shell: --args '{"name": "value"}'`,
  });
}

async function readAll({ io }: CommandContext): Promise<string> {
  const chunks: Uint8Array[] = [];
  const encoder = new TextEncoder();
  for await (const chunk of io.stdin)
    chunks.push(typeof chunk === "string" ? encoder.encode(chunk) : chunk);
  return Buffer.concat(chunks).toString("utf8");
}
