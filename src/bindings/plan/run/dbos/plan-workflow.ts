/** Registers a plan as a workflow of DBOS, and begins its runs. */
import { DBOS, type WorkflowHandle } from "@dbos-inc/dbos-sdk";
import type { Call } from "../../../../runtime/call/call.js";
import { callError } from "../../../../runtime/call/call-error.js";
import type { CallOptions } from "../../../../runtime/call/call-options.js";
import { validCall } from "../../../../runtime/call/preflight.js";
import type { Caller } from "../../../../runtime/caller.js";
import { ToolError } from "../../../../runtime/errors.js";
import type { AnyResult } from "../../../../runtime/result.js";
import { beginRun } from "../../../../runtime/runs/journal.js";
import type { Manifests } from "../../../../runtime/runs/manifests.js";
import { defaultRuntime, type Runtime } from "../../../../runtime/runtime.js";
import { optional } from "../optional.js";
import { type Decision, type PlanWorkflowEnd, topic, WorkflowRun } from "./workflow-run.js";

/** A generated function of a plan. */
type Plan<Params, Result extends AnyResult> = (
  params: Params,
  options?: CallOptions,
) => Promise<Result>;

/** Options of `planWorkflow`. */
export interface PlanWorkflowOptions {
  /** Id of the plan: `skill/tool`. It is the name of the workflow in DBOS. */
  readonly name: string;
  /** Runtime of the steps, with a store of runs; by default the one of `configure`. */
  readonly runtime?: Runtime;
  /**
   * Returns the caller of the steps, for the tenant and the subject that began a run. The caller can
   * have the scopes of the present time. By default, it has no scopes and no roles.
   */
  readonly caller?: (owner: Pick<Caller, "subject" | "tenant">) => Caller | Promise<Caller>;
  /** Interval at which a suspended run asks for accepted work, in seconds; 60 by default. */
  readonly pollSeconds?: number;
  /**
   * Maximum number of recoveries before DBOS gives a workflow up; 100 by default. Each restart of a
   * process recovers the workflows that wait for a person.
   */
  readonly maxRecoveryAttempts?: number;
  /** Maximum time to wait for DBOS's database in `start`, in milliseconds; 30,000 by default. */
  readonly startTimeoutMs?: number;
}

/** Options of `goOn`. DBOS stores the texts as they are. */
export interface GoOnOptions extends Decision {
  /** Maximum time to wait for DBOS's database, in milliseconds; 30,000 by default. */
  readonly timeoutMs?: number;
}

/** Options of `PlanWorkflow.start`. */
export interface StartPlanOptions extends Pick<CallOptions, "caller" | "files" | "trace"> {
  /**
   * Id of the workflow and of the run: 1 to 200 characters. Another call with the same id, plan,
   * parameters and caller starts nothing, and returns the same workflow. Random by default.
   */
  readonly workflowID?: string;
  /** Queue of DBOS. By default, the workflow begins at once in this process. */
  readonly queueName?: string;
  /** Options of the queue, such as a priority. */
  readonly enqueueOptions?: EnqueueOptions;
  /** Time after which DBOS cancels the workflow, in milliseconds. */
  readonly timeoutMS?: number | null;
}

type EnqueueOptions = NonNullable<
  NonNullable<Parameters<typeof DBOS.startWorkflow>[1]>["enqueueOptions"]
>;

/** A plan that DBOS runs. */
export interface PlanWorkflow<Params> {
  /**
   * Stores the parameters in the run, encrypted, and starts the workflow.
   *
   * @throws ToolError if the parameters are not valid; `PLAN.RUN_TAKEN` if the id is another run's;
   * `PLAN.RUN_UNAVAILABLE` if the store of runs or DBOS's database can't be reached
   */
  start(params: Params, options?: StartPlanOptions): Promise<WorkflowHandle<PlanWorkflowEnd>>;
}

const usualPollSeconds = 60;
const usualTimeoutMs = 30_000;

/**
 * Registers a plan with DBOS. Call it before `DBOS.launch`, in every process that may run the plan.
 *
 * @param plan the generated function
 */
export function planWorkflow<Params, Result extends AnyResult>(
  plan: Plan<Params, Result>,
  options: PlanWorkflowOptions,
): PlanWorkflow<Params> {
  const { name, pollSeconds = usualPollSeconds, startTimeoutMs = usualTimeoutMs } = options;
  const { caller = (owner) => owner } = options;
  const runtimeOf = (): Runtime => options.runtime ?? defaultRuntime();
  const workflow = DBOS.registerWorkflow(
    (tenant: string | null): Promise<PlanWorkflowEnd> => {
      // Every workflow has an id.
      const id = DBOS.workflowID ?? "";
      const driven = {
        tool: plan as Plan<never, Result>,
        runtime: runtimeOf(),
        caller,
        pollSeconds,
      };
      return new WorkflowRun(driven, id, tenant ?? undefined).toEnd();
    },
    { name, ...optional("maxRecoveryAttempts", options.maxRecoveryAttempts) },
  );
  return {
    async start(params, { caller: starter, files, trace, workflowID: id, ...dbos } = {}) {
      // In a workflow, the id must be the same when DBOS recovers it.
      const workflowID = id ?? (await DBOS.randomUUID());
      const given = { ...optional("caller", starter), ...optional("files", files) };
      const call = await validCall(plan, params, {
        ...given,
        ...optional("trace", trace),
        runtime: runtimeOf(),
        run: workflowID,
      });
      requireName(call, name);
      await beginRun(call, manifestsOf(call), { name: "dbos", workflow: workflowID });
      const tenant = call.caller?.tenant ?? null;
      const start = async (): Promise<WorkflowHandle<PlanWorkflowEnd>> => {
        const handle = await DBOS.startWorkflow(workflow, { workflowID, ...dbos })(tenant);
        await requireOwn(call, handle, name, tenant);
        return handle;
      };
      return inTime(start(), startTimeoutMs, (cause) => unavailable(call, workflowID, cause));
    },
  };
}

/**
 * Lets a waiting workflow go on. Before, a person has approved the call of a step, settled a call whose
 * outcome is unknown, or accepted changed tools.
 *
 * @throws ToolError `PLAN.RUN_UNAVAILABLE` if DBOS's database can't be reached
 * @throws DBOSNonExistentWorkflowError if there is no such workflow
 */
export async function goOn(
  workflowID: string,
  { timeoutMs = usualTimeoutMs, ...decision }: GoOnOptions = {},
): Promise<void> {
  const call = { toolId: "", attempts: 0 };
  await inTime(DBOS.send<Decision>(workflowID, decision, topic), timeoutMs, (cause) =>
    unavailable(call, workflowID, cause),
  );
}

/** @throws TypeError if the workflow has the name of another tool */
function requireName({ toolId }: Call, name: string): void {
  if (toolId === name) return;
  throw new TypeError(`\`name\` of \`planWorkflow\` must be the id of the plan, \`${toolId}\``);
}

/** Returns the fingerprints of the tools of the plan's steps. */
function manifestsOf({ tool }: Call): Manifests {
  const steps = tool.binding.plan?.steps ?? [];
  return Object.fromEntries(
    steps.flatMap(({ id, manifest }) => (manifest === undefined ? [] : [[id, manifest]])),
  );
}

/**
 * Each tenant has its own runs, but an id names one workflow of DBOS.
 *
 * @throws ToolError if the workflow with this id is not the run's
 */
async function requireOwn(
  call: Call,
  handle: WorkflowHandle<PlanWorkflowEnd>,
  name: string,
  tenant: string | null,
): Promise<void> {
  const status = await handle.getStatus();
  if (status?.workflowName === name && (status.input?.[0] ?? null) === tenant) return;
  throw callError(
    call,
    { code: "PLAN.RUN_TAKEN", run: handle.workflowID },
    `the id \`${handle.workflowID}\` belongs to another workflow of DBOS`,
  );
}

function unavailable(
  call: Pick<Call, "attempts" | "toolId">,
  run: string,
  cause?: unknown,
): ToolError {
  return callError(
    call,
    { code: "PLAN.RUN_UNAVAILABLE", run, reason: "driver" },
    `the run \`${run}\` can't go on: DBOS has not reached its database in time. It may still do so: repeat the call with the same id`,
    { outcome: "not-done", ...optional("cause", cause) },
  );
}

/**
 * Waits for DBOS. DBOS itself waits for its database without a limit.
 *
 * @param away makes the error for a database that can't be reached, or not in time
 */
async function inTime<Value>(
  work: Promise<Value>,
  timeoutMs: number,
  away: (cause?: unknown) => ToolError,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(away()), timeoutMs);
  });
  // Nobody waits for it after the limit.
  work.catch(() => {});
  try {
    return await Promise.race([work, limit]);
  } catch (error) {
    const isOwn =
      error instanceof ToolError || (error instanceof Error && "dbosErrorCode" in error);
    throw isOwn ? error : away(error);
  } finally {
    clearTimeout(timer);
  }
}
