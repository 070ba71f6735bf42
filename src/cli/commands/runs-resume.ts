/** `skillc runs resume`: goes on with a run of a plan, as an application would. */
import { type Caller, createRuntime, resumeRun } from "@skillc/runtime";
import {
  changedSteps,
  type Manifests,
  obligationKinds,
  pinnedManifests,
  stepsOfPlan,
  whyNoName,
} from "@skillc/runtime/internal";
import { type KeptRun, stateOfRun } from "@skillc/runtime/runs";
import type { ProjectPolicy } from "@skillc/runtime/governance";
import type { CommandContext } from "../command-context.js";
import { quotedForShell } from "../console/quoted-for-shell.js";
import { visible } from "../console/visible.js";
import { getOwn } from "../../core/json.js";
import { CommandFailure, type ExitCode } from "../exit.js";
import { openDatabaseLedger } from "../ledger/open-ledger.js";
import { governanceOf, tellNoStore } from "../project/project-governance.js";
import { readSettings } from "../project/read-settings.js";
import { acceptedText, type AcceptFlags, requireReason } from "../runs/accept-changes.js";
import type { OpenRuns } from "../runs/open-runs.js";
import { allTools, type GeneratedTool } from "./generated-tools.js";
import { callerOption, callInProject, loadCall, type LoadedCall } from "./project-call.js";
import { note, noRun, quoted } from "./runs-console.js";

/** Flags of `skillc runs resume`; absent by default. */
export interface ResumeFlags extends AcceptFlags {
  readonly tenant?: string;
  readonly approval?: string;
  /** A `Caller` as JSON. */
  readonly caller?: string;
  /** Path of a module that exports `handlers`. */
  readonly handlers?: string;
  readonly json?: true;
}

/**
 * Goes on with a run, and prints the plan's answer.
 *
 * @param root the project's folder
 */
export async function resume(
  context: CommandContext,
  root: string,
  opened: OpenRuns,
  id: string,
  flags: ResumeFlags,
): Promise<ExitCode> {
  requireReason(flags);
  const caller = callerOf(flags);
  const run = { id, ...(caller.tenant !== undefined && { tenant: caller.tenant }) };
  const kept = await opened.store.read(run);
  if (kept === undefined) throw await noRun(opened, run);
  requireSubject(kept, caller);
  const settings = await readSettings(root);
  const isEnded = stateOfRun(kept).state === "ended";
  if (!isEnded) requireNoDriver(kept);
  const tool = planOf(kept, allTools(root, settings.out), settings.out);
  const loaded = await loadCall(context, { root, tool, ...flags });
  const steps = await stepsOf(root, tool, loaded);
  const forced = await forcedText(context, root, { kept, isEnded, steps }, flags);
  const { handlers, kept: modules, shared } = loaded;
  const ledger = (await openDatabaseLedger(root, {}, context.io.env))?.store;
  const governed = await governanceOf(context, { root, settings, shared, kept: modules });
  if (governed?.isShared === false) tellNoStore(context);
  const project = {
    root,
    handlers,
    governed,
    runs: opened.store,
    isJson: flags.json === true,
    ...(ledger && { ledger }),
  };
  // Models know a tool by its skill and its name.
  const tools = { [tool.id.replace("/", "__")]: async () => loaded.run };
  const { approval } = flags;
  return callInProject(context, project, (runtime) => {
    if (!isEnded && governed !== undefined)
      requireNoKey(governed.governance.policy, [tool.id, ...steps.map(({ toolId }) => toolId)]);
    const options = {
      ...(approval !== undefined && { approval }),
      ...(forced !== undefined && { forced }),
    };
    return resumeRun(tools, id, { runtime, caller, ...options });
  });
}

/** @throws CommandFailure if the options name no valid tenant, or two */
function callerOf({ caller: written, tenant }: ResumeFlags): Caller {
  const caller = written === undefined ? {} : callerOption(written);
  if (tenant === undefined) return caller;
  if (caller.tenant !== undefined && caller.tenant !== tenant)
    throw CommandFailure.usage(
      `\`--tenant\` is ${quoted(tenant)}, but the tenant of \`--caller\` is ${quoted(caller.tenant)}`,
      "leave out `--tenant`",
    );
  const why = whyNoName(tenant);
  if (why === undefined) return { ...caller, tenant };
  throw CommandFailure.usage(`no caller can have the tenant of \`--tenant\`: the name ${why}`);
}

/** Names the subject of the run, which whoever may read the store knows anyway. */
function requireSubject({ beginning, run }: KeptRun, caller: Caller): void {
  const { subject } = beginning;
  if (subject === caller.subject) return;
  if (subject === undefined)
    throw CommandFailure.input(
      `the run ${quoted(run.id)} has no subject, but \`--caller\` has one`,
      "leave the subject out of `--caller`",
    );
  const { tenant } = run;
  const json = JSON.stringify({ ...(tenant !== undefined && { tenant }), subject });
  throw CommandFailure.input(
    `the run ${quoted(run.id)} belongs to the subject ${quoted(subject)}, and nobody else may resume it`,
    `name that caller, if you may act for ${quoted(subject)}: --caller ${quotedForShell(json)}`,
  );
}

/** @throws CommandFailure if a planner, or a workflow of DBOS, makes the run go on */
function requireNoDriver({ beginning: { driver }, run }: KeptRun): void {
  if (driver === undefined) return;
  if (driver.name === "planner")
    throw CommandFailure.input(
      `the run ${quoted(run.id)} has a plan that was made at run time, and only \`runPlan\` makes it go on`,
      `call \`runPlan\` again with \`run: ${JSON.stringify(run.id)}\` in the application, as it began`,
    );
  throw CommandFailure.input(
    `the run ${quoted(run.id)} belongs to the workflow ${quoted(driver.workflow)} of DBOS, and only DBOS makes it go on`,
    "if the workflow waits, call `goOn` of `@skillc/runtime/dbos` in the application",
  );
}

function planOf(
  { beginning: { tool }, run }: KeptRun,
  tools: readonly GeneratedTool[],
  out: string,
): GeneratedTool {
  const found = tools.find(({ id }) => id === tool);
  if (found !== undefined) return found;
  throw CommandFailure.input(
    `the run ${quoted(run.id)} can't go on: its plan ${quoted(tool)} is not in \`${out}/\` any more`,
    "check out a revision that has the plan, and run the command there; or end the run with `skillc runs cancel`",
  );
}

type PlanSteps = NonNullable<Awaited<ReturnType<typeof stepsOfPlan>>>;

/** @throws CommandFailure if the tool is not a plan any more, or a handler stands in for it */
async function stepsOf(root: string, { id }: GeneratedTool, { handlers, run }: LoadedCall) {
  if (Object.hasOwn(handlers, id))
    throw CommandFailure.usage(
      `\`--handlers\` has a function for the plan ${quoted(id)}, but a run needs the plan itself`,
      "remove the function from the module",
    );
  const runtime = createRuntime({ directory: root, ledger: false });
  const steps = await stepsOfPlan(run, { runtime }).finally(() => runtime.close());
  if (steps !== undefined) return steps;
  throw CommandFailure.input(
    `the run can't go on: ${quoted(id)} is not a plan any more`,
    "check out a revision in which it is a plan, and run the command there; or end the run with `skillc runs cancel`",
  );
}

function fingerprintsOf(steps: PlanSteps): Manifests {
  return Object.fromEntries(
    steps.flatMap(({ id, manifest }) => (manifest === undefined ? [] : [[id, manifest]])),
  );
}

interface LoadedRun {
  readonly kept: KeptRun;
  readonly isEnded: boolean;
  /** Steps of the generated plan. */
  readonly steps: PlanSteps;
}

/** Returns the text with which the run accepts changed tools; undefined if it accepts none. */
async function forcedText(
  context: CommandContext,
  root: string,
  { isEnded, kept, steps }: LoadedRun,
  flags: AcceptFlags,
): Promise<string | undefined> {
  const pinned = pinnedManifests(kept);
  const generated = fingerprintsOf(steps);
  const changed = isEnded ? [] : changedSteps(pinned, generated);
  if (changed.length === 0) {
    const why = isEnded ? "the run has ended" : "no tool of the run's steps has changed";
    if (flags.was !== undefined || flags.force !== undefined)
      note(context, `${why}, so nothing had to be accepted`);
    return undefined;
  }
  const run = { plan: kept.beginning.tool, steps: changed, pinned, generated };
  const text = await acceptedText(context, root, run, flags);
  if (text !== undefined) note(context, `the run goes on with changed tools: ${visible(text)}`);
  return text;
}

/**
 * Rejects a plan that needs the key of the application's governance. With another key, nobody would
 * recognize that a keyed write is repeated, and a hash in an answer would not be the application's.
 *
 * @param ids ids of the plan and of the tools of its steps
 * @throws CommandFailure
 */
function requireNoKey({ obligations, tools }: ProjectPolicy, ids: readonly string[]): void {
  const found = ids.find(
    (id) =>
      getOwn(tools, id)?.idempotency === "keyed" ||
      obligations.some(
        (each) => each.tools.includes(id) && obligationKinds[each.action.do].needsKey === true,
      ),
  );
  if (found === undefined) return;
  throw CommandFailure.input(
    `the plan calls ${quoted(found)}, whose calls need the key that only the application's governance has`,
    "resume the run from the application, with `resumeRun`",
  );
}
