/** The syntax of the sources of a plan's parameters. */
import { quote, shown } from "../../core/names.js";
import type { PathStep } from "../../core/value-path.js";
import { stepsOfPath } from "./path-steps.js";

/** A path as its author means it. */
export interface SourcePath {
  /** Text of the path, for messages. */
  readonly text: string;
  readonly root: SourceRoot;
  /** Steps below the root. */
  readonly steps: readonly PathStep[];
}

/** `params`: below the plan's parameters; `output`: below the output of a step. */
export type SourceRoot =
  | { readonly from: "params" | "item" | "caller" }
  | { readonly from: "output"; readonly step: string };

/** The reason why a text is no path, and help. */
export interface PathProblem {
  readonly code: "plan/bad-path" | "plan/no-state";
  readonly message: string;
  readonly help: string;
}

/** Confidence below which a source is not used, if its plan sets no other threshold. */
export const usualThreshold = 0.7;

/** Checks if the first segment of a path stands for something else than a parameter. */
export function isReservedName(name: string): boolean {
  return name.startsWith("step_") || ["item", "state", "caller"].includes(name);
}

/**
 * Reads a path: `query`, `query.name`, `step_1.output.items[0].id`, `step_1.output.items[*].id`,
 * `item.id`, `caller.tenant`, `state.inputs.query`, `state.steps.1.output.id`.
 */
export function readPath(text: string): SourcePath | PathProblem {
  const segments = stepsOfPath(text);
  if (segments === undefined) return notAPath(text);
  const [first, ...rest] = segments;
  if (typeof first !== "string") return notAPath(text);
  if (first === "state") return statePath(text, rest);
  if (first === "item" || first === "caller") return pathOf(text, { from: first }, rest);
  const step = /^step_(.+)$/.exec(first)?.[1];
  if (step !== undefined) return outputPath(text, step, rest, `${first}.output`);
  return pathOf(text, { from: "params" }, segments);
}

function pathOf(text: string, root: SourceRoot, steps: readonly PathStep[]): SourcePath {
  return { text, root, steps };
}

function outputPath(
  text: string,
  step: string,
  [output, ...steps]: readonly PathStep[],
  written: string,
): SourcePath | PathProblem {
  if (output === "output") return pathOf(text, { from: "output", step }, steps);
  return {
    code: "plan/bad-path",
    message: `${quote(text)} names a step, but not its output`,
    help: `write ${quote([written, ...steps.filter((each) => typeof each === "string")].join("."))}`,
  };
}

/** The state of the plan: its inputs, and its steps. */
function statePath(text: string, [area, ...rest]: readonly PathStep[]): SourcePath | PathProblem {
  const [name, ...steps] = rest;
  if (area === "inputs" && typeof name === "string") return pathOf(text, { from: "params" }, rest);
  if (area === "steps" && (typeof name === "string" || typeof name === "number"))
    return outputPath(text, String(name), steps, `state.steps.${name}.output`);
  return {
    code: "plan/no-state",
    message: `${quote(text)} names a state that the plan does not have: its state holds its inputs and the outputs of its steps`,
    help: "write `state.inputs.PARAMETER` or `state.steps.ID.output`",
  };
}

function notAPath(text: string): PathProblem {
  const isQuoted = /[{}$]/.test(text);
  return {
    code: "plan/bad-path",
    message: `${quote(text)} is not a path`,
    help: isQuoted
      ? `write the path without braces, such as \`step_1.output.id\`; for fixed text, \`{ source_type: literal, default_value: ${shown(text)} }\``
      : "write names with dots between them, `[0]` for an item of a list, or `[*]` for every item: `step_1.output.items[*].id`; for fixed text, `{ source_type: literal, default_value: … }`",
  };
}
