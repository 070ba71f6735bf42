/**
 * Decides where parameters come from, without a model: by types and names.
 *
 * A source is a candidate if the schema of the parameter allows each of its values. The type alone
 * proves nothing, because many sources have the type of many parameters. A candidate decides a
 * parameter only if it is also the one source with the parameter's name.
 */
import { getOwn, type JsonObject, type JsonSchema } from "../core/json.js";
import { compare } from "../schema/compare/compare.js";
import { type BindingRule, type ParameterBinding, readBinding } from "./binding-plan.js";
import {
  isIdentifier,
  isTellingFormat,
  needsOwner,
  normalName,
  singular,
  wordsOf,
} from "./names.js";
import type { KnownPlan, KnownStep } from "./plan.js";
import { mayMean, ownNames } from "./meaning.js";
import { inputSources, outputSources, type PlanSource } from "./sources.js";
import type { PlannerTool, ToolParameter } from "./tools.js";

/** Facts about a plan besides its steps. */
export interface PlanFacts {
  readonly inputs: JsonObject;
  /** Goal of the plan, in the words of a user. */
  readonly goal?: string | undefined;
}

/** A parameter that nobody has decided. */
export interface OpenParameter {
  readonly step: KnownStep;
  readonly parameter: ToolParameter;
}

/** The decisions about a plan. */
export interface Solution {
  /** Bindings by step and parameter. Open ones are proposals. */
  readonly bindings: ReadonlyMap<string, ReadonlyMap<string, ParameterBinding>>;
  /** Parameters that need a decision. */
  readonly open: readonly OpenParameter[];
  /**
   * Optional parameters that nothing in the plan mentions. They are left out. A model that is
   * asked for others may still set them.
   */
  readonly optional: readonly OpenParameter[];
}

/** Confidence of a proposal. */
const proposed = 0.5;
/** Maximum number of candidates for a proposal: inputs, and outputs of the nearest steps. */
const mostProposals = 500;

/** Finds the sources that types and names decide, and proposes others. */
export function solve({ steps }: KnownPlan, facts: PlanFacts, fit = fitting()): Solution {
  const values = new OfferedValues(facts.inputs);
  const bindings = new Map<string, ReadonlyMap<string, ParameterBinding>>();
  const open: OpenParameter[] = [];
  const optional: OpenParameter[] = [];
  for (const step of steps) {
    const own = new Map<string, ParameterBinding>();
    const said = new Set(saidIn(step, facts).flatMap(wordsOf).map(singular));
    for (const parameter of step.tool.parameters) {
      const { binding, isOpen, isUnmentioned } = decide(parameter, step, { values, fit, said });
      if (binding !== undefined) own.set(parameter.name, binding);
      if (isOpen === true) open.push({ step, parameter });
      if (isUnmentioned === true) optional.push({ step, parameter });
    }
    const before = new Map(own);
    for (const parameter of step.tool.parameters) {
      const shared = sharedByAlias(parameter.name, before);
      if (shared === undefined) continue;
      own.set(parameter.name, { ...shared, rule: "open", confidence: proposed });
      open.push({ step, parameter });
    }
    bindings.set(step.id, own);
    values.add(step, own);
  }
  return { bindings, open, optional };
}

/** Returns the binding that an alias decided, if another parameter of the step has the same value. */
function sharedByAlias(
  name: string,
  bindings: ReadonlyMap<string, ParameterBinding>,
): ParameterBinding | undefined {
  const own = bindings.get(name);
  if (own?.rule !== "alias") return undefined;
  const isShared = [...bindings].some(
    ([other, { rule, source }]) => other !== name && source === own.source && rule !== "open",
  );
  return isShared ? own : undefined;
}

/** Returns texts that may mention the parameters of a step. */
function saidIn({ description = "" }: KnownStep, { goal = "", inputs }: PlanFacts): string[] {
  const texts = Object.values(inputs).filter((value) => typeof value === "string");
  return [goal, description].concat(texts).map((text) => text.slice(0, longestText));
}

/** Maximum length of a text in which words are looked for, in characters. */
const longestText = 4000;

/** A value that a step may use. */
interface Offered {
  readonly source: PlanSource;
  /** Tool that gives it; undefined for an input. */
  readonly tool: PlannerTool | undefined;
  /** Path of the value that the tool gets under this name, and repeats in its output. */
  readonly echoOf?: string;
}

/** All values that steps may use so far, by their names. */
class OfferedValues {
  readonly #byName = new Map<string, Offered[]>();
  readonly #byFormat = new Map<string, Offered[]>();
  readonly #inputs: readonly Offered[];
  #outputs: readonly Offered[] = [];

  constructor(inputs: JsonObject) {
    this.#inputs = inputSources(inputs).map((source) => ({ source, tool: undefined }));
    for (const each of this.#inputs) this.#index(each);
  }

  /** Adds the output of a step, and its parts. */
  add({ id, tool }: KnownStep, bindings: ReadonlyMap<string, ParameterBinding>): void {
    const added = outputSources({ id, tool }).map((source): Offered => {
      const echoOf = echoIn(source, id, tool, bindings);
      return { source, tool, ...(echoOf !== undefined && { echoOf }) };
    });
    for (const each of added) this.#index(each);
    this.#outputs = added.concat(this.#outputs).slice(0, mostProposals);
  }

  /** Inputs, and outputs of the nearest steps. */
  get nearest(): readonly Offered[] {
    return this.#inputs.concat(this.#outputs).slice(0, mostProposals);
  }

  /** Values that have one of these names. */
  named(names: readonly string[]): readonly Offered[] {
    return [...new Set(names.flatMap((name) => this.#byName.get(name) ?? []))];
  }

  /** Values that have a format. */
  formatted(format: string): readonly Offered[] {
    return this.#byFormat.get(format) ?? [];
  }

  #index(offered: Offered): void {
    for (const name of new Set(offered.source.names)) addTo(this.#byName, name, offered);
    const format = formatOf(offered.source.schema);
    if (typeof format === "string") addTo(this.#byFormat, format, offered);
  }
}

function addTo<Value>(lists: Map<string, Value[]>, name: string, value: Value): void {
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [value]);
  else list.push(value);
}

/**
 * Returns the path of the value that a tool gets, if its output repeats this value: a tool that takes
 * `order_id` and returns `order_id` has found the order, and has not made another one.
 */
function echoIn(
  { path }: PlanSource,
  step: string,
  { effect, parameters }: PlannerTool,
  bindings: ReadonlyMap<string, ParameterBinding>,
): string | undefined {
  const name = normalName(path.slice(`step_${step}.output.`.length));
  if (effect !== "read" || !isIdentifier(name)) return undefined;
  const parameter = parameters.find((each) => normalName(each.name) === name);
  const binding = parameter && bindings.get(parameter.name);
  const isSure = binding?.rule === "name" || binding?.rule === "alias" || binding?.rule === "given";
  return isSure && binding.source !== "" ? binding.source : undefined;
}

interface Decision {
  readonly binding?: ParameterBinding;
  readonly isOpen?: true;
  /** Set if the parameter may be left out, and nothing mentions it. */
  readonly isUnmentioned?: true;
}

interface Deciding {
  readonly values: OfferedValues;
  readonly fit: Fit;
  /** Words of the goal, of the step's description, and of texts in the inputs. */
  readonly said: ReadonlySet<string>;
}

function decide(parameter: ToolParameter, step: KnownStep, deciding: Deciding): Decision {
  const { name, schema } = parameter;
  const { fit, said, values } = deciding;
  const given = givenBinding(name, step);
  if (given !== undefined) return { binding: given };
  const found = byName(parameter, step, deciding);
  if (found !== undefined && mayBeDecided(parameter, step, found.offered))
    return { binding: bindingOf(found.offered.source, found.rule, confidences[found.rule]) };
  const candidates = values.nearest.filter(
    ({ source }) => fit(source, schema, step.tool.input) === "always",
  );
  const first = found?.offered.source ?? mostSimilar(name, candidates);
  const isMeant =
    parameter.isRequired ||
    isSimilar(name, first) ||
    namesIn(parameter).some((word) => said.has(word));
  if (isMeant)
    return { binding: first ? bindingOf(first, "open", proposed) : generated, isOpen: true };
  return { ...(parameter.hasDefault && { binding: defaultOf(schema) }), isUnmentioned: true };
}

/**
 * Checks if a value with the name of a parameter decides the parameter. A write leaves alone what it
 * does not get, so an existing value is no reason to send an optional parameter. An optional
 * parameter of a read is often a filter, unless it takes a list or an object.
 */
function mayBeDecided(
  { isRequired, schema }: ToolParameter,
  { tool }: KnownStep,
  { tool: from }: Offered,
): boolean {
  if (isRequired) return true;
  if (tool.effect !== "read") return false;
  const type = typeof schema === "object" ? schema["type"] : undefined;
  return from === undefined || type === "array" || type === "object";
}

/** Returns words that mention a parameter: those of its name, and of the values that it takes. */
function namesIn({ name, schema }: ToolParameter): readonly string[] {
  const values = typeof schema === "object" ? schema["enum"] : undefined;
  const texts = Array.isArray(values) ? values.filter((each) => typeof each === "string") : [];
  return [name]
    .concat(texts)
    .flatMap(wordsOf)
    .filter((word) => word.length > 2)
    .map(singular);
}

/** Returns the binding that the plan itself has; undefined if it has none. */
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

/** Finds the only value with the name of a parameter, with an alias, or with its format. */
function byName(
  { aliases, name, schema }: ToolParameter,
  { tool }: KnownStep,
  { fit, values }: Deciding,
): { readonly offered: Offered; readonly rule: "name" | "alias" | "format" } | undefined {
  const fitOf = ({ source }: Offered) => fit(source, schema, tool.input);
  const others = aliases.filter((each) => !needsOwner(each)).map(normalName);
  const format = typeof schema === "object" ? schema["format"] : undefined;
  const isNamedAfterFormat = isTellingFormat(format) && normalName(name) === normalName(format);
  const found = {
    name: values.named(ownNames(name, tool)).filter((each) => mayMean(each, name, tool)),
    alias: values.named(others).filter((each) => mayMean(each, name, tool)),
    format: isNamedAfterFormat ? values.formatted(format) : [],
  };
  for (const rule of ["name", "alias", "format"] as const) {
    const fitting = found[rule].filter((each) => fitOf(each) !== "no");
    const [only, second] = withoutEchoes(fitting);
    if (second !== undefined) return undefined;
    if (only !== undefined) return fitOf(only) === "always" ? { offered: only, rule } : undefined;
  }
  return undefined;
}

/** Leaves out values that repeat another value of the list. */
function withoutEchoes(offered: readonly Offered[]): readonly Offered[] {
  const paths = new Set(offered.map(({ source }) => source.path));
  return offered.filter(({ echoOf }) => echoOf === undefined || !paths.has(echoOf));
}

function formatOf(schema: JsonSchema): unknown {
  return typeof schema === "object" ? schema["format"] : undefined;
}

/** Returns the value whose path shares most words with a name; the first of several. */
function mostSimilar(name: string, offered: readonly Offered[]): PlanSource | undefined {
  const words = new Set(wordsOf(name));
  let best: { readonly source: PlanSource; readonly count: number } | undefined;
  for (const { source } of offered) {
    const count = sharedWords(words, source);
    if (best === undefined || count > best.count) best = { source, count };
  }
  return best?.source;
}

/** Checks if a value shares a word with a name that says something. */
function isSimilar(name: string, source: PlanSource | undefined): boolean {
  const words = wordsOf(name).filter((word) => !needsOwner(word));
  return source !== undefined && sharedWords(new Set(words), source) > 0;
}

function sharedWords(words: ReadonlySet<string>, { path }: PlanSource): number {
  const own = path.replace(/^step_\w+\.output/, "");
  return wordsOf(own).filter((word) => words.has(word)).length;
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

/**
 * Returns a `Fit` that compares each pair of schemas once. Schemas count as equal if they have the
 * same text, because the tools of a plan repeat a few types in many objects.
 */
export function fitting(): Fit {
  const known = new Map<string, ReturnType<Fit>>();
  const keyOf = schemaKeys();
  return (source, wanted, root) => {
    const key = `${keyOf(source.schema, source.root)} ${keyOf(wanted, root)}`;
    const fit = known.get(key) ?? fitOf(source, wanted, root);
    known.set(key, fit);
    return fit;
  };
}

/** Returns a function that numbers schemas. Those with references have numbers of their own. */
function schemaKeys(): (schema: JsonSchema, root: JsonSchema) => number {
  const byText = new Map<string, number>();
  const bySchema = new Map<JsonSchema, number>();
  let last = 0;
  return (schema, root) => {
    const before = bySchema.get(schema);
    if (before !== undefined) return before;
    last += 1;
    const text = textOf(schema, root);
    const key = (text === undefined ? undefined : byText.get(text)) ?? last;
    if (text !== undefined) byText.set(text, key);
    bySchema.set(schema, key);
    return key;
  };
}

/** The text of a schema without its annotations; undefined if the text doesn't say everything. */
function textOf(schema: JsonSchema, root: JsonSchema): string | undefined {
  // The schema of an input holds its value, which may be large.
  if (schema === root || typeof schema !== "object") return undefined;
  const { default: _usual, description: _about, title: _title, ...rest } = schema;
  const text = JSON.stringify(rest);
  return /"\$(?:ref|dynamicRef|recursiveRef)"/.test(text) ? undefined : text;
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
