/** Data that the files about linking share: the plan that is being linked, and its steps so far. */
import type { UnratedDiagnostic } from "../../../core/diagnostic.js";
import { listed, quote } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { ToolModel } from "../../../core/skill-model.js";
import type { ToolAnswers } from "../../../kit/answers.js";
import type { ProjectTool, ProjectTools } from "../../../kit/project-tools.js";
import { didYouMean } from "../../../schema/suggestion.js";
import type { PathOrigin } from "../../../kit/sources/follow-path.js";
import type { PathValue, PlanConfig, StepModel } from "./model.js";

export interface Linking {
  readonly tool: ToolModel;
  readonly config: PlanConfig;
  readonly tools: ProjectTools;
  readonly report: Report;
  /** Steps with known tools so far, by id. */
  readonly steps: Map<string, KnownStep>;
}

/** A step whose tool is known. */
export interface KnownStep {
  readonly step: StepModel;
  readonly index: number;
  readonly found: ProjectTool;
  readonly answers: ToolAnswers;
  /** Statuses without data after which the plan ends. */
  readonly stops: readonly string[];
  /**
   * `absent`: a reader needs a fallback, because the step may leave no output. `skipped`: a reader
   * without a fallback is skipped together with the step.
   */
  readonly without: "absent" | "skipped" | undefined;
  isUsed: boolean;
}

/** Checks if a step stands above the reader. */
export function isAbove(id: string, { linking, step }: Reader): boolean {
  const { steps } = linking.config;
  const own = step === undefined ? steps.length : steps.indexOf(step);
  return steps.findIndex((each) => each.id === id) < own;
}

export function noStep(
  id: string,
  span: PathValue["span"],
  { steps }: PlanConfig,
): UnratedDiagnostic {
  const ids = steps.map((each) => each.id);
  const near = didYouMean(id, ids);
  return {
    code: "plan/unknown-step",
    span,
    message: `the plan has no step ${quote(id)}`,
    help: near ?? `its steps are ${listed(ids.map(quote))}`,
  };
}

export function forward(id: string, span: PathValue["span"]): UnratedDiagnostic {
  return {
    code: "plan/forward-reference",
    span,
    message: `step ${quote(id)} does not end before this one begins: a step uses only steps above it`,
    help: "move this step below it",
  };
}

/** Reader of a source. */
export interface Reader {
  /** The step that reads; absent for the output of the plan. */
  readonly step?: StepModel;
  readonly item?: PathOrigin | undefined;
  readonly linking: Linking;
}
