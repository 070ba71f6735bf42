/** Makes the steps that the engine runs, from a plan and its bindings. */
import { type AnyResult, type CallOptions, ToolError, type ToolMap } from "@skillc/runtime";
import {
  AbsentValue,
  loadTool,
  type PlanContract,
  type PlanStep,
  stepDefaults,
} from "@skillc/runtime/internal/made-plan";
import { getOwn, type JsonValue } from "../core/json.js";
import type { PathStep } from "../core/value-path.js";
import { stepsOfPath } from "../kit/sources/path-steps.js";
import { readPath } from "../kit/sources/source-path.js";
import type { BindingPlan, ParameterBinding } from "./binding-plan.js";
import { fits } from "./llm.js";
import type { KnownPlan, KnownStep } from "./plan.js";
import { valueAt } from "./sources.js";
import type { PlannerTool } from "./tools.js";

/** Values that the engine hands to the functions of a step: parameters, caller, and `step_<id>`. */
export interface Sources {
  readonly params: { readonly [name: string]: JsonValue };
  readonly [source: string]: unknown;
}

/** How a plan is run. */
export interface ContractOptions {
  /** `tools` of generated/index.ts. */
  readonly tools: ToolMap;
  /** True: `documents` of the state is the property `documents` of the latest output that has it. */
  readonly stateFields: boolean;
  /** Called if a parameter gets its default, because its source is unsure or absent. */
  readonly onDefault: (step: string, parameter: string) => void;
}

/** Makes the contract of a plan. Its steps run one after another. */
export function contractOf(
  { output, steps }: KnownPlan,
  bindings: BindingPlan,
  options: ContractOptions,
): PlanContract<Sources, unknown> {
  const last = steps.at(-1)?.id ?? "";
  const path = output ?? `step_${last}.output`;
  const own = new Map(bindings.steps.map((each) => [each.step_id, each.bindings]));
  return {
    steps: steps.map((step, index) =>
      stepOf(step, steps[index - 1]?.id, own.get(step.id) ?? {}, {
        ...options,
        threshold: bindings.confidence_threshold,
        steps,
      }),
    ),
    output: (from) => readSource(path, from, { ...options, steps }) ?? null,
    outputFrom: placesOf(path, { ...options, steps })[0] ?? [],
    facts: { capabilities: [], credentials: [], scopes: [], approvals: [], maxWrites: 0 },
  };
}

interface StepOptions extends ContractOptions {
  readonly threshold: number;
  readonly steps: readonly KnownStep[];
}

function stepOf(
  step: KnownStep,
  before: string | undefined,
  bindings: { readonly [parameter: string]: ParameterBinding },
  options: StepOptions,
): PlanStep<Sources> {
  const { id, on = {}, tool } = step;
  const bound = Object.entries(bindings).map(([name, binding]) =>
    boundTo(name, binding, step, options),
  );
  return {
    ...stepDefaults,
    id,
    toolId: tool.id,
    // The engine passes parameters that the tool's own validator checks.
    tool: async (params: never, call?: CallOptions) =>
      jsonOnly(await (await loadTool(options.tools, tool.id))(params, call), tool),
    manifest: tool.manifest,
    effect: tool.effect,
    after: before === undefined ? [] : [before],
    reads: bound.flatMap(({ places }) => places),
    on,
    // The call itself knows whether its binding or governance recognizes a repeated write.
    isRepeatable: tool.effect === "read" ? true : "keyed",
    suspends: true,
    infer: (from) => bound.flatMap((each) => missing(each, from, step, options)),
    params: (from, _item, inferred) => {
      const values = bound.map((each) => {
        const { fallback, default_value: usual } = each.binding;
        const otherwise = fallback === "use_default" ? usual : getOwn(inferred, each.name);
        const value = each.read(from);
        return [each.name, value === undefined ? otherwise : value] as const;
      });
      return Object.fromEntries(values);
    },
  };
}

/**
 * Refuses an answer that no step could use.
 *
 * @throws ToolError `PLAN.NO_VALUE` if it is a stream, pages or bytes
 */
async function jsonOnly(result: AnyResult, { effect, id }: PlannerTool): Promise<AnyResult> {
  const data: unknown = "data" in result ? result.data : undefined;
  if (typeof data !== "object" || data === null) return result;
  const isStream = Symbol.asyncIterator in data;
  if (!isStream && !ArrayBuffer.isView(data)) return result;
  // An unread stream would keep its connection open.
  if (isStream) await (data as AsyncIterable<unknown>)[Symbol.asyncIterator]().return?.();
  throw new ToolError(
    id,
    { code: "PLAN.NO_VALUE", source: "output" },
    `the answer of \`${id}\` is a stream, pages or bytes, which no plan can use`,
    { outcome: effect === "write" ? "unknown" : "not-done" },
  );
}

/** A parameter and its source. */
interface Bound {
  readonly name: string;
  readonly binding: ParameterBinding;
  /** Places in outputs of steps that it reads. */
  readonly places: readonly DataPath[];
  /** Returns the value; undefined if the source is unsure, or has none. */
  readonly read: (from: Sources) => unknown;
}

type DataPath = PlanStep<Sources>["reads"][number];

function boundTo(
  name: string,
  binding: ParameterBinding,
  { tool }: KnownStep,
  options: StepOptions,
): Bound {
  const { confidence, default_value: literal, source, source_type: type, transform } = binding;
  const nothing = { name, binding, places: [], read: () => undefined };
  if (confidence < options.threshold || type === "generated") return nothing;
  if (type === "literal") return { ...nothing, read: () => literal };
  const path = type === "state" && !/^state\b/.test(source) ? `state.${source}` : source;
  const wanted = tool.parameters.find((each) => each.name === name)?.schema ?? true;
  const takesNull = fits(null, wanted, tool.input);
  return {
    name,
    binding,
    places: placesOf(path, options),
    read(from) {
      const value = readSource(path, from, options);
      // There is no text around null.
      if (value == null && (transform !== undefined || !takesNull)) return undefined;
      return transform === undefined ? value : transformed(transform, value);
    },
  };
}

/** Returns the name of a parameter if it has no value, and a planner has to find one. */
function missing(
  { binding, name, read }: Bound,
  from: Sources,
  { id }: KnownStep,
  { onDefault }: StepOptions,
): readonly string[] {
  if (read(from) !== undefined) return [];
  if (binding.fallback === "llm_infer") return [name];
  if (binding.fallback === "use_default") {
    onDefault(id, name);
    return [];
  }
  if (binding.fallback === "omit") return [];
  throw new AbsentValue(binding.source === "" ? name : binding.source);
}

/** Puts a value into a text. Only single values have a text. */
function transformed(transform: string, value: unknown): string | undefined {
  return typeof value === "object" ? undefined : transform.split("{value}").join(String(value));
}

type ReadOptions = Pick<StepOptions, "stateFields" | "steps">;

/** Reads a path in the values of a plan; undefined if there is no value. */
function readSource(path: string, from: Sources, { stateFields, steps }: ReadOptions): unknown {
  const read = readPath(path);
  if (!("code" in read)) {
    const { root, steps: below } = read;
    if (root.from === "params" || root.from === "caller") return valueAt(from[root.from], below);
    return root.from === "output" ? valueAt(outputOf(root.step, from), below) : undefined;
  }
  const field = stateFields ? fieldOf(path) : undefined;
  if (field === undefined) return undefined;
  const outputs = steps.map(({ id }) => valueAt(outputOf(id, from), field));
  return outputs.findLast((value) => value !== undefined);
}

function outputOf(step: string, from: Sources): unknown {
  return valueAt(getOwn(from, `step_${step}`), ["output"]);
}

/** Steps below `state`, for a path such as `state.documents`. */
function fieldOf(path: string): readonly PathStep[] | undefined {
  const [root, ...rest] = stepsOfPath(path) ?? [];
  return root === "state" && rest.length > 0 ? rest : undefined;
}

/** Places in outputs of steps that a path reads, as the engine takes them. */
function placesOf(path: string, { stateFields, steps }: ReadOptions): readonly DataPath[] {
  const read = readPath(path);
  const names = (below: readonly PathStep[]): DataPath =>
    below.map((step) => (typeof step === "object" ? "*" : step));
  if (!("code" in read))
    return read.root.from === "output" ? [[read.root.step, ...names(read.steps)]] : [];
  const field = stateFields ? fieldOf(path) : undefined;
  return field === undefined ? [] : steps.map(({ id }) => [id, ...names(field)]);
}
