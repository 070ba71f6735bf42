import type { Catalogue } from "../core/catalogue.js";
import type { Code } from "../core/code.js";
import type { JsonObject } from "../core/json.js";
import type { Report } from "../core/report.js";
import type {
  BindingModel,
  CredentialUse,
  Effect,
  Mode,
  ParameterReference,
  SchemaModel,
  ToolModel,
} from "../core/skill-model.js";
import type { MapNode, SyntaxNode } from "../core/syntax-node.js";

/**
 * What a binding kind provides: everything the compiler asks of one. Shared code never asks which kind a binding is; what it needs to
 * know is a member here. Kinds that ship with skillc and kinds of a user's own are made and treated alike.
 */
export interface BindingKind<Config extends object = object> {
  /** The value of `type:` in a binding. */
  readonly type: string;
  /** What it binds to, for `skillc` messages and docs: `HTTP API`. */
  readonly title: string;
  /**
   * JSON Schema (2020-12) of the keys beyond the common ones (`type`, `mode`, `timeout_ms`, `retry`, `idempotency: natural`):
   * `properties`, `required`. Unknown keys and wrong types are reported from it before `resolve` runs. A property named
   * `idempotency` adds this kind's own forms of that key.
   */
  readonly schema: JsonObject;
  /** The modes an author may ask for. */
  readonly modes: readonly Mode[];
  /** Whether a tool of this kind does nothing until the application gives it a handler. */
  readonly needsHandler: boolean;
  /** Every diagnostic code this kind reports. */
  readonly catalogue: Catalogue;
  /** The module that generated code imports, and every name it may ask of it. */
  readonly runtime: RuntimeEntry;
  /** The Handlebars template that lays out the `binding:` expression. */
  readonly template: TemplateSource;
  /**
   * Set when `resolve` takes a mapping that doesn't fit `schema` too, and passes over what has a wrong shape, which is reported already: then
   * one run shows every other fault as well.
   */
  readonly readsMisfits?: true;
  /** Front matter → this kind's model. Reports what is wrong; undefined when nothing useful can follow. */
  resolve(input: ResolveInput): ResolvedBinding<Config> | undefined;
  /** This kind's rules, once the whole tool is known. */
  check(tool: ToolModel, config: Config, report: Report): void;
  /** Schemas beyond `parameters` and `returns` that need a type and a validator, by role: `response`, `error`. */
  schemas(config: Config): Readonly<Record<string, SchemaModel>>;
  /** Model → the template's view and the types that callers see. */
  emit(input: EmitInput<Config>): BindingEmission;
}

export interface RuntimeEntry {
  /** Module specifier, `skillc/runtime/http`, or a path relative to skillc.yaml that starts with `./`. */
  readonly module: string;
  readonly values: readonly string[];
  readonly types: readonly string[];
}

export interface TemplateSource {
  /** Where it stands, for messages: `templates/http.hbs`. */
  readonly name: string;
  readonly text: string;
}

export interface ResolveInput {
  /** The `binding:` mapping; its shape already fits `schema`, unless `fits` says otherwise. */
  readonly node: MapNode;
  /** False only for kinds that read misfits: parts are missing then, and with them what they use. */
  readonly fits?: boolean;
  /** The tool's parameters. */
  readonly parameters: SchemaModel;
  /** Reads a JSON Schema document that stands in the binding; `title` names its types. */
  readonly readSchema: (node: SyntaxNode, title: string) => SchemaModel | undefined;
  /** Text of a file below the skills folder, named relative to the skill; reports and gives undefined when it can't be had. */
  readonly readFile: (path: string, from: SyntaxNode) => string | undefined;
  readonly report: Report;
}

export interface ResolvedBinding<Config extends object> {
  readonly config: Config;
  readonly effect: Effect;
  /** Whether repeating a call does no more than making it once, by the protocol or by the author's key. */
  readonly idempotent: boolean;
  readonly egress: readonly string[];
  readonly credentials: readonly CredentialUse[];
  readonly references: readonly ParameterReference[];
}

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
  /** Type and validator of `returns`, if declared. */
  readonly returns?: SchemaCode;
  /** Those of `schemas`, by role. */
  readonly schemas: Readonly<Record<string, SchemaCode>>;
  /** A name of this kind's runtime entry; asking imports it. */
  readonly runtime: (name: string) => Code;
}

export interface SchemaCode {
  readonly type: Code;
  readonly validator: Code;
}

export interface BindingEmission {
  /** View of the kind's template; the result is an expression. */
  readonly view: View;
  /** Type of `data` on success, for tools that declare no `returns`. */
  readonly dataType: Code;
  /** Type of the whole result, given the name of the data type. */
  readonly resultType: (dataType: Code) => Code;
}

/** What a template sees: Code at every leaf, booleans for `if`, arrays for `each`. A bare string is refused. */
export type View = Code | boolean | undefined | readonly View[] | { readonly [name: string]: View };

/** Names a kind; its config type is inferred from `resolve`. The registry and skillc.yaml take what this returns. */
export function defineBinding<Config extends object>(
  kind: BindingKind<Config>,
): BindingKind<Config> {
  return Object.freeze({ ...kind });
}
