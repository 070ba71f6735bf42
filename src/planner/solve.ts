/**
 * Decides where parameters come from, without a model: by types and names.
 *
 * A value is a candidate if the schema of the parameter allows each of its values. A candidate alone
 * proves nothing, because many values have the type of many parameters. It is decided only if it is
 * also the one value with the parameter's name.
 */
import { getOwn, type JsonObject, type JsonSchema } from "../core/json.js";
import { compare } from "../schema/compare/compare.js";
import { type BindingRule, type ParameterBinding, readBinding } from "./binding-plan.js";
import {
  givenBy,
  isIdentifier,
  isTellingFormat,
  needsOwner,
  normalName,
  objectOf,
  wordsOf,
} from "./names.js";
import type { KnownPlan, KnownStep } from "./plan.js";
import { inputSources, outputSources, type PlanSource } from "./sources.js";
import type { PlannerTool, ToolParameter } from "./tools.js";

/** A parameter that nobody has decided. */
export interface OpenParameter {
  readonly step: KnownStep;
  readonly parameter: ToolParameter;
  /** Values that fit, the most similar name first. */
  readonly candidates: readonly PlanSource[];
}

/** The decisions about a plan. */
export interface Solution {
  /** Bindings by step and parameter. Open ones are proposals. */
  readonly bindings: ReadonlyMap<string, ReadonlyMap<string, ParameterBinding>>;
  readonly open: readonly OpenParameter[];
}

/** Confidence of a proposal. */
const proposed = 0.5;
/** Maximum number of values that one parameter is compared with: those of the nearest steps. */
const mostSources = 2000;
const mostCandidates = 8;

/** Decides what types and names decide. */
export function solve({ steps }: KnownPlan, inputs: JsonObject): Solution {
  const fit = fitting();
  const given = inputSources(inputs).map((source) => ({ source, tool: undefined }));
  const outputs: Offered[] = [];
  const bindings = new Map<string, ReadonlyMap<string, ParameterBinding>>();
  const open: OpenParameter[] = [];
  for (const step of steps) {
    const offered = [...given, ...outputs.toReversed()].slice(0, mostSources);
    const own = new Map<string, ParameterBinding>();
    for (const parameter of step.tool.parameters) {
      const decided = decide(parameter, step, offered, fit);
      if (decided.binding !== undefined) own.set(parameter.name, decided.binding);
      if (decided.open !== undefined) open.push({ step, parameter, candidates: decided.open });
    }
    bindings.set(step.id, own);
    outputs.push(...outputSources(step).map((source) => ({ source, tool: step.tool })));
  }
  return { bindings, open };
}

/** A value that a step may use, and the tool that gives it. */
interface Offered {
  readonly source: PlanSource;
  readonly tool: PlannerTool | undefined;
}

interface Decision {
  readonly binding?: ParameterBinding;
  /** Candidates, if nobody has decided. */
  readonly open?: readonly PlanSource[];
}

function decide(
  parameter: ToolParameter,
  step: KnownStep,
  offered: readonly Offered[],
  fit: Fit,
): Decision {
  const { name, schema } = parameter;
  const given = givenBinding(name, step);
  if (given !== undefined) return { binding: given };
  const usable = offered.filter(({ source }) => fit(source, schema, step.tool.input) !== "no");
  const candidates = usable.filter(
    ({ source }) => fit(source, schema, step.tool.input) === "always",
  );
  const found = byName(parameter, step, usable);
  if (found !== undefined && candidates.includes(found.offered))
    return { binding: bindingOf(found.offered.source, found.rule, confidences[found.rule]) };
  const sources = candidates.map(({ source }) => source);
  if (sources.length === 0 && parameter.hasDefault) return { binding: defaultOf(schema) };
  if (sources.length === 0 && !parameter.isRequired) return {};
  const ranked = ranking(name, sources);
  const [first] = ranked;
  return { binding: first ? bindingOf(first, "open", proposed) : generated, open: ranked };
}

/** The binding that the plan itself gives; undefined if it gives none. */
export function givenBinding(
  name: string,
  { bindings = {} }: KnownStep,
): ParameterBinding | undefined {
  const given = getOwn(bindings, name);
  if (given === undefined) return undefined;
  const binding = readBinding(given, name);
  const isOpen = binding.source_type === "generated";
  return { ...binding, ...(isOpen && { confidence: 0 }), rule: "given" };
}

const confidences = { name: 0.95, alias: 0.9, format: 0.9 } as const;

/** The binding of a parameter that nobody can decide before the step begins. */
export const generated: ParameterBinding = {
  source: "",
  source_type: "generated",
  confidence: 0,
  fallback: "llm_infer",
  rule: "open",
};

export function bindingOf(
  { path }: Pick<PlanSource, "path">,
  rule: BindingRule,
  confidence: number,
): ParameterBinding {
  const { source_type } = readBinding(path, "");
  return { source: path, source_type, confidence, fallback: "llm_infer", rule };
}

function defaultOf(schema: JsonSchema): ParameterBinding {
  // `hasDefault` says that there is one.
  const value = (schema as JsonObject)["default"] ?? null;
  const fallback = "use_default";
  return {
    source: "",
    source_type: "literal",
    confidence: 1,
    fallback,
    default_value: value,
    rule: "default",
  };
}

/** Finds the one value that a parameter means by its name, its aliases or its format. */
function byName(
  { aliases, name, schema }: ToolParameter,
  { tool }: KnownStep,
  usable: readonly Offered[],
): { readonly offered: Offered; readonly rule: "name" | "alias" | "format" } | undefined {
  const own = ownNames(name, tool);
  const [only, second] = usable.filter((each) => own.some((one) => isNamed(each, one, name, tool)));
  if (second !== undefined) return undefined;
  if (only !== undefined) return { offered: only, rule: "name" };
  const others = aliases.filter((each) => !needsOwner(each)).map(normalName);
  const [alias, another] = usable.filter((each) =>
    others.some((one) => isNamed(each, one, name, tool)),
  );
  if (another !== undefined) return undefined;
  if (alias !== undefined) return { offered: alias, rule: "alias" };
  const format = typeof schema === "object" ? schema["format"] : undefined;
  if (!isTellingFormat(format) || normalName(name) !== normalName(format)) return undefined;
  const [formatted, other] = usable.filter(({ source }) => formatOf(source.schema) === format);
  return formatted === undefined || other !== undefined
    ? undefined
    : { offered: formatted, rule: "format" };
}

/** Names by which a parameter means a value. `id` of `get-order` is `order_id`. */
function ownNames(name: string, { id }: PlannerTool): readonly string[] {
  if (!needsOwner(name)) return [normalName(name)];
  const object = objectOf(id);
  return normalName(name) === "id" && object !== "" ? [`${object}_id`] : [];
}

function isNamed(
  { source, tool: from }: Offered,
  wanted: string,
  parameter: string,
  tool: PlannerTool,
): boolean {
  if (!source.names.includes(wanted)) return false;
  return from === undefined || isIdentifier(parameter) || !changesIts(tool, from);
}

/**
 * Checks if a tool changes what another one gave. What a thing is now is not what it shall become:
 * the `priority` that `get-issue` gave is not the one for `update-issue`.
 */
function changesIts({ effect, id }: PlannerTool, from: PlannerTool): boolean {
  if (effect === "read") return false;
  const words = wordsOf(objectOf(id));
  return givenBy(from.id).some((given) => wordsOf(given).some((word) => words.includes(word)));
}

function formatOf(schema: JsonSchema): unknown {
  return typeof schema === "object" ? schema["format"] : undefined;
}

/** Puts values first that share words with the parameter. Earlier sources come first otherwise. */
function ranking(name: string, sources: readonly PlanSource[]): readonly PlanSource[] {
  const words = new Set(wordsOf(name));
  const shared = (source: PlanSource): number =>
    wordsOf(source.path).filter((word) => words.has(word)).length;
  return sources
    .map((source) => ({ source, count: shared(source) }))
    .toSorted((one, other) => other.count - one.count)
    .slice(0, mostCandidates)
    .map(({ source }) => source);
}

/**
 * Tells whether a value fits a parameter: each value of its schema, some, or none. A value that may
 * be absent fits, because a fallback replaces it.
 */
export type Fit = (
  source: Pick<PlanSource, "root" | "schema">,
  wanted: JsonSchema,
  root: JsonSchema,
) => "always" | "sometimes" | "no";

/** Returns a `Fit` that compares each pair of schemas once. */
export function fitting(): Fit {
  const known = new Map<JsonSchema, Map<JsonSchema, ReturnType<Fit>>>();
  return (source, wanted, root) => {
    const own = known.get(source.schema) ?? new Map<JsonSchema, ReturnType<Fit>>();
    known.set(source.schema, own);
    const fit = own.get(wanted) ?? fitOf(source, wanted, root);
    own.set(wanted, fit);
    return fit;
  };
}

function fitOf(
  { root, schema }: Pick<PlanSource, "root" | "schema">,
  wanted: JsonSchema,
  of: JsonSchema,
): ReturnType<Fit> {
  const mismatches = compare({ schema, root }, { schema: wanted, root: of });
  if (mismatches.length === 0) return "always";
  return mismatches.some(({ fits }) => fits === "no") ? "no" : "sometimes";
}
