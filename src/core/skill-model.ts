/**
 * Models between the stages: `project.ts` (read), `skill-syntax.ts` and `syntax-node.ts` (parse),
 * this file (resolve and analyze), `lowered-skill.ts` (lower), `output.ts` (emit). Diagnostics go
 * into `report.ts`, each with a `span.ts`; `diagnostic-entry.ts` documents their codes. `code.ts`
 * is the only way into generated text.
 */
import type { GovernanceModel } from "./governance-model.js";
import type { JsonSchema } from "./json.js";
import type { FileSettings } from "./project.js";
import type { RollbackModel } from "./rollback-model.js";
import type { Span } from "./span.js";

/** `active`: calls are made. `shadow`: writes are only recorded. */
export type Mode = "active" | "shadow";
/** `read`: a call changes nothing. `write`: a call may change something. */
export type Effect = "read" | "write";
/** From least to most severe. */
export const riskLevels = ["low", "medium", "high", "critical"] as const;
export type RiskLevel = (typeof riskLevels)[number];

/**
 * A skill with all references resolved and all defaults applied. Plain data that survives
 * `JSON.stringify`.
 */
export interface SkillModel {
  readonly kind: "skill";
  /** Declared name, else the folder's name. */
  readonly name: string;
  readonly description: string;
  /** Path relative to the project root, with `/`. */
  readonly folder: string;
  readonly file: string;
  /** Markdown body, for an agent's prompt. */
  readonly body: string;
  /** Further keys of the Agent Skills specification; absent if the author wrote none. */
  readonly portable?: PortableKeys;
  readonly span: Span;
  readonly prerequisites: Prerequisites;
  readonly tools: readonly ToolModel[];
  /** Accepted diagnostics of the skill and its tools, including tools with errors. */
  readonly acceptances: readonly Acceptance[];
}

/** Keys of front matter for other programs, as their author wrote them. */
export interface PortableKeys {
  readonly license?: string;
  readonly compatibility?: string;
  /** Value of `allowed-tools`. */
  readonly allowedTools?: string;
}

/** A diagnostic that an author accepts: an entry of `accept:`. */
export interface Acceptance {
  /** Name of the skill. */
  readonly skill: string;
  /** Name of the tool; absent for the whole skill. */
  readonly tool?: string;
  readonly code: string;
  /** Span of the code. */
  readonly span: Span;
  /** Reason for the acceptance; blank if the author gives none. */
  readonly reason: string;
}

/** Conditions for offering a skill's tools. */
export interface Prerequisites {
  /** Environment variables that must be set and not empty. */
  readonly env: readonly string[];
  /** Executables that must be on PATH. */
  readonly bins: readonly string[];
  /** Keys that must be set in the application's configuration. */
  readonly config: readonly string[];
  /** Values of Node's `process.platform`, of which any one suffices. Empty: every system. */
  readonly os: readonly string[];
}

/** A tool with all references resolved and all defaults applied. */
export interface ToolModel {
  readonly kind: "tool";
  /** Name as the author wrote it. */
  readonly name: string;
  /** Span of the name. */
  readonly span: Span;
  /** SHA-256 of the author's whole statement about the tool, in hex. */
  readonly manifest: string;
  /** Description of the tool. */
  readonly description: string;
  /** Schema of the parameters. */
  readonly parameters: SchemaModel;
  /**
   * Names of the parameters whose types an engine inferred. Absent before the analysis, and if
   * there are none.
   */
  readonly inferred?: readonly string[];
  /** Schema of a success's `data`, if declared. */
  readonly returns?: SchemaModel;
  /** Risk level of the tool; its default if the author declares none. */
  readonly riskLevel: RiskLevel;
  /** Span of the risk, in the tool or its skill; absent if nobody states it. */
  readonly riskSpan?: Span;
  /** True if a person should confirm each call. */
  readonly requiresConfirmation: boolean;
  /** The parameters that are files, and limits for them; absent if there are none. */
  readonly files?: FileRules;
  /** Parameters that are deliberately unused. */
  readonly unused: readonly { readonly name: string; readonly span: Span }[];
  /** Other names of parameters; absent if there are none. */
  readonly paramAliases?: readonly ParamAliases[];
  /** Tags of the tool. */
  readonly tags: readonly string[];
  /** Version that the author set. */
  readonly version?: string;
  /** `true`, a reason, or details. */
  readonly deprecated: boolean | string | Deprecation;
  /** Governance of the tool; absent if the skill has none. */
  readonly governance?: GovernanceModel;
  /** How a call is undone; absent if nobody says it. */
  readonly rollback?: RollbackModel;
  /** Binding of the tool. */
  readonly binding: BindingModel;
}

/** Files that a tool accepts: its parameters, and the project's settings. */
export interface FileRules extends FileSettings {
  /** Paths of the files in the parameters: property names, `*` for every item of a list. */
  readonly at: readonly (readonly string[])[];
}

/** Names under which other tools and inputs know the value of a parameter. */
export interface ParamAliases {
  /** Name of the parameter. */
  readonly parameter: string;
  /** Span of that name. */
  readonly span: Span;
  /** Other names of the parameter, each once. */
  readonly names: readonly string[];
}

/** Marks a tool that models are no longer offered. */
export interface Deprecation {
  /** Version or day since which the tool is deprecated. */
  readonly since?: string;
  /** The tool to use instead. */
  readonly use?: string;
  readonly reason?: string;
}

/**
 * Binding of a tool: the common keys, and the kind's own model. A tool without a binding has the
 * kind `handler`.
 */
export interface BindingModel {
  /** Name of the kind in the registry. */
  readonly type: string;
  /** Span of the binding. */
  readonly span: Span;
  /** Mode of calls. */
  readonly mode: Mode;
  /** Time limit of one attempt, connecting included, in milliseconds; 0 for no limit. */
  readonly timeoutMs: number;
  /** Retries of failed attempts. */
  readonly retry: RetryModel;
  /**
   * True if the author declares that repeating does no harm: `idempotency: natural`. The kind keeps
   * other forms of the key.
   */
  readonly naturallyIdempotent: boolean;
  /** True if a repeated call has no further effect: by the protocol, a key, or the author's word. */
  readonly idempotent: boolean;
  /** Effect of a call. */
  readonly effect: Effect;
  /** Span that declares or shows the effect; absent if there is none. */
  readonly effectSpan?: Span;
  /** The kind's own model: plain data that only the kind reads. */
  readonly config: object;
  /** Credentials and settings in the binding. */
  readonly credentials: readonly CredentialUse[];
  /** References to parameters in the binding. */
  readonly references: readonly ParameterReference[];
  /**
   * Names of the parameters that are paths of files, with the names of fields below them. Policies
   * see them absolute and without links, and can read `context.paths` and `context.within`. Absent
   * if the binding uses no files of callers.
   */
  readonly paths?: readonly (readonly string[])[];
  /** Fields of the caller that it uses, each once; absent if there are none. */
  readonly caller?: readonly string[];
}

export interface RetryModel {
  /** Maximum number of attempts, including the first. */
  readonly maxAttempts: number;
  /** Delay before the second attempt, in milliseconds. */
  readonly backoffMs: number;
  readonly backoffMultiplier: number;
}

/** A `${NAME}` in a binding. */
export interface CredentialUse {
  /** Name of the credential or setting. */
  readonly name: string;
  /** Span of the reference. */
  readonly span: Span;
}

/** A `{param}` or `{param.field}` in a binding. */
export interface ParameterReference {
  /** Name of the parameter, then of the fields below it. */
  readonly path: readonly string[];
  /** Span of the reference. */
  readonly span: Span;
}

/**
 * One JSON Schema document (`parameters`, `returns`, `response_schema`, …), bundled and normalized:
 * draft 2020-12, every `$ref` inside the document, every default checked. Types, validators and
 * look-ups all use this form.
 */
export interface SchemaModel {
  readonly kind: "schema";
  /** The normalized schema. */
  readonly schema: JsonSchema;
  /** Span of the schema in the author's file. */
  readonly span: Span;
  /**
   * Spans of the subschemas in the author's files, by JSON pointer into `schema`. A shared schema
   * has its own.
   */
  readonly places: { readonly [pointer: string]: Span };
  /** Shared entries of the root's `$defs`; absent if there are none. */
  readonly shared?: readonly SharedSchema[];
}

/**
 * A schema in a file that documents refer to; all of them share the same object. Its type and
 * validator are in their own modules, made once.
 */
export interface SharedSchema {
  readonly kind: "shared-schema";
  /** Name in `$defs` of every document, unique in the project. */
  readonly name: string;
  /** Path of its modules below the output folder, without extension: `order-desk/schemas/line`. */
  readonly module: string;
  readonly typeName: string;
  /** Name in a document without another definition of that name: `line`. */
  readonly shortName: string;
  readonly span: Span;
  /** Normalized schema. It refers to other schemas, and to itself, by `#/$defs/<name>`. */
  readonly schema: JsonSchema;
  /** Spans as in `SchemaModel`, by pointer into its own `schema`. */
  readonly places: { readonly [pointer: string]: Span };
}
