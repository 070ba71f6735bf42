import { ToolError, type ToolErrorCode } from "../../../../runtime/errors.js";
import { RunStoreError } from "../../../../runtime/runs/store.js";

/**
 * The error of a workflow whose plan failed. DBOS stores it unencrypted, so it quotes no message of a
 * tool: the ledger has the call. `DBOS.rewindWorkflow` lets the plan go on. Calls that were answered
 * are not repeated.
 */
export class PlanWorkflowError extends Error {
  override readonly name = "PlanWorkflowError";
  /** Code of the plan's `ToolError`. */
  readonly code: ToolErrorCode;
  /** Id of the run, and of the workflow. */
  readonly run: string;
  /** The step that failed; in a loop `STEP:INDEX`, inside a step that is a plan `STEP.STEP`. */
  readonly step: string | undefined;

  constructor(code: ToolErrorCode, run: string, message: string, step?: string) {
    super(message);
    this.code = code;
    this.run = run;
    this.step = step;
  }

  /** Makes the error for a plan that has thrown. */
  static of(error: unknown, run: string): PlanWorkflowError {
    if (!(error instanceof ToolError)) {
      const kind = error instanceof Error ? `: ${error.name}` : "";
      return new PlanWorkflowError("UNKNOWN.INTERNAL", run, `the run ${run} failed${kind}`);
    }
    const { code, step } = error;
    const where = step === undefined ? "" : ` at its step ${step}`;
    return new PlanWorkflowError(code, run, `the run ${run} failed${where}: ${code}`, step);
  }

  static ofStore(error: unknown, run: string): PlanWorkflowError {
    const problem = error instanceof RunStoreError ? `: ${error.problem}` : "";
    const message = `the run ${run} can't go on: the store of runs failed${problem}`;
    return new PlanWorkflowError("PLAN.RUN_UNAVAILABLE", run, message);
  }

  static noRun(run: string): PlanWorkflowError {
    const message = `there is no run ${run}: begin it with \`start\` of \`planWorkflow\``;
    return new PlanWorkflowError("PLAN.NO_RUN", run, message);
  }

  static lost(run: string, step: string): PlanWorkflowError {
    const message = `the run ${run} can't go on: DBOS knows that its step ${step} was answered, and the store of runs has no answer`;
    return new PlanWorkflowError("PLAN.RUN_UNAVAILABLE", run, message, step);
  }
}

/**
 * Returns whether an error is that of a workflow whose plan failed. Another process gets such an
 * error from DBOS as an object of another class.
 */
export function isPlanWorkflowError(error: unknown): error is PlanWorkflowError {
  return error instanceof Error && error.name === "PlanWorkflowError" && "code" in error;
}
