/** The input and output of a kind's printer for its part of a tool's module. */
import type { Code } from "../core/code.js";
import type { Dependencies } from "../core/lowered-skill.js";
import type { BindingModel, ToolModel } from "../core/skill-model.js";

/** The data from which a kind prints its part of a tool's module. */
export interface EmitInput<Config extends object> {
  /** Id of the tool: `skill/tool`. */
  readonly toolId: string;
  /** Model of the tool. */
  readonly tool: ToolModel;
  /** Model of the tool's binding. */
  readonly binding: BindingModel;
  /** The kind's own model. */
  readonly config: Config;
  /** Fingerprints of the tools that the tool depends on, by id; absent if there are none. */
  readonly dependencies?: Dependencies;
  /** Stem of the tool's type names: `CreateOrder`. */
  readonly typeStem: string;
  /** Type of the parameters with defaults, as the binding sees them. */
  readonly argumentsType: Code;
  /** Type and validator of the caller's parameters. */
  readonly params: SchemaCode;
  /** Type and validator of `returns`, if declared. */
  readonly returns?: SchemaCode;
  /** Code of `schemas`, by role. */
  readonly schemas: Readonly<Record<string, SchemaCode>>;
  /** Returns the module name of the companion, for `imported`. */
  readonly companionModule: (suffix: string) => string;
  /** Returns a name of this kind's runtime entries, and imports it. */
  readonly runtime: (name: string) => Code;
}

/** Generated type and validator of a schema. */
export interface SchemaCode {
  /** Type of the values. */
  readonly type: Code;
  /** Validator of the values. */
  readonly validator: Code;
}

/** Paths in results that must not be recorded: property names, `*` for every item. */
export interface AnswerMasks {
  /** Paths in the data of every success without its own data type. */
  readonly data: readonly (readonly string[])[];
  /** Paths in the data of statuses with their own data type, by status. */
  readonly own: { readonly [status: string]: readonly (readonly string[])[] };
  /** Paths in the `error` of any failure. */
  readonly errors: readonly (readonly string[])[];
}

/** Code that a kind generates for a tool. */
export interface BindingEmission {
  /** View of the kind's template, which prints an expression. */
  readonly view: View;
  /** A module with further code of the tool: `<tool>.encode.ts`. It is not formatted. */
  readonly companion?: { readonly suffix: string; readonly code: Code };
  /** Type of `data` on success, for tools without `returns`. */
  readonly dataType: Code;
  /**
   * Validator of `data` on success, for tools without `returns`. Set if the call checks the data,
   * and not the binding.
   */
  readonly dataValidator?: Code;
  /**
   * Type of an active call's result, given the name of the data type. Results of the runtime itself
   * are added elsewhere.
   */
  readonly answerType: (dataType: Code) => Code;
  /** Statuses whose `data` has its own type, which `returns` doesn't describe. None if absent. */
  readonly ownData?: readonly string[];
  /**
   * Parameters that must not be recorded, beside those that their schema marks: property names.
   * None if absent.
   */
  readonly maskedParameters?: readonly (readonly string[])[];
  /** Parts of results that must not be recorded. None if absent. */
  readonly masks?: AnswerMasks;
  /** Type of a write's record in shadow mode; any JSON by default. */
  readonly recordType?: Code;
  /** Type of the whole answer of a write in shadow mode; `Shadowed<recordType>` by default. */
  readonly shadowedType?: Code;
  /** Declarations of the module on which the binding's expression relies, with their names. */
  readonly declarations?: readonly { readonly name: string; readonly code: Code }[];
}

/**
 * Input of a template: Code at every leaf, booleans for `if`, arrays for `each`. A bare string is
 * rejected.
 */
export type View = Code | boolean | undefined | readonly View[] | { readonly [name: string]: View };
