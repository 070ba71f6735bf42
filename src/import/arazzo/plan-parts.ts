/** Parts that the files about drafting a plan share. */
import type { JsonValue } from "../../core/json.js";
import type { DocumentLocation } from "../openapi/read/document.js";
import type { Note } from "../openapi/note.js";
import type { Workflow } from "./description.js";
import type { NoTool, StepTool } from "./operations.js";

/** Path of a part below a tool: `["binding", "steps", 0, "bindings", "pet_id"]`. */
export type PartPath = readonly (string | number)[];

export function partKey(path: PartPath): string {
  return JSON.stringify(path);
}

/** A change after which the compiler accepts a part. */
export interface Repair {
  /** Reaction to a value that may be absent. */
  readonly absent?: "error" | "omit";
  /** Set if a number or a boolean must be a text. */
  readonly isText?: true;
  /** Set if a literal text must be the JSON that it contains, or the other way round. */
  readonly isCoerced?: true;
  /** First problem of the part, which a later one may hide. */
  readonly reason?: string;
  /** Reason why the part is left out. */
  readonly dropped?: string;
}

/** Repairs by the key of the part's path. */
export type Repairs = ReadonlyMap<string, Repair>;

/** Source of a value, or the reason why there is none. */
export type ValueSource =
  | { readonly kind: "path"; readonly path: string; readonly around?: readonly [string, string] }
  | { readonly kind: "literal"; readonly value: JsonValue }
  | { readonly kind: "none"; readonly why: string };

export function noSource(why: string): ValueSource {
  return { kind: "none", why };
}

/** A workflow with the names that its plan uses. */
export interface NamedWorkflow {
  readonly workflow: Workflow;
  /** Name of the tool. */
  readonly name: string;
  /** Names of the parameters by those of the inputs. */
  readonly inputs: ReadonlyMap<string, string>;
  /** Ids of the steps by those of the document. */
  readonly steps: ReadonlyMap<string, string>;
}

/** Facts from which the plans are drafted. */
export interface PlanContext {
  readonly workflows: readonly NamedWorkflow[];
  /** Reasons why workflows are left out, by their ids. */
  readonly leftOut: ReadonlyMap<string, string>;
  toolOf(step: Workflow["steps"][number]): StepTool | NoTool;
}

/** Reports a part that the plan lacks or changes, at its place in the document. */
export type Told = (
  code: "import/part-left-out" | "import/taken-otherwise",
  at: DocumentLocation,
  message: string,
  help?: string,
) => void;

export interface DraftedPlan {
  readonly named: NamedWorkflow;
  readonly tool: { readonly [key: string]: JsonValue };
  readonly notes: readonly Note[];
  /** Places in the document, by the keys of the parts' paths. */
  readonly places: ReadonlyMap<string, DocumentLocation>;
  /**
   * Keys of the parts that the plan may leave out if they have no value: optional parameters from
   * inputs. If a value of an earlier step is absent, the step must not be made.
   */
  readonly omittable: ReadonlySet<string>;
  /** Reason why there is no plan. */
  readonly obstacle?: { readonly at: DocumentLocation; readonly why: string };
}
