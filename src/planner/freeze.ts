/** Turns a plan that was made at run time into a plan of a skill. */
import {
  getOwn,
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  setOwn,
} from "../core/json.js";
import { listed, quote } from "../core/names.js";
import type { PathStep } from "../core/value-path.js";
import { readPath, type SourcePath, usualThreshold } from "../kit/sources/source-path.js";
import { compare } from "../schema/compare/compare.js";
import { joinDefinitions, type JoinedDefinitions } from "../schema/joined-definitions.js";
import { type BindingPlan, isLongForm, type ParameterBinding } from "./binding-plan.js";
import { PlanError } from "./binding-planner.js";
import {
  type DynamicPlan,
  type KnownPlan,
  type KnownStep,
  type PlanProblem,
  readPlan,
} from "./plan.js";
import { type Fit, fitting } from "./solve.js";
import { outputSources, type PlanSource } from "./sources.js";
import { type PlannerCatalog, PlannerTools, type ToolParameter } from "./tools.js";

/** A plan that was run, with the data of the events of `runPlan`. */
export interface RunRecord {
  readonly plan: DynamicPlan;
  readonly bindings: BindingPlan;
  /** Values of the plan's parameters. */
  readonly inputs?: JsonObject;
  /** Goal of the plan, in the words of a user. */
  readonly goal?: string;
}

export interface FreezeOptions {
  readonly catalog: PlannerCatalog;
  /** Name of the skill that gets the plan: its own tools are named without it. */
  readonly skill?: string | undefined;
}

/**
 * Returns the entry of `tools_schema` that makes the same calls: bindings become sources, and
 * inputs become parameters. What a model found when a step began stays `generated`.
 *
 * @throws PlanError if the plan can't be used, or says what a plan of a skill can't say
 */
export function freezePlan(record: RunRecord, { catalog, skill }: FreezeOptions): JsonObject {
  const { bindings, goal = "", inputs = {}, plan } = record;
  const read = readPlan(plan, new PlannerTools(catalog));
  if ("problems" in read) throw new PlanError(read.problems);
  const freezing = new Freezing(read.plan, bindings);
  const steps = read.plan.steps.map((step) => freezing.step(step, skill));
  const output = freezing.output();
  freezing.reportOthers();
  if (freezing.problems.length > 0) throw new PlanError(freezing.problems);
  const { asks } = freezing;
  const { confidence_threshold: threshold, created_at: createdAt } = bindings;
  const reasoning = bindings.reasoning || plan.reasoning;
  return {
    description: goal || `Calls ${listed(read.plan.steps.map(({ tool }) => quote(tool.id)))}.`,
    parameters: parametersOf(freezing.uses, asks ? inputs : {}),
    binding: {
      type: "plan",
      ...(asks && { planner: true }),
      ...(asks && threshold !== usualThreshold && { confidence_threshold: threshold }),
      ...(typeof reasoning === "string" && reasoning !== "" && { reasoning }),
      ...(createdAt !== "" && { created_at: createdAt }),
      steps,
      ...(output !== undefined && { output }),
    },
  };
}

/** A parameter of a step that takes a part of an input. */
interface InputUse {
  /** Steps below the input. */
  readonly path: readonly PathStep[];
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
}

class Freezing {
  readonly problems: PlanProblem[] = [];
  /** Uses of each input. */
  readonly uses = new Map<string, InputUse[]>();
  /** Set if a model still finds parameters. */
  asks = false;
  readonly #plan: KnownPlan;
  readonly #bindings: BindingPlan;
  readonly #fit: Fit = fitting();
  readonly #sources = new Map<string, readonly PlanSource[]>();

  constructor(plan: KnownPlan, bindings: BindingPlan) {
    this.#plan = plan;
    this.#bindings = bindings;
  }

  step(step: KnownStep, skill: string | undefined): JsonObject {
    const { id, on, tool } = step;
    const own = skill !== undefined && tool.id.startsWith(`${skill}/`);
    const given = this.#bindings.steps.find((each) => each.step_id === id)?.bindings ?? {};
    const bindings: Record<string, JsonValue> = {};
    for (const [name, binding] of Object.entries(given)) {
      const at = `bindings of step ${quote(id)}: ${name}`;
      const parameter = tool.parameters.find((each) => each.name === name);
      if (parameter === undefined)
        this.#add(at, `${quote(tool.id)} has no parameter ${quote(name)}`);
      const source = parameter && this.#source(binding, parameter, step, at);
      if (source !== undefined) setOwn(bindings, name, source);
    }
    return {
      id,
      tool: own ? tool.id.slice(skill.length + 1) : tool.id,
      bindings,
      ...(on !== undefined && { on }),
    };
  }

  /** Reports bindings of steps that the plan does not have. */
  reportOthers(): void {
    const ids = new Set(this.#plan.steps.map(({ id }) => id));
    for (const { step_id: id } of this.#bindings.steps)
      if (!ids.has(id)) this.#add("bindings", `the plan has no step ${quote(id)}`);
  }

  /** Source of the output: that of the plan, or the output of the last step. */
  output(): JsonValue | undefined {
    const { output, steps } = this.#plan;
    const last = steps.at(-1);
    if (output === undefined && last?.tool.output === undefined) return undefined;
    const path = output ?? `step_${last?.id ?? ""}.output`;
    const read = this.#path(path, steps.length, "output");
    if (read === undefined) return undefined;
    this.#note(read, true, {});
    const source = this.#sourceAt(read);
    const isSure = read.root.from === "params" || source?.mayBeAbsent === false;
    return isSure ? path : { source: path, fallback: "use_default", default_value: null };
  }

  /** The source of a parameter; undefined if it is left out. */
  #source(
    binding: ParameterBinding,
    parameter: ToolParameter,
    step: KnownStep,
    at: string,
  ): JsonValue | undefined {
    const { confidence, default_value: value, fallback, source_type: type } = binding;
    const isUsed = confidence >= this.#bindings.confidence_threshold && type !== "generated";
    if (!isUsed || type === "literal") {
      const isGiven = isUsed || fallback === "use_default";
      if (isGiven && value !== undefined) return literalOf(value, notesOf(binding));
      if (!isUsed && fallback === "omit") return undefined;
      if (!isUsed && fallback === "llm_infer") return this.#generated(binding);
      this.#add(at, "it has no value: its source is not used, or its literal has none");
      return undefined;
    }
    const isState = type === "state" && !/^state\b/.test(binding.source);
    const text = isState ? `state.${binding.source}` : binding.source;
    const read = this.#path(text, this.#plan.steps.indexOf(step), at);
    if (read === undefined) return undefined;
    this.#note(read, parameter.schema, step.tool.input);
    const isSure = binding.transform === undefined && this.#isSure(read, parameter, step);
    if (!isSure && fallback === "llm_infer") this.asks = true;
    const notes = notesOf(binding);
    const more = {
      ...(!isSure && { fallback }),
      ...(!isSure && fallback === "use_default" && { default_value: value ?? null }),
      ...(binding.transform !== undefined && { transform: binding.transform }),
      ...notes,
    };
    return Object.keys(more).length === 0 ? text : { source: text, ...more };
  }

  #generated(binding: ParameterBinding): JsonObject {
    this.asks = true;
    const { reasoning } = binding;
    return {
      source_type: "generated",
      ...(reasoning !== undefined && reasoning !== "" && { reasoning }),
    };
  }

  /** Reads a path, which must name an input or a step above. */
  #path(text: string, index: number, at: string): SourcePath | undefined {
    const read = readPath(text);
    if ("code" in read) {
      this.#add(at, `${read.message}; ${read.help}`);
      return undefined;
    }
    const { root } = read;
    const above = this.#plan.steps.slice(0, index).map(({ id }) => id);
    if (root.from === "item") this.#add(at, "there is no loop, so there is no `item`");
    else if (root.from === "output" && !above.includes(root.step))
      this.#add(at, `${quote(text)} names no step above`);
    else return read;
    return undefined;
  }

  /** Notes the schema of an input that a path reads. */
  #note({ root, steps: [name, ...path] }: SourcePath, schema: JsonSchema, of: JsonSchema): void {
    if (root.from !== "params" || typeof name !== "string") return;
    const uses = this.uses.get(name) ?? [];
    uses.push({ path, schema, root: of });
    this.uses.set(name, uses);
  }

  /** Checks if a source always has a value that the parameter takes. */
  #isSure(path: SourcePath, { schema }: ToolParameter, { tool }: KnownStep): boolean {
    const { root, steps } = path;
    // The schema of an input is made from the parameters that take it.
    if (root.from !== "output") return steps.every((step) => typeof step === "string");
    const source = this.#sourceAt(path);
    if (source === undefined || source.mayBeAbsent) return false;
    return this.#fit(source, schema, tool.input) === "always";
  }

  /** Schema of a value, from the schema of a step's tool; undefined if it is unknown. */
  #sourceAt({ root, steps }: SourcePath): PlanSource | undefined {
    const step =
      root.from === "output" ? this.#plan.steps.find(({ id }) => id === root.step) : undefined;
    if (step === undefined) return undefined;
    const known = this.#sources.get(step.id) ?? outputSources(step);
    this.#sources.set(step.id, known);
    const wanted = JSON.stringify(steps);
    const found = known.find((each) => {
      const read = readPath(each.path);
      return !("code" in read) && JSON.stringify(read.steps) === wanted;
    });
    const mayLack = Object.values(step.on ?? {}).some((word) => word !== "stop");
    return found && { ...found, mayBeAbsent: found.mayBeAbsent || mayLack };
  }

  #add(at: string, message: string): void {
    this.problems.push({ at, message });
  }
}

/** Confidence and reasoning of a model, for readers. */
function notesOf({ confidence, reasoning, rule }: ParameterBinding): JsonObject {
  const isReasoned = reasoning !== undefined && reasoning !== "";
  if (!isReasoned && rule !== "model") return {};
  return { confidence, ...(isReasoned && { reasoning }) };
}

/** A literal in the short form if nobody can take it for a path or for the long form. */
function literalOf(value: JsonValue, notes: JsonObject): JsonValue {
  const isShort = typeof value !== "string" && value !== null && !isLongForm(value);
  return isShort && Object.keys(notes).length === 0
    ? value
    : { source_type: "literal", default_value: value, ...notes };
}

/** JSON Schema of the inputs that the plan uses, and of those that only a model sees. */
function parametersOf(
  uses: ReadonlyMap<string, readonly InputUse[]>,
  shown: JsonObject,
): JsonObject {
  const joined = joinDefinitions();
  const properties: Record<string, JsonValue> = {};
  for (const [name, own] of uses) setOwn(properties, name, schemaOf(own, joined));
  for (const [name, value] of Object.entries(shown))
    if (getOwn(properties, name) === undefined) setOwn(properties, name, schemaOfValue(value));
  const $defs = joined.definitions();
  return {
    type: "object",
    ...(Object.keys(properties).length > 0 && { required: Object.keys(properties) }),
    properties,
    ...($defs && { $defs }),
  };
}

/** Schema of an input: the narrowest that fits all parameters that take it. */
function schemaOf(uses: readonly InputUse[], joined: JoinedDefinitions): JsonSchema {
  const parts = new Map<string, InputUse[]>();
  for (const {
    path: [name, ...path],
    ...use
  } of uses) {
    if (typeof name !== "string") continue;
    parts.set(name, [...(parts.get(name) ?? []), { ...use, path }]);
  }
  const whole = uses.filter(({ path }) => path.length === 0);
  if (whole.length > 0 || parts.size === 0) {
    const narrowest = whole.find((one) =>
      whole.every(
        (other) =>
          compare(
            { schema: one.schema, root: one.root },
            { schema: other.schema, root: other.root },
          ).length === 0,
      ),
    );
    const chosen = narrowest ?? whole[0];
    if (chosen !== undefined) return joined.take(withoutDefault(chosen.schema), chosen.root);
    // A path into a list: nothing says what else is in the items.
    return uses.length === 0 ? true : { type: "array" };
  }
  const properties: Record<string, JsonValue> = {};
  for (const [name, own] of parts) setOwn(properties, name, schemaOf(own, joined));
  return { type: "object", required: [...parts.keys()], properties };
}

/** An input is always given, so it needs no default. */
function withoutDefault(schema: JsonSchema): JsonSchema {
  if (!isJsonObject(schema)) return schema;
  const { default: _default, ...rest } = schema;
  return rest;
}

function schemaOfValue(value: JsonValue): JsonSchema {
  if (value === null) return true;
  if (Array.isArray(value)) return { type: "array" };
  return { type: typeof value };
}
