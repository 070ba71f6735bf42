import type { JsonValue } from "../../../core/json.js";
import type { LiteralValue } from "../../../core/value-path.js";
import type { CallGraph, GraphCall, GraphValue } from "../../../kit/call-graph.js";
import type {
  ConditionModel,
  GeneratedValue,
  LinkedStep,
  PathValue,
  PlanConfig,
  StepModel,
} from "./model.js";

/** Stands for a value that a planner finds. */
const planner = "the planner";

/** The calls of a linked plan. */
export function planGraph({ linked, output, steps }: PlanConfig): CallGraph {
  const calls = (linked?.steps ?? []).flatMap((each): readonly GraphCall[] => {
    const written = steps.find(({ id }) => id === each.id);
    return written === undefined ? [] : [callOf(each, written)];
  });
  return { calls, ...(output && { output: outputOf(output) }) };
}

function callOf({ after, effect, id, toolId }: LinkedStep, step: StepModel): GraphCall {
  const { bindings, list, on, when } = step;
  return {
    id,
    tool: toolId,
    effect,
    after,
    takes: [
      ...(when ? [{ name: "when", ...conditionOf(when) }] : []),
      ...(list ? [{ name: "for each", ...valueOf(list) }] : []),
      ...bindings.map(({ name, value }) => ({ name, ...valueOf(value) })),
    ],
    outcomes: Object.fromEntries(on.map(({ action, status }) => [status, action])),
  };
}

/** An object is drawn as one value: `{ id: step_order.output.id }`. */
function outputOf(output: NonNullable<PlanConfig["output"]>): GraphValue {
  if (output.kind === "path") return valueOf(output);
  const fields = output.fields.map(({ name, value }) => ({ name, ...valueOf(value) }));
  const steps = new Set(fields.flatMap(({ from }) => from ?? []));
  const [only] = steps;
  return {
    source: `{ ${fields.map(({ name, source }) => `${name}: ${source}`).join(", ")} }`,
    ...(steps.size === 1 && only !== undefined && { from: only }),
  };
}

function valueOf(value: LiteralValue | PathValue | GeneratedValue): GraphValue {
  if (value.kind === "literal") return { source: JSON.stringify(value.value) };
  if (value.kind === "generated") return { source: planner };
  const { fallback, path, transform, whenAbsent } = value;
  const text = transform ? transform.around.join(`{${path.text}}`) : path.text;
  const instead = fallback
    ? JSON.stringify(fallback.value)
    : { omit: "nothing", error: "an error", infer: planner };
  const word = typeof instead === "string" ? instead : whenAbsent && instead[whenAbsent];
  const otherwise = word === undefined ? "" : ` or ${word}`;
  const { root } = path;
  return { source: `${text}${otherwise}`, ...(root.from === "output" && { from: root.step }) };
}

function conditionOf({ source, test }: ConditionModel): GraphValue {
  const value = valueOf(source);
  if (test.kind === "exists")
    return { ...value, source: `${value.source} ${test.exists ? "exists" : "is absent"}` };
  const expected = test.values.map((each: JsonValue) => JSON.stringify(each)).join(" or ");
  return { ...value, source: `${value.source} is ${expected}` };
}
