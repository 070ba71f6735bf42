/** A plan as plain data: first as its author wrote it, then as the tools of its steps complete it. */
import type { Capability } from "@skillc/runtime";
import type { JsonValue } from "../../../core/json.js";
import type { LinkedPathStep, LiteralValue } from "../../../core/value-path.js";
import type { SourcePath, SourceRoot } from "../../../kit/sources/source-path.js";
import type { SchemaPlace } from "../../../schema/certain-mismatches.js";
import type { Span } from "../../../core/span.js";
import type { OnStatus, PlanFacts } from "@skillc/runtime/internal/plan";

/** A plan. */
export interface PlanConfig {
  readonly steps: readonly StepModel[];
  /** Source of a success's data; absent if the data is null. */
  readonly output?: PathValue | OutputFields;
  /** Maximum number of reads at the same time; absent for the default. */
  readonly concurrency?: number;
  /** Span of `planner: true`; absent if the plan asks no planner. */
  readonly planner?: Span;
  /** Set once the tools of all steps are known. */
  readonly linked?: LinkedPlan;
}

/** One step as its author wrote it. */
export interface StepModel {
  readonly id: string;
  /** Span of the id. */
  readonly span: Span;
  /** Name of the tool: one of the same skill, or `skill/tool`. */
  readonly tool: { readonly name: string; readonly span: Span };
  /** Sources of the tool's parameters. */
  readonly bindings: readonly BindingModel[];
  /** Further steps that this one waits for. */
  readonly after: readonly Named[];
  readonly when?: ConditionModel;
  /** List of a loop. */
  readonly list?: PathValue;
  /** Maximum number of items of a loop; absent for the default. */
  readonly maxItems?: number;
  readonly on: readonly StatusAction[];
  /** Set if a write doesn't wait for the steps above it, nor the steps below for it. */
  readonly parallel: boolean;
  readonly suspends: boolean;
}

export interface Named {
  readonly name: string;
  readonly span: Span;
}

/** The source of one parameter. */
export interface BindingModel extends Named {
  readonly value: LiteralValue | PathValue | GeneratedValue;
}

/** A value without a source: a planner finds it when the step begins. */
export interface GeneratedValue {
  readonly kind: "generated";
  readonly span: Span;
}

/** A value that is read when the plan runs. */
export interface PathValue {
  readonly kind: "path";
  readonly path: SourcePath;
  /** Span of the path. */
  readonly span: Span;
  /** Replaces an absent value, and null. */
  readonly fallback?: LiteralValue;
  /**
   * Reaction to an absent value, and null: the parameter is left out, the plan ends, or a planner
   * finds the value. A planner is not asked for null if the parameter takes null.
   */
  readonly whenAbsent?: "omit" | "error" | "infer";
  /** Texts around the value: first, between and last. */
  readonly transform?: { readonly around: readonly string[]; readonly span: Span };
}

/** An output that is an object with these properties. */
export interface OutputFields {
  readonly kind: "fields";
  readonly fields: readonly FieldModel[];
  readonly span: Span;
}

/** The source of one property of an output. */
export interface FieldModel extends Named {
  readonly value: LiteralValue | PathValue;
}

/** A step runs only if a value is as expected. */
export interface ConditionModel {
  readonly source: PathValue;
  readonly test:
    | { readonly kind: "in"; readonly values: readonly JsonValue[]; readonly span: Span }
    | { readonly kind: "exists"; readonly exists: boolean; readonly span: Span };
  readonly span: Span;
}

export interface StatusAction {
  readonly status: string;
  readonly action: OnStatus;
  readonly span: Span;
}

/** A plan completed by the tools of its steps. */
export interface LinkedPlan {
  readonly steps: readonly LinkedStep[];
  readonly output?: LinkedValue | LinkedFields;
  /** Ids of the steps whose outputs `output` reads without a fallback. */
  readonly outputNeeds: readonly string[];
  /** Place of the output in a step's output, as in `LinkedStep.reads`; empty if it is none. */
  readonly outputFrom: readonly (string | number)[];
  /** The same for each property of an output that is an object. */
  readonly outputFields: Readonly<Record<string, readonly (string | number)[]>>;
  /** Schema of a success's data; absent if it is unknown. */
  readonly outputSchema?: SchemaPlace;
  /** Steps of the plans among the steps: `STEP.STEP`. */
  readonly innerSteps: readonly { readonly id: string; readonly toolId: string }[];
  readonly capabilities: readonly Capability[];
  readonly facts: PlanFacts;
  /** Set if a planner may have to find parameters of its own steps. */
  readonly asks: boolean;
  /** Set if a step may wait for an approval or for accepted work. */
  readonly maySuspend: boolean;
  /** Statuses without data with which a step can end the plan. */
  readonly stops: readonly string[];
}

/** One step, with everything that its module needs. */
export interface LinkedStep {
  readonly id: string;
  readonly span: Span;
  /** Id of the tool: `skill/tool`. */
  readonly toolId: string;
  /** Module of the tool, as the plan's module imports it. */
  readonly module: string;
  readonly functionName: string;
  readonly effect: "read" | "write";
  readonly after: readonly string[];
  readonly needs: readonly string[];
  readonly reads: readonly (readonly (string | number)[])[];
  readonly params: readonly LinkedParameter[];
  readonly when?: { readonly source: LinkedValue; readonly test: ConditionModel["test"] };
  readonly list?: LinkedValue;
  readonly maxItems?: number;
  readonly on: Readonly<Record<string, OnStatus>>;
  /** Set if the output may be absent for a step that reads it. */
  readonly mayBeAbsent: boolean;
  readonly isLoop: boolean;
  /** Set if the step can end the plan with a status of its tool. */
  readonly mayStop: boolean;
  /** Set if an item of a loop may be null. */
  readonly mayHoldNull: boolean;
  readonly isRepeatable: boolean | "keyed";
  readonly suspends: boolean;
}

export interface LinkedParameter extends Named {
  readonly value: LinkedValue | GeneratedValue;
}

/** The properties of an output, as code reads them. */
export interface LinkedFields {
  readonly kind: "fields";
  readonly fields: readonly LinkedField[];
}

export interface LinkedField extends Named {
  readonly value: LinkedValue;
}

/** A value as code reads it. */
export type LinkedValue =
  | LiteralValue
  | {
      readonly kind: "path";
      readonly root: SourceRoot;
      /** Set if the value at the root may be absent. */
      readonly optional: boolean;
      readonly steps: readonly LinkedPathStep[];
      /** Set if items of a list may lack the value; they are left out. */
      readonly dropsAbsent: boolean;
      readonly span: Span;
      readonly fallback?: LiteralValue;
      readonly whenAbsent?: WhenAbsent;
      readonly around?: readonly string[];
    };

/**
 * Reaction of code to an absent value. `error` has the text of the path, for the message. `infer`
 * says what null means: the value is there, it is missing, or it is never null.
 */
export type WhenAbsent =
  | { readonly type: "omit" }
  | { readonly type: "error"; readonly text: string }
  | { readonly type: "infer"; readonly null: "value" | "missing" | "never" };
