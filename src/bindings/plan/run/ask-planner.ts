/** Lets a planner find parameters that no source gives. */
import { abortedError, callError } from "../../../runtime/call/call-error.js";
import type { Call } from "../../../runtime/call/call.js";
import {
  type AskedParameters,
  type InferredParameters,
  type ParameterPlanner,
  PlannerError,
  type PlannerProblem,
  type PlanState,
  type TokenCount,
} from "../../../runtime/planner.js";
import type { InferredValues, PlanStep } from "./contract.js";
import type { End } from "./ends.js";

/** Facts about a plan that was made at run time. */
export interface MadePlanFacts {
  readonly goal?: string | undefined;
  readonly control: PlanState["control"];
  /** Finds parameters; by default the runtime's planner. */
  readonly planner?: ParameterPlanner | undefined;
  readonly observer: PlanObserver;
}

/** Gets the events of a plan. */
export interface PlanObserver {
  /** A step is about to be made, or its stored answer is about to be taken. The step waits for it. */
  stepBegins(step: PlanStep<never>): Promise<void>;
  stepEnds(step: PlanStep<never>, end: End): void;
  /** A planner has found parameters of a call, or could not. */
  inferred(key: string, names: readonly string[], outcome: InferenceOutcome): void;
}

/** Tokens of a request for parameters, and the reason if it failed. */
export interface InferenceOutcome {
  readonly tokens: TokenCount;
  readonly problem?: PlannerProblem;
}

const noTokens: TokenCount = { input: 0, output: 0 };

/** Values of no parameter. A parameter may have the name of a property that every object has. */
export const noValues: InferredValues = askedValues([], {});

/** Returns the values of these parameters, so that a planner gives no others. */
export function askedValues(names: readonly string[], values: InferredValues): InferredValues {
  const given = names.filter((name) => Object.hasOwn(values, name));
  const own = Object.fromEntries(given.map((name) => [name, values[name]]));
  return Object.assign(Object.create(null) as object, own);
}

/**
 * Asks the planner of the plan, or of the runtime.
 *
 * @throws ToolError `PLAN.NOT_INFERRED` if there is no planner, or it finds nothing
 */
export async function askPlanner(
  call: Call,
  asked: AskedParameters,
  made: MadePlanFacts | undefined,
): Promise<InferredParameters> {
  const planner = made?.planner ?? call.runtime.planner;
  const { parameters, step } = asked;
  const names = parameters.map((name) => `\`${name}\``).join(", ");
  const facts = { code: "PLAN.NOT_INFERRED", step, parameters } as const;
  const what = `the step \`${step}\` of \`${call.toolId}\` was not made: a planner should find ${names}`;
  if (planner === undefined)
    throw callError(
      call,
      { ...facts, reason: "no-planner" },
      `${what}, and the runtime has none: pass one to \`createRuntime({ planner })\``,
    );
  try {
    const inferred = checked(await planner.inferParameters(asked));
    const { problem, tokens } = inferred;
    made?.observer.inferred(step, parameters, { tokens, ...(problem && { problem }) });
    return inferred;
  } catch (cause) {
    if (asked.signal.aborted) throw abortedError(call);
    const isKnown = cause instanceof PlannerError;
    const problem = isKnown ? cause.problem : "failed";
    const tokens = isKnown ? cause.tokens : noTokens;
    made?.observer.inferred(step, parameters, { tokens, problem });
    const why = isKnown ? cause.message : "the planner failed";
    throw callError(call, { ...facts, reason: "planner", problem }, `${what}, but ${why}`, {
      cause,
    });
  }
}

/** @throws PlannerError if a planner that somebody wrote answers otherwise than its type says */
function checked(inferred: InferredParameters | undefined): InferredParameters {
  const { tokens, values } = inferred ?? {};
  const areCounts = Number.isFinite(tokens?.input) && Number.isFinite(tokens?.output);
  if (inferred === undefined || typeof values !== "object" || values === null || !areCounts)
    throw new PlannerError("wrong-form", "the planner's answer has no `values`, or no `tokens`");
  return inferred;
}
