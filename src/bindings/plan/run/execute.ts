/** Makes the binding of a plan. `execution.ts` runs the steps of one call. */
import { callError } from "../../../runtime/call/call-error.js";
import type { Call } from "../../../runtime/call/call.js";
import { innerCallOf, outerCallOf } from "../../../runtime/call/inner-call.js";
import { isShadowed } from "../../../runtime/call/steps/shadow.js";
import { ToolError, withOutcome, type WriteOutcome } from "../../../runtime/errors.js";
import type { JsonValue } from "../../../runtime/json/json.js";
import type { AnyResult } from "../../../runtime/result.js";
import { isSuspended, openRun, type RunJournal } from "../../../runtime/runs/journal.js";
import type { Attempt, AttemptOutcome } from "../../../runtime/call/attempt.js";
import type { Binding, PreparedCall } from "../../../runtime/call/binding.js";
import { plannerReach } from "../../../runtime/reach.js";
import type { PlanContract } from "./contract.js";
import { driverOf } from "./driver.js";
import { Execution } from "./execution.js";

/**
 * Makes the binding of a plan from its contract.
 *
 * @typeParam Sources parameters, caller and outputs of steps, as the contract's functions read them
 * @typeParam Data data of a success
 * @typeParam Result the plan's result. Only the compiler ensures that the stops of steps have this
 * type. If left out, the binding fits any tool.
 */
export function plan<Arguments, Sources, Data, Result extends AnyResult = never>(
  contract: PlanContract<Sources, Data>,
): Binding<Arguments, Result> {
  const { facts, innerSteps = [], steps } = contract;
  const isAsking = steps.some(({ infer }) => infer !== undefined);
  return {
    kind: "plan",
    // Each step has a limit of its own.
    timeoutMs: 0,
    plan: { steps: [...steps, ...innerSteps], facts },
    prepare(args, { toolId }) {
      const prepared: PreparedCall<AnyResult> = {
        credentials: [],
        reach: () => (isAsking ? [plannerReach(toolId)] : []),
        // The validator accepted the arguments.
        describe: () => ({ plan: toolId, parameters: args as JsonValue }),
        send: (attempt) => execute(contract, args, attempt),
      };
      // Safe for the reason given at `@typeParam Result`.
      return prepared as PreparedCall<Result>;
    },
  };
}

/** Runs a plan once. In a run that is kept, it goes on where an earlier call has ended. */
async function execute<Sources, Data>(
  contract: PlanContract<Sources, Data>,
  args: unknown,
  attempt: Attempt,
): Promise<AttemptOutcome<AnyResult>> {
  const call = outerCallOf(attempt);
  const inner = innerCallOf(call.options);
  const isKept = call.options.run != null && !isShadowed(call);
  const driver = isKept ? driverOf(call.options) : undefined;
  const own = isKept ? await openRun(call, manifestsOf(contract), driver?.run) : undefined;
  try {
    if (own?.answer !== undefined) return { result: own.answer };
    requirePlanner(contract, call);
    const execution = new Execution(contract, args, {
      call,
      attempt,
      run: own ?? inner?.run,
      driver,
      path: inner === undefined ? "" : `${inner.path}.`,
    });
    const ended = await execution.run();
    const { result } = ended;
    if (own !== undefined) await storeEnd(own, result, execution.outcome);
    inner?.changed.push(...execution.changedOutput());
    return ended;
  } finally {
    await own?.release();
  }
}

/**
 * @throws ToolError `PLAN.NOT_INFERRED` if the plan, or one of its steps, needs a planner, and the
 * runtime has none
 */
function requirePlanner(
  { facts, innerSteps = [], steps }: PlanContract<never, unknown>,
  call: Call,
): void {
  if (call.runtime.planner !== undefined) return;
  const asks = ({ toolId }: { readonly toolId: string }): boolean =>
    plannerReach(toolId).capabilities.some((each) => facts.capabilities.includes(each));
  const step =
    steps.find(({ infer }) => infer !== undefined) ?? [...steps, ...innerSteps].find(asks);
  if (step === undefined) return;
  const plan = "infer" in step ? call.toolId : step.toolId;
  throw callError(
    call,
    { code: "PLAN.NOT_INFERRED", step: step.id, parameters: [], reason: "no-planner" },
    `\`${call.toolId}\` can't be called here: the plan \`${plan}\` says \`planner: true\`, and the runtime has no planner. Pass one to \`createRuntime({ planner })\``,
    { outcome: "not-done" },
  );
}

/** @param outcome outcome of the plan, if its answer can't be stored */
async function storeEnd(run: RunJournal, result: AnyResult, outcome: WriteOutcome): Promise<void> {
  try {
    await (isSuspended(result, run.id)
      ? run.suspend(result.step, result.request)
      : run.end(result));
  } catch (error) {
    throw error instanceof ToolError ? withOutcome(error, outcome) : error;
  }
}

function manifestsOf({ steps }: PlanContract<never, unknown>): { readonly [id: string]: string } {
  return Object.fromEntries(steps.map(({ id, manifest }) => [id, manifest]));
}
