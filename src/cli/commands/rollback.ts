/** `skillc rollback`: undoes calls of the ledger, as `rollbackCall` of an application does. */
import {
  type Caller,
  isToolError,
  rollbackCall,
  rollbackTrace,
  type RollbackResult,
  type ToolMap,
  type TraceRollback,
  type TraceRollbackOptions,
} from "@skillc/runtime";
import type { CommandContext } from "../command-context.js";
import { withCodeSpans } from "../console/palette.js";
import { printJson } from "../console/print-json.js";
import { CommandFailure, type ExitCode, exitCode } from "../exit.js";
import { wantsColour, widthOf } from "../io.js";
import { findAnyCall, noCall } from "../ledger/commands.js";
import { type LedgerPlaceFlags, openLedger, type OpenLedger } from "../ledger/open-ledger.js";
import { governanceOf, tellNoStore } from "../project/project-governance.js";
import { projectRoot } from "../project/project-root.js";
import { readSettings } from "../project/read-settings.js";
import { renderRollback, renderTraceRollback } from "../rollback/render-rollback.js";
import { allTools } from "./generated-tools.js";
import { printToolError } from "./print-tool-error.js";
import { callerOption, inProject, loadHandlers, loadTool } from "./project-call.js";
import { subjectOf } from "./subject-option.js";

/** Flags of `skillc rollback`; absent by default. */
export interface RollbackFlags extends LedgerPlaceFlags {
  readonly trace?: string;
  readonly dryRun?: true;
  readonly path?: readonly string[];
  /** Reason. */
  readonly force?: string;
  /** A `Caller` as JSON. */
  readonly caller?: string;
  readonly approval?: string;
  /** Path of a module that exports `handlers`. */
  readonly handlers?: string;
  readonly json?: true;
}

/** Undoes a call or a trace, and prints what was undone. */
export async function rollback(
  context: CommandContext,
  id: string | undefined,
  flags: RollbackFlags,
): Promise<ExitCode> {
  if ((id === undefined) === (flags.trace === undefined)) throw needsOne();
  const options = optionsOf(flags);
  const root = await projectRoot(context.directory);
  const settings = await readSettings(root);
  const generated = allTools(root, settings.out);
  const { handlers, kept, shared } = await loadHandlers(context, root, flags.handlers);
  const tools: ToolMap = Object.fromEntries(
    generated.map((tool) => [tool.id.replace("/", "__"), () => loadTool(root, tool, shared, kept)]),
  );
  const ledger = await openLedger(root, flags, context.io.env);
  const governed = await governanceOf(context, { root, settings, shared, kept });
  if (governed?.isShared === false) tellNoStore(context);
  const isJson = flags.json === true;
  const project = { root, handlers, governed, isJson, ledger: ledger.store };
  return inProject(context, project, async (runtime) => {
    const given = { ...options, runtime };
    if (flags.trace !== undefined)
      return printTrace(context, await rollbackTrace(tools, flags.trace, given), isJson);
    const call = await wholeId(ledger, id ?? "");
    const paths = flags.path && { paths: flags.path };
    return printOne(context, await rollbackCall(tools, call, { ...given, ...paths }), isJson);
  });
}

function needsOne(): CommandFailure {
  return CommandFailure.usage(
    "name either a call or a trace",
    "`skillc rollback CALL`, or `skillc rollback --trace TRACE`; `skillc ledger list` shows calls",
  );
}

const longestReason = 500;

/** @throws CommandFailure for an invalid caller or reason */
function optionsOf({ approval, caller, dryRun, force }: RollbackFlags): TraceRollbackOptions {
  if (force !== undefined && (force.trim() === "" || force.length > longestReason))
    throw CommandFailure.usage(
      `\`--force\` needs a reason of 1 to ${longestReason} characters`,
      'write why: `--force "the file was only formatted"`',
    );
  return {
    caller: callerOf(caller),
    ...(approval !== undefined && { approval }),
    ...(dryRun === true && { dryRun }),
    ...(force !== undefined && { force: { because: force } }),
  };
}

function callerOf(given: string | undefined): Caller {
  if (given !== undefined) return callerOption(given);
  const help = `write who undoes the call: --caller '{"subject": "ada"}'`;
  return { subject: subjectOf(undefined, { flag: "--caller", help }) };
}

/** @throws CommandFailure if no call has this id, or several begin with it */
async function wholeId({ store, where }: OpenLedger, id: string): Promise<string> {
  const options = { id, store, where, json: false, color: false, width: 80 };
  const found = id === "" ? undefined : await findAnyCall(options);
  if (found === undefined) {
    const { help, message } = noCall(options);
    throw CommandFailure.input(message, help);
  }
  if ("message" in found) throw CommandFailure.input(found.message, found.help);
  return found.id;
}

function printOne(context: CommandContext, result: RollbackResult, isJson: boolean): ExitCode {
  if (isJson) printJson(context.io.stdout, result);
  else print(context, renderRollback(result, styleOf(context)));
  return isFine(result) ? exitCode.fine : exitCode.inputErrors;
}

function printTrace(context: CommandContext, result: TraceRollback, isJson: boolean): ExitCode {
  const error = result.stopped?.error;
  if (isJson) {
    const { stopped, ...rest } = result;
    const why = error && { error: { ...error.failure, message: error.message } };
    printJson(context.io.stdout, { ...rest, ...(stopped && { stopped: { ...stopped, ...why } }) });
  } else {
    print(context, renderTraceRollback(result, styleOf(context)));
    if (isToolError(error)) printToolError(context, error, false);
  }
  return result.status === "stopped" ? exitCode.inputErrors : exitCode.fine;
}

function isFine(result: RollbackResult): boolean {
  if (result.status === "would_roll_back") return result.allow;
  return result.status === "rolled_back";
}

function print({ io, out }: CommandContext, text: string): void {
  io.stdout.write(`${withCodeSpans(text, out)}\n`);
}

function styleOf({ io }: CommandContext) {
  return { color: wantsColour(io.stdout, io.env), width: widthOf(io.stdout) };
}
