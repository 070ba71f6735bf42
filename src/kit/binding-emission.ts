/** What a kind prints its part of a tool's module of, and what it gives. */
import type { Code } from "../core/code.js";
import type { BindingModel, ToolModel } from "../core/skill-model.js";

export interface EmitInput<Config extends object> {
  /** `skill/tool`. */
  readonly toolId: string;
  readonly tool: ToolModel;
  readonly binding: BindingModel;
  readonly config: Config;
  /** The stem of the tool's type names: `CreateOrder`. */
  readonly typeStem: string;
  /** Type of the parameters as the binding sees them, defaults filled in. */
  readonly argumentsType: Code;
  /** Type and validator of what callers pass. */
  readonly params: SchemaCode;
  /** Type and validator of `returns`, if declared. */
  readonly returns?: SchemaCode;
  /** Those of `schemas`, by role. */
  readonly schemas: Readonly<Record<string, SchemaCode>>;
  /** The companion's name as a module, for `imported`. */
  readonly companionModule: (suffix: string) => string;
  /** A name of this kind's runtime entries; asking imports it. */
  readonly runtime: (name: string) => Code;
}

export interface SchemaCode {
  readonly type: Code;
  readonly validator: Code;
}

/** Where answers hold what must not be recorded: paths of property names, `*` for every item. */
export interface AnswerMasks {
  /** In the data of every success that has no data of its own. */
  readonly data: readonly (readonly string[])[];
  /** In the data of the statuses that have their own, by status. */
  readonly own: { readonly [status: string]: readonly (readonly string[])[] };
  /** In the `error` of any failure. */
  readonly errors: readonly (readonly string[])[];
}

export interface BindingEmission {
  /** View of the kind's template; the result is an expression. */
  readonly view: View;
  /**
   * A module of another tool's code that belongs to this one: `<tool>.encode.ts`. Kept as it is.
   */
  readonly companion?: { readonly suffix: string; readonly code: Code };
  /** Type of `data` on success, for tools that declare no `returns`. */
  readonly dataType: Code;
  /**
   * Type of what answers an active call, given the name of the data type. What the call path
   * answers itself is joined to it elsewhere.
   */
  readonly answerType: (dataType: Code) => Code;
  /**
   * The statuses whose `data` is of a type of its own, of which `returns` says nothing. None when
   * not given.
   */
  readonly ownData?: readonly string[];
  /** What of its answers must not be recorded. Nothing when not given. */
  readonly masks?: AnswerMasks;
  /** Type of what shadow mode records of a write; JSON of any form when not given. */
  readonly recordType?: Code;
}

/**
 * What a template sees: Code at every leaf, booleans for `if`, arrays for `each`. A bare string is
 * refused.
 */
export type View = Code | boolean | undefined | readonly View[] | { readonly [name: string]: View };
