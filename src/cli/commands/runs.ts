/** `skillc runs`: lists, shows, resumes, cancels and removes runs of plans. */
import {
  type KeptRun,
  RunHeld,
  type RunId,
  type RunState,
  type RunStore,
  RunStoreError,
  type RunSummary,
  stateOfRun,
} from "@skillc/runtime/runs";
import type { CommandContext } from "../command-context.js";
import { printJson } from "../console/print-json.js";
import { timeForm, timeOption } from "../console/time-option.js";
import { CommandFailure, type ExitCode, exitCode } from "../exit.js";
import { wantsColour, widthOf } from "../io.js";
import { type ConsoleStyle, printable } from "../ledger/console-style.js";
import { formatCount } from "../ledger/quantities.js";
import { projectRoot } from "../project/project-root.js";
import {
  databaseOfRuns,
  type OpenRuns,
  openRuns,
  orWrongOption,
  type RunsPlaceFlags,
} from "../runs/open-runs.js";
import { renderRun, renderRunList } from "../runs/render-runs.js";
import { acceptedChanges, stepsOf } from "../runs/run-steps.js";
import { note, noRun, print, quoted } from "./runs-console.js";
import { resume, type ResumeFlags } from "./runs-resume.js";

export type RunsPart = "list" | "show" | "resume" | "cancel" | "prune" | "migrate";

/** Options of all commands about runs, as commander gives them. */
export interface RunsFlags extends RunsPlaceFlags, ResumeFlags {
  readonly tool?: string;
  readonly state?: RunState;
  readonly limit?: number;
  readonly values?: true;
  readonly before?: string;
  readonly dryRun?: true;
}

/**
 * Runs one command about the runs of the project.
 *
 * @param id id of a run; undefined for commands about many
 */
export async function runs(
  context: CommandContext,
  part: RunsPart,
  id: string | undefined,
  flags: RunsFlags,
): Promise<ExitCode> {
  const root = await projectRoot(context.directory);
  if (part === "migrate") return orStoreFailure(() => migrate(context, root, flags));
  const opened = await openRuns(root, flags, context.io.env);
  const run: RunId = { id: id ?? "", ...(flags.tenant !== undefined && { tenant: flags.tenant }) };
  try {
    return await orStoreFailure(() => {
      if (part === "list") return list(context, opened, flags);
      if (part === "show") return show(context, opened, run, flags);
      if (part === "resume") return resume(context, root, opened, run.id, flags);
      return part === "cancel"
        ? cancel(context, opened, run, flags)
        : prune(context, opened, flags);
    });
  } finally {
    await opened.store.close();
  }
}

/** Errors of a store are the user's to mend. */
async function orStoreFailure(work: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RunStoreError || error instanceof RunHeld)
      throw CommandFailure.input(error.message, error.help);
    throw error;
  }
}

const defaultLimit = 20;

async function list(
  context: CommandContext,
  { store }: OpenRuns,
  { json, limit = defaultLimit, state, tenant, tool }: RunsFlags,
): Promise<ExitCode> {
  const found: RunSummary[] = [];
  const filter = {
    ...(tenant !== undefined && { tenant }),
    ...(tool !== undefined && { tool }),
    ...(state !== undefined && { state }),
  };
  let failure: unknown;
  try {
    for await (const each of store.list(filter)) {
      found.push(each);
      // One more than shown tells whether there are more.
      if (found.length > limit) break;
    }
  } catch (error) {
    // A run that can't be read comes after all others.
    if (found.length === 0) throw error;
    failure = error;
  }
  const shown = found.slice(0, limit);
  const hasMore = found.length > limit;
  if (json === true) printJson(context.io.stdout, { runs: shown.map(summaryJson), more: hasMore });
  else context.io.stdout.write(`${renderRunList(shown, hasMore, styleOf(context))}\n`);
  if (failure !== undefined) throw failure;
  return exitCode.fine;
}

function summaryJson({ run, ...others }: RunSummary) {
  return { ...run, ...others };
}

async function show(
  context: CommandContext,
  opened: OpenRuns,
  run: RunId,
  { json, values }: RunsFlags,
): Promise<ExitCode> {
  const found = await opened.store.read(run);
  if (found === undefined) throw await noRun(opened, run);
  if (json === true) printJson(context.io.stdout, runJson(found, values === true));
  else context.io.stdout.write(`${renderRun(found, values === true, styleOf(context))}\n`);
  return exitCode.fine;
}

function runJson(found: KeptRun, withValues: boolean) {
  const { beginning, begunAt, run } = found;
  const { driver, params, subject, tool, trace } = beginning;
  const end = found.events.findLast((each) => each.type === "ended");
  return {
    ...run,
    tool,
    subject,
    trace,
    ...(driver !== undefined && { driver }),
    ...stateOfRun(found),
    begunAt,
    ...(withValues && { params }),
    steps: stepsOf(found).map(({ result, ...step }) => ({
      ...step,
      ...(withValues && result !== undefined && { result }),
    })),
    accepted: acceptedChanges(found),
    ...(withValues && end?.result !== undefined && { result: end.result }),
  };
}

async function cancel(
  context: CommandContext,
  opened: OpenRuns,
  run: RunId,
  { json }: RunsFlags,
): Promise<ExitCode> {
  const held = await opened.store.hold(run);
  if (held === undefined) throw await noRun(opened, run);
  try {
    const { state, status = "" } = stateOfRun(held);
    if (state === "ended")
      throw CommandFailure.input(
        `the run ${quoted(run.id)} has ended as ${quoted(status)}`,
        "there is nothing to cancel",
      );
    await held.append({ type: "ended", status: "cancelled" });
    for (const { call = "", key } of stepsOf(held).filter((each) => each.state === "begun"))
      note(context, `the step ${quoted(key)} was not answered: \`skillc ledger show ${call}\``);
  } finally {
    await held.release();
  }
  if (json === true) printJson(context.io.stdout, { ...run, state: "ended", status: "cancelled" });
  else print(context, `cancelled the run ${quoted(run.id)}`);
  return exitCode.fine;
}

async function prune(
  context: CommandContext,
  { store }: OpenRuns,
  { before = "", dryRun, json }: RunsFlags,
): Promise<ExitCode> {
  const time = new Date(timeOption(before));
  if (Number.isNaN(time.getTime()))
    throw CommandFailure.usage(
      `\`--before\` is not a time: ${printable(before, 80)}`,
      `write ${timeForm}`,
    );
  const removed = dryRun === true ? await endedBefore(store, time) : await store.prune(time);
  if (json === true) printJson(context.io.stdout, { removed, dryRun: dryRun === true });
  else
    print(
      context,
      `${dryRun === true ? "would remove" : "removed"} ${formatCount(removed, "run")}`,
    );
  return exitCode.fine;
}

async function endedBefore(store: RunStore, time: Date): Promise<number> {
  let count = 0;
  for await (const { changedAt } of store.list({ state: "ended" }))
    if (changedAt < time.toISOString()) count += 1;
  return count;
}

async function migrate(context: CommandContext, root: string, flags: RunsFlags): Promise<ExitCode> {
  const database = await databaseOfRuns(root, flags, context.io.env);
  if (database === undefined)
    throw CommandFailure.usage(
      "nothing to migrate: this project keeps its runs in a folder",
      "name the database: `runs: ${RUNS_URL}` in skillc.yaml",
    );
  const { name, ...place } = database;
  const { migrateRuns } = await import("@skillc/runtime/runs/postgres");
  const { after, before } = await orWrongOption(() => migrateRuns(place));
  if (flags.json === true) printJson(context.io.stdout, { before, after });
  else
    print(
      context,
      before === after
        ? `nothing to do: the tables of runs of \`${name}\` are of version ${after}`
        : `migrated the tables of runs of \`${name}\` from version ${before} to ${after}`,
    );
  return exitCode.fine;
}

function styleOf({ io }: CommandContext): ConsoleStyle {
  return { color: wantsColour(io.stdout, io.env), width: widthOf(io.stdout) };
}
