/** An Arazzo description as plain data. Values that may hold expressions stay parts of it. */
import type { DocumentLocation, Part } from "../openapi/read/document.js";

export interface Description {
  readonly title: string;
  readonly summary: string;
  readonly sources: readonly SourceDescription[];
  readonly workflows: readonly Workflow[];
}

/** A document whose operations or workflows the steps call. */
export interface SourceDescription {
  readonly name: string;
  /** URL, or path relative to the description. */
  readonly url: string;
  /** `openapi`, `arazzo` or `asyncapi`. */
  readonly type: string;
  readonly at: DocumentLocation;
}

export interface Workflow {
  readonly id: string;
  readonly at: DocumentLocation;
  readonly summary: string;
  readonly description: string;
  /** JSON Schema of the inputs. */
  readonly inputs: Part | undefined;
  readonly steps: readonly Step[];
  readonly outputs: ReadonlyMap<string, Part>;
  /** Parameters of every step that takes them. */
  readonly parameters: readonly Parameter[];
  /** Parts that no plan can express, with their names. */
  readonly others: readonly { readonly name: string; readonly at: DocumentLocation }[];
}

export interface Step {
  readonly id: string;
  readonly at: DocumentLocation;
  readonly target: StepTarget;
  readonly parameters: readonly Parameter[];
  /** The request body object. */
  readonly body: Part | undefined;
  readonly criteria: readonly Part[];
  readonly outputs: ReadonlyMap<string, Part>;
  readonly onSuccess: readonly Action[];
  readonly onFailure: readonly Action[];
  readonly others: Workflow["others"];
}

/** The operation or the workflow that a step calls. */
export type StepTarget =
  | {
      readonly kind: "operation";
      readonly source?: string;
      readonly id: string;
      readonly at: DocumentLocation;
    }
  | {
      readonly kind: "path";
      readonly source: string;
      readonly path: string;
      /** In lower case; absent if the pointer ends at the path. */
      readonly method?: string;
      readonly at: DocumentLocation;
    }
  | { readonly kind: "workflow"; readonly id: string; readonly at: DocumentLocation }
  | { readonly kind: "unknown"; readonly why: string; readonly at: DocumentLocation };

export interface Parameter {
  readonly name: string;
  /** `path`, `query`, `header`, `cookie` or `querystring`; absent for inputs of a workflow. */
  readonly in: string | undefined;
  readonly value: Part;
  readonly at: DocumentLocation;
}

/** An action after a step. */
export interface Action {
  /** `end`, `goto` or `retry`. */
  readonly type: string;
  readonly step: string | undefined;
  readonly criteria: readonly Part[];
  readonly at: DocumentLocation;
}
