/** The form in which planners exchange the sources of parameters. */
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "../core/json.js";
import { usualThreshold } from "../kit/sources/source-path.js";

/** Kind of a parameter's source. */
export type BindingSourceType = "user_input" | "step_output" | "state" | "literal" | "generated";

/** The reaction to a binding that gives no value. */
export type BindingFallback = "llm_infer" | "use_default" | "omit" | "error";

/**
 * The rule that decided a binding:
 *
 * - `given`: the plan itself has the source.
 * - `name`: only one value with the parameter's name can fit, and it fits.
 * - `alias`: the same, for a name of `param_aliases`.
 * - `format`: exactly one value has the format that the parameter is named after.
 * - `default`: nothing in the plan mentions the parameter, and the tool has a default.
 * - `model`: a model decided.
 * - `open`: nothing decided. `source` is only a proposal: a value with the name, or with a similar one.
 */
export type BindingRule = "given" | "name" | "alias" | "format" | "default" | "model" | "open";

/** Source of one parameter. */
export interface ParameterBinding {
  /** Path of the value; empty for a literal, a default and a value that is generated. */
  readonly source: string;
  readonly source_type: BindingSourceType;
  /** Confidence from 0 to 1. Below the threshold, `fallback` decides. */
  readonly confidence: number;
  readonly fallback: BindingFallback;
  /** The literal, or the value of `use_default`. */
  readonly default_value?: JsonValue;
  /**
   * Inputs and steps (`step_1`) from which a model makes a value when the step begins; all if absent.
   */
  readonly uses?: readonly string[];
  /** Text around the value: `Order {value}`. */
  readonly transform?: string;
  readonly reasoning?: string;
  readonly rule?: BindingRule;
}

/** Sources of the parameters of one step. */
export interface StepBindings {
  readonly step_id: string;
  readonly tool: string;
  readonly bindings: { readonly [parameter: string]: ParameterBinding };
}

/** Sources of all parameters of a plan. */
export interface BindingPlan {
  readonly steps: readonly StepBindings[];
  /** Bindings below this confidence are not used. */
  readonly confidence_threshold: number;
  readonly reasoning: string;
  /** Time at which the plan was made, in ISO 8601, UTC. */
  readonly created_at: string;
}

const sourceTypes: readonly string[] = [
  "user_input",
  "step_output",
  "state",
  "literal",
  "generated",
] satisfies BindingSourceType[];
const fallbacks: readonly string[] = [
  "llm_infer",
  "use_default",
  "omit",
  "error",
] satisfies BindingFallback[];

const rules: readonly unknown[] = [
  "given",
  "name",
  "alias",
  "format",
  "default",
  "model",
  "open",
] satisfies BindingRule[];

/**
 * Reads a binding plan in either of its JSON forms: a list called `steps`, or called `bindings`.
 * The words of `source_type` and `fallback` may be in upper case. A missing `fallback` is
 * `llm_infer`, a missing threshold 0.7.
 *
 * @throws TypeError with the place of the part that can't be read
 */
export function readBindingPlan(given: unknown): BindingPlan {
  const plan = objectAt(given, "the binding plan");
  const list = plan["steps"] ?? plan["bindings"];
  if (!Array.isArray(list)) throw new TypeError("a binding plan has a list `steps` or `bindings`");
  const { confidence_threshold: threshold, created_at: createdAt, reasoning } = plan;
  return {
    steps: list.map((step: JsonValue, index) => readStepBindings(step, `steps[${index}]`)),
    confidence_threshold: threshold === undefined ? usualThreshold : confidenceOf(threshold, ""),
    reasoning: typeof reasoning === "string" ? reasoning : "",
    created_at: typeof createdAt === "string" ? createdAt : "",
  };
}

function readStepBindings(given: JsonValue, at: string): StepBindings {
  const step = objectAt(given, at);
  const { bindings, step_id: id, tool } = step;
  if (typeof id !== "string" && typeof id !== "number")
    throw new TypeError(`\`${at}.step_id\` must be the id of a step`);
  const sources = Object.entries(objectAt(bindings, `${at}.bindings`));
  return {
    step_id: String(id),
    tool: typeof tool === "string" ? tool : "",
    bindings: Object.fromEntries(
      sources.map(([name, each]) => [name, readBinding(each, `${at}.bindings.${name}`)]),
    ),
  };
}

/**
 * Reads one binding: a path, the long form, or a literal.
 *
 * @throws TypeError with the place of the part that can't be read
 */
export function readBinding(given: JsonValue, at: string): ParameterBinding {
  const usual = { confidence: 1, fallback: "llm_infer" } as const;
  if (typeof given === "string") return { ...usual, source: given, source_type: typeOfPath(given) };
  if (!isLongForm(given))
    return { ...usual, source: "", source_type: "literal", default_value: given };
  const { confidence, default_value: value, reasoning, rule, source = "", transform, uses } = given;
  if (typeof source !== "string") throw new TypeError(`\`${at}.source\` must be a path`);
  const type = wordOf(given["source_type"] ?? typeOfPath(source), sourceTypes, `${at}.source_type`);
  const fallback = wordOf(given["fallback"] ?? "llm_infer", fallbacks, `${at}.fallback`);
  if (type === "literal" && value === undefined)
    throw new TypeError(`\`${at}.default_value\` is missing: a literal needs it`);
  return {
    source,
    // `wordOf` has checked both.
    source_type: type as BindingSourceType,
    fallback: fallback as BindingFallback,
    confidence: confidence === undefined ? 1 : confidenceOf(confidence, `${at}.confidence`),
    ...(value !== undefined && { default_value: value }),
    ...(Array.isArray(uses) && { uses: uses.filter((each) => typeof each === "string") }),
    ...(typeof transform === "string" && { transform }),
    ...(typeof reasoning === "string" && { reasoning }),
    ...(rules.includes(rule) && { rule: rule as BindingRule }),
  };
}

/** Keys that show the long form. */
const longFormKeys = ["source", "source_type", "default_value", "fallback", "transform"];

/** Checks if a value is the long form of a binding, and no literal. */
export function isLongForm(given: JsonValue): given is JsonObject {
  return isJsonObject(given) && longFormKeys.some((key) => getOwn(given, key) !== undefined);
}

function typeOfPath(path: string): BindingSourceType {
  if (path === "") return "generated";
  if (/^state\b/.test(path)) return "state";
  return path.startsWith("step_") ? "step_output" : "user_input";
}

function wordOf(given: JsonValue, words: readonly string[], at: string): string {
  const word = typeof given === "string" ? given.toLowerCase() : "";
  if (words.includes(word)) return word;
  throw new TypeError(`\`${at}\` must be one of ${words.map((each) => `\`${each}\``).join(", ")}`);
}

function confidenceOf(given: JsonValue, at: string): number {
  if (typeof given === "number" && given >= 0 && given <= 1) return given;
  throw new TypeError(`\`${at || "confidence_threshold"}\` must be a number from 0 to 1`);
}

function objectAt(given: unknown, at: string): JsonObject {
  if (isJsonObject(given as JsonValue)) return given as JsonObject;
  throw new TypeError(`\`${at}\` must be an object`);
}
