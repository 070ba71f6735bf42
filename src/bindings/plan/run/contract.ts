/** The data that a generated module of a plan hands over, and the types of its answers. */
import type { CallOptions, JsonValue } from "../../../runtime/v1.js";
import type { AnyResult } from "../../../runtime/result.js";
import type { BoundPlan, PlanFacts } from "../../../runtime/call/binding.js";
import type { DataPath } from "../../../runtime/json/data-path.js";

export type { PlanFacts } from "../../../runtime/call/binding.js";

/** A plan as its module declares it. */
export interface PlanContract<Sources, Data> {
  /** Steps in the order of the skill. */
  readonly steps: readonly PlanStep<Sources>[];
  /**
   * Steps of plans that are steps themselves (`STEP.STEP`), with the ids of their tools. A governed
   * plan checks beforehand that its caller may call them. None if absent.
   */
  readonly innerSteps?: BoundPlan["steps"];
  /** Returns the data of a success; null if absent. */
  readonly output?: (from: Sources) => Data;
  /** Ids of the steps whose outputs `output` reads without a fallback. None if absent. */
  readonly outputNeeds?: readonly string[];
  /** Path of the output in a step's output, as in `PlanStep.reads`; absent if it is none. A nested
   * plan needs it to report which parts of its output obligations changed. */
  readonly outputFrom?: DataPath;
  /** The same for each property of an output that is an object with a source for each. */
  readonly outputFields?: { readonly [name: string]: DataPath };
  /** Maximum number of calls at the same time; 4 if absent. */
  readonly concurrency?: number;
  /** Facts for a dry run. */
  readonly facts: PlanFacts;
}

/** One step, as `step` and `eachStep` make it. Its types have been checked. */
export interface PlanStep<Sources> {
  readonly id: string;
  /** Id of the tool: `skill/tool`. */
  readonly toolId: string;
  /** The generated function. */
  readonly tool: StepTool;
  /** Fingerprint of the tool: its manifest, and those of the tools that it depends on. */
  readonly manifest: string;
  readonly effect: "read" | "write";
  /** Ids of the steps that must have ended before this one begins. */
  readonly after: readonly string[];
  /** Ids of the steps whose outputs the step reads without a fallback. */
  readonly needs: readonly string[];
  /**
   * Places in outputs of steps that reach a parameter, the condition or the list: the step's id,
   * then property names, `*` for every item of a list, and indices. A loop's own items are places
   * below its list.
   */
  readonly reads: readonly DataPath[];
  /** Returns whether the step is made; always if absent. */
  readonly when?: (from: Sources) => boolean;
  /** Returns the items of a loop; absent for a step that makes one call. */
  readonly list?: (from: Sources) => readonly unknown[];
  /** Maximum number of items of a loop. */
  readonly maxItems: number;
  /**
   * Returns the parameters of a call.
   *
   * @param inferred values of the parameters that `infer` named
   */
  readonly params: (from: Sources, item: unknown, inferred: InferredValues) => unknown;
  /** Returns names of parameters whose values a planner has to find; absent if it never has to. */
  readonly infer?: (from: Sources, item: unknown) => readonly string[];
  /**
   * Reaction to each status without data; `error` also covers thrown failures. `stop` if
   * absent.
   */
  readonly on: { readonly [status: string]: OnStatus };
  /**
   * Permission to repeat a write whose outcome is unknown, with the same key. `true`: the binding is
   * idempotent, or its provider takes the key. `keyed`: only governance recognizes a repeat.
   */
  readonly isRepeatable: boolean | "keyed";
  /** Set if the step waits for approvals, or for accepted work, in a run that is kept. */
  readonly suspends: boolean;
}

/** Values that a planner found, by the name of the parameter. */
export interface InferredValues {
  readonly [name: string]: unknown;
}

/** Reaction of a plan to a step that has no data. */
export type OnStatus = "stop" | "continue" | "skip";

/** A generated function, as the engine calls it. */
export type StepTool = (params: never, options?: CallOptions) => Promise<AnyResult>;

/**
 * Keys of a step that its module always or sometimes writes.
 *
 * @typeParam Names parameters that a planner may have to find
 */
export interface StepDeclaration<Sources, Params, Names extends string = never> extends Pick<
  PlanStep<Sources>,
  "effect" | "id" | "manifest" | "toolId" | "when"
> {
  readonly after?: readonly string[];
  readonly needs?: readonly string[];
  readonly reads?: readonly DataPath[];
  readonly on?: { readonly [status: string]: OnStatus };
  readonly isRepeatable?: true | "keyed";
  readonly suspends?: true;
  /** Returns names of parameters whose values a planner has to find. */
  readonly infer?: (from: Sources) => readonly Names[];
  /**
   * Returns the parameters of the step's call.
   *
   * @param inferred values of the parameters that `infer` named
   */
  readonly params: (from: Sources, inferred: Inferred<Params, Names>) => Params;
}

/** The same for a loop. */
export interface LoopDeclaration<Sources, Item, Params, Names extends string = never> extends Omit<
  StepDeclaration<Sources, Params>,
  "infer" | "params"
> {
  /** Returns the list of items. */
  readonly list: (from: Sources) => readonly Item[];
  readonly maxItems?: number;
  readonly infer?: (from: Sources, item: Item) => readonly Names[];
  /** Returns the parameters of one item's call. */
  readonly params: (from: Sources, item: Item, inferred: Inferred<Params, Names>) => Params;
}

/** Names of a tool's parameters. */
export type NamesOf<Params> = Params extends unknown ? Extract<keyof Params, string> : never;

/**
 * Values that a planner found, as a module reads them. The engine leaves out a parameter for which
 * the planner found nothing, and the tool's validator checks the others.
 */
export type Inferred<Params, Names extends string> = {
  readonly [Name in Names]: Exclude<ValueOf<Params, Name>, undefined>;
};

type ValueOf<Params, Name extends string> = Params extends { readonly [N in Name]?: infer Value }
  ? Value
  : never;

/** Declares a step that makes one call. TypeScript checks its parameters against the tool's. */
export function step<
  Sources,
  Params,
  Result extends AnyResult,
  const Names extends NamesOf<Params> = never,
>(
  tool: (params: Params, options?: CallOptions) => Promise<Result>,
  declared: StepDeclaration<Sources, NoInfer<Params>, Names>,
): PlanStep<Sources> {
  const { params, ...rest } = declared;
  return {
    ...stepDefaults,
    ...rest,
    tool: tool as StepTool,
    // The engine passes the values that `infer` asked for.
    params: (from, _item, inferred) => params(from, inferred as Inferred<Params, Names>),
  };
}

/** Declares a step that makes one call for each item of a list. */
export function eachStep<
  Sources,
  Item,
  Params,
  Result extends AnyResult,
  const Names extends NamesOf<Params> = never,
>(
  tool: (params: Params, options?: CallOptions) => Promise<Result>,
  declared: LoopDeclaration<Sources, Item, NoInfer<Params>, Names>,
): PlanStep<Sources> {
  const { infer, params, ...rest } = declared;
  return {
    ...stepDefaults,
    ...rest,
    tool: tool as StepTool,
    // The engine passes the items of `list`, and the values that `infer` asked for.
    ...(infer && { infer: (from, item) => infer(from, item as Item) }),
    params: (from, item, inferred) =>
      params(from, item as Item, inferred as Inferred<Params, Names>),
  };
}

/** Returns the name of a parameter in a list, for `infer`; empty if the parameter has a value. */
export function missing<const Name extends string>(name: Name, value: unknown): readonly Name[] {
  return value === undefined ? [name] : [];
}

/**
 * Returns a list without absent items, for a path that picks an optional property of each item.
 * Undefined if there is no list.
 */
export function present<Value>(list: readonly Value[]): Exclude<Value, undefined>[];
export function present<Value>(
  list: readonly Value[] | undefined,
): Exclude<Value, undefined>[] | undefined;
export function present<Value>(
  list: readonly Value[] | undefined,
): Exclude<Value, undefined>[] | undefined {
  return list?.filter((each): each is Exclude<Value, undefined> => each !== undefined);
}

/** Returns an object with the property, or without it if the value is absent or null. */
export function given<Name extends string, Value>(
  name: Name,
  value: Value,
): { readonly [N in Name]?: NonNullable<Value> } {
  // A computed key makes TypeScript forget its name.
  return (value == null ? {} : { [name]: value }) as { readonly [N in Name]?: NonNullable<Value> };
}

/** An absent value, without which a plan can't go on. */
export class AbsentValue extends Error {
  /** Path of the value, as the plan writes it. */
  readonly source: string;

  constructor(source: string) {
    super(`there is no value at ${source}`);
    this.source = source;
  }
}

/**
 * Returns a value that is neither absent nor null.
 *
 * @throws AbsentValue
 */
export function needed<Value>(value: Value, source: string): NonNullable<Value> {
  if (value == null) throw new AbsentValue(source);
  return value;
}

/** Defaults that the compiler leaves out of generated modules. */
export const stepDefaults = {
  after: [],
  needs: [],
  reads: [],
  on: {},
  maxItems: 10_000,
  isRepeatable: false,
  suspends: false,
} as const;

/** The data that a tool's answers carry. */
export type StepData<Tool> = Extract<ResultOf<Tool>, { readonly data: unknown }>["data"];

/**
 * The answers with which a step ends its plan: those without data, with the step's id.
 *
 * @typeParam Handled statuses after which the plan goes on
 */
export type StepStop<Tool, Id extends string, Handled extends string = never> = StoppedAt<
  Exclude<
    ResultOf<Tool>,
    { readonly data: unknown } | { readonly status: Handled | "shadow" | "suspended" }
  >,
  Id
>;

type StoppedAt<Result, Id extends string> = Result extends AnyResult
  ? Omit<Result, "step"> & {
      /** Id of the step; for a step that is a plan, followed by a dot and the id of its step. */
      readonly step: Result extends { readonly step: infer Inner extends string }
        ? `${Id}.${Inner}`
        : Id;
    }
  : never;

type ResultOf<Tool> = Tool extends (...args: never) => Promise<infer Result> ? Result : never;

/** The answer of a plan in shadow mode: its reads were made, and its writes were recorded. */
export interface ShadowedPlan {
  readonly status: "shadow";
  /** Step that needs the answer of a write that was only recorded; absent if there is none. */
  readonly step?: string;
  /** The recorded requests, in the order of the steps. */
  readonly steps: readonly RecordedStep[];
}

/** A write that was recorded instead of made. */
export interface RecordedStep {
  readonly step: string;
  /** Id of the tool: `skill/tool`. */
  readonly tool: string;
  /** The request, as the tool's own shadow mode records it. */
  readonly request: JsonValue;
}
