import { readPath } from "../../src/kit/sources/source-path.js";
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "../../src/core/json.js";
import type { PathStep } from "../../src/core/value-path.js";
import type { BoundPlan, RightBinding } from "./bound-plan.js";

/**
 * The value at a source in the inputs and example outputs of a plan; undefined if there is none.
 *
 * @throws Error if the source is not a path to an input or to an output
 */
export function sourceValue(plan: BoundPlan, source: string): JsonValue | undefined {
  const path = readPath(source);
  if ("code" in path) throw new Error(path.message);
  const { root, steps } = path;
  if (root.from === "output") return followed(getOwn(plan.outputs, root.step), steps);
  if (root.from === "params") return followed(plan.inputs, steps);
  throw new Error(`\`${source}\` is neither an input nor an output`);
}

/** The step whose output a source reads; undefined if it reads an input. */
export function stepOfSource(source: string): string | undefined {
  const path = readPath(source);
  return "root" in path && path.root.from === "output" ? path.root.step : undefined;
}

/** Example of the value that a parameter gets; undefined if the tool's default stands. */
export function exampleOf(plan: BoundPlan, binding: RightBinding): JsonValue | undefined {
  if ("source" in binding) return sourceValue(plan, binding.source);
  if ("value" in binding) return binding.value;
  return "generate" in binding ? binding.generate : undefined;
}

/** Example of the object that a step's tool gets. */
export function exampleCall(plan: BoundPlan, step: string): JsonObject {
  const values = Object.entries(getOwn(plan.bound, step) ?? {}).map(
    ([parameter, binding]) => [parameter, exampleOf(plan, binding)] as const,
  );
  return Object.fromEntries(
    values.filter((each): each is readonly [string, JsonValue] => each[1] !== undefined),
  );
}

function followed(
  value: JsonValue | undefined,
  [step, ...rest]: readonly PathStep[],
): JsonValue | undefined {
  if (step === undefined) return value;
  if (typeof step === "string")
    return followed(isJsonObject(value) ? getOwn(value, step) : undefined, rest);
  if (!isList(value)) return undefined;
  if (typeof step === "number") return followed(value[step], rest);
  return value.map((item) => followed(item, rest)).filter((item) => item !== undefined);
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
