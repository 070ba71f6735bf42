/** How a step of a plan can end, and what its end means for the plan. */
import { ToolError } from "../../../runtime/errors.js";
import type { DataPath } from "../../../runtime/json/data-path.js";
import type { JsonValue } from "../../../runtime/json/json.js";
import type { AnyResult } from "../../../runtime/result.js";
import type { KeptError } from "../../../runtime/runs/store.js";
import type { OnStatus, PlanStep, RecordedStep, ShadowedPlan } from "./contract.js";
import { optional } from "./optional.js";

/** How a step, or one call of a loop, has ended. */
export type End =
  | { readonly type: "output"; readonly data: unknown; readonly changed: readonly DataPath[] }
  /** Without an output: its `when` was false, or its `on` said `continue`. */
  | { readonly type: "absent" }
  /** Not made. `by` is the end of the step that its `on` skips. */
  | { readonly type: "skipped"; readonly by?: Final }
  /** In shadow mode. `blocked` names a step that needs the answer of a recorded write. */
  | {
      readonly type: "recorded";
      readonly steps: readonly RecordedStep[];
      readonly blocked?: string;
    }
  | Final;

/** An end that ends the plan too. */
export type Final =
  | { readonly type: "stopped"; readonly result: AnyResult }
  | { readonly type: "failed"; readonly error: unknown };

export const absent: End = { type: "absent" };
export function isFinal(end: End): end is Final {
  return end.type === "stopped" || end.type === "failed";
}

export function onOf({ on }: PlanStep<never>, status: string): OnStatus {
  return Object.hasOwn(on, status) ? (on[status] ?? "stop") : "stop";
}

export function ended(on: OnStatus, final: Final): End {
  if (on === "stop") return final;
  return on === "continue" ? absent : { type: "skipped", by: final };
}

/** Returns whether a failure ends the plan, whatever `on.error` says. */
export function endsPlan({ failure }: ToolError): boolean {
  if (failure.code === "UNKNOWN.INTERNAL")
    return failure.reason === "aborted" || failure.reason === "bug";
  return failure.code === "AUTH.APPROVAL_REQUIRED" || "run" in failure;
}

/** Joins the ends of a loop's calls. The first one that ends the plan decides. */
export function endOfLoop(ends: readonly (End | undefined)[]): End | undefined {
  const final = ends.find((end) => end !== undefined && isFinal(end));
  if (final !== undefined) return final;
  if (ends.includes(undefined)) return undefined;
  const all = ends as readonly End[];
  const shadowed = all.filter((end) => end.type === "recorded");
  const blocked = shadowed.find((end) => end.blocked !== undefined)?.blocked;
  if (shadowed.length > 0)
    return {
      type: "recorded",
      steps: shadowed.flatMap(({ steps }) => steps),
      ...optional("blocked", blocked),
    };
  const data: unknown[] = [];
  const changed: DataPath[] = [];
  for (const end of all) {
    if (end.type === "skipped") continue;
    if (end.type === "output")
      for (const place of end.changed) changed.push([data.length, ...place]);
    data.push(end.type === "output" ? end.data : null);
  }
  return { type: "output", data, changed };
}

/** The answer to a write in shadow mode: of a tool, or of a plan. */
type Recorded = { readonly status: "shadow" } & (
  { readonly request: JsonValue } | Pick<ShadowedPlan, "step" | "steps">
);

export function isRecorded(result: AnyResult): result is Recorded {
  return result.status === "shadow" && ("request" in result || "steps" in result);
}

export function recordedEnd({ toolId }: PlanStep<never>, key: string, result: Recorded): End {
  if ("request" in result)
    return { type: "recorded", steps: [{ step: key, tool: toolId, request: result.request }] };
  const steps = result.steps.map((each) => ({ ...each, step: `${key}.${each.step}` }));
  const blocked = result.step === undefined ? undefined : `${key}.${result.step}`;
  return { type: "recorded", steps, ...optional("blocked", blocked) };
}

/** Returns whether one path leads to the value of the other, or into it. `*` is every item. */
export function overlaps(path: DataPath, other: DataPath): boolean {
  return path.every((step, depth) => {
    const at = other[depth];
    return at === undefined || step === at || step === "*" || at === "*";
  });
}

export function keptError({ attempts, failure, message, outcome, tool }: KeptError): ToolError {
  return new ToolError(tool, failure, message, { attempts, outcome });
}
