/**
 * What the stages hand on: `project.ts` (read), `skill-syntax.ts` and `syntax-node.ts` (parse),
 * this file (resolve and analyze), `lowered-skill.ts` (lower), `output.ts` (emit). Diagnostics go into
 * `report.ts`, each with a `span.ts`; `diagnostic-entry.ts` explains their codes. `code.ts` is the
 * only way into generated text.
 */
import type { GovernanceModel } from "./governance-model.js";
import type { JsonSchema, JsonValue } from "./json.js";
import type { FileSettings } from "./project.js";
import type { Span } from "./span.js";

export type Mode = "active" | "shadow";
export type Effect = "read" | "write";
/** From harmless to grave. */
export const riskLevels = ["low", "medium", "high", "critical"] as const;
export type RiskLevel = (typeof riskLevels)[number];

/**
 * A skill with every reference resolved and every default applied. Plain data: it survives
 * `JSON.stringify`.
 */
export interface SkillModel {
  readonly kind: "skill";
  /** As declared, else the folder's name. */
  readonly name: string;
  readonly description: string;
  /** Relative to the project root, with `/`. */
  readonly folder: string;
  readonly file: string;
  /** The Markdown body: knowledge for an agent's prompt. */
  readonly body: string;
  readonly span: Span;
  readonly prerequisites: Prerequisites;
  readonly tools: readonly ToolModel[];
  /** Its own and those of its tools, of broken ones too. */
  readonly acceptances: readonly Acceptance[];
}

/** What an author says of a diagnostic that is to stay: an entry of `accept:`. */
export interface Acceptance {
  /** The skill's name. */
  readonly skill: string;
  /** Absent: anywhere in the skill. */
  readonly tool?: string;
  readonly code: string;
  /** Of the code. */
  readonly span: Span;
  /** Why it is accepted; blank where the author gives no text. */
  readonly reason: string;
}

/** What must be there before a skill's tools are offered. */
export interface Prerequisites {
  /** Environment variables, set and not empty. */
  readonly env: readonly string[];
  /** Executables on PATH. */
  readonly bins: readonly string[];
  /** Keys of the application's configuration, given to the runtime. */
  readonly config: readonly string[];
  /** Names as in Node's `process.platform`; any one of them. Empty: every system. */
  readonly os: readonly string[];
}

export interface ToolModel {
  readonly kind: "tool";
  /** As the author wrote it. */
  readonly name: string;
  /** Where the name stands. */
  readonly span: Span;
  /** SHA-256, in hex, of all that its author says of it. */
  readonly manifest: string;
  readonly description: string;
  readonly parameters: SchemaModel;
  /**
   * Names of the parameters whose types are not their author's: an engine told them. Absent before
   * the analysis, and where there are none.
   */
  readonly inferred?: readonly string[];
  readonly returns?: SchemaModel;
  readonly riskLevel: RiskLevel;
  /** Where its author says so, for the tool or for its skill; absent where nobody does. */
  readonly riskSpan?: Span;
  readonly requiresConfirmation: boolean;
  /** What of its parameters is files, and which may be read; absent where none is. */
  readonly files?: FileRules;
  /** Parameters that deliberately reach nothing. */
  readonly unused: readonly { readonly name: string; readonly span: Span }[];
  readonly tags: readonly string[];
  readonly version?: string;
  /** True, why, or what is told of it. */
  readonly deprecated: boolean | string | Deprecation;
  /** Who may call it, how often and where to; absent where the skill says nothing of it. */
  readonly governance?: GovernanceModel;
  /** What undoes a call of this tool. */
  readonly rollback?: RollbackModel;
  readonly binding: BindingModel;
}

/** Which files a tool takes: its own parameters, and the project's settings. */
export interface FileRules extends FileSettings {
  /** Where they stand in the parameters: property names, `*` for every item of a list. */
  readonly at: readonly (readonly string[])[];
}

/** That models are no longer offered a tool. */
export interface Deprecation {
  /** A version, or a day. */
  readonly since?: string;
  /** What to use instead. */
  readonly use?: string;
  readonly reason?: string;
}

export interface RollbackModel {
  /** As written. */
  readonly value: JsonValue;
  /** Of the name of the tool, where there is one; else of all that is written. */
  readonly span: Span;
  /** The tool that is named: one of the same skill, or `skill/tool`. Absent where none is. */
  readonly tool?: string;
}

/**
 * A tool's binding: the common keys, and what its kind made of the rest. A tool without one has the
 * kind `handler`.
 */
export interface BindingModel {
  /** The kind's name in the registry. */
  readonly type: string;
  readonly span: Span;
  readonly mode: Mode;
  /** Milliseconds for one attempt, connection included. 0: no limit. */
  readonly timeoutMs: number;
  readonly retry: RetryModel;
  /**
   * The author's word that repeating does no harm: `idempotency: natural`. The kind keeps any other
   * form of the key.
   */
  readonly naturallyIdempotent: boolean;
  readonly effect: Effect;
  /** Where it is declared, or what shows it; absent where nothing does. */
  readonly effectSpan?: Span;
  /** The kind's own model: plain data that only that kind looks into. */
  readonly config: object;
  readonly credentials: readonly CredentialUse[];
  readonly references: readonly ParameterReference[];
  /** The fields of the caller that it takes, each once; absent where it takes none. */
  readonly caller?: readonly string[];
}

export interface RetryModel {
  /** Total attempts, the first included. */
  readonly maxAttempts: number;
  /** Milliseconds. */
  readonly backoffMs: number;
  readonly backoffMultiplier: number;
}

/** A `${NAME}` in a binding. */
export interface CredentialUse {
  readonly name: string;
  readonly span: Span;
}

/** A `{param}` or `{param.field}` in a binding. */
export interface ParameterReference {
  /** The parameter, then the fields below it. */
  readonly path: readonly string[];
  readonly span: Span;
}

/**
 * One JSON Schema document (`parameters`, `returns`, `response_schema`, …), bundled and normalized:
 * draft 2020-12, every `$ref` inside the document, every default checked. Types, validators and
 * lookups all come from this one form.
 */
export interface SchemaModel {
  readonly kind: "schema";
  readonly schema: JsonSchema;
  readonly span: Span;
  /**
   * Where each subschema stands in the author's files, by JSON pointer into `schema`; those of a
   * shared schema stand there.
   */
  readonly places: { readonly [pointer: string]: Span };
  /** Entries of the root's `$defs` that are shared; absent where there are none. */
  readonly shared?: readonly SharedSchema[];
}

/**
 * A schema in a file that documents refer to: the same object in all of them. Type and validator
 * are made once, in modules of its own.
 */
export interface SharedSchema {
  readonly kind: "shared-schema";
  /** Its name in `$defs` of every document, unique in the project. */
  readonly name: string;
  /** Of its modules below the output folder, without ending: `order-desk/schemas/line`. */
  readonly module: string;
  readonly typeName: string;
  /** What a document calls it that has no other of that name: `line`. */
  readonly shortName: string;
  readonly span: Span;
  /** Normalized; it refers to others, and to itself, by `#/$defs/<name>`. */
  readonly schema: JsonSchema;
  /** As in `SchemaModel`, by pointer into its own `schema`. */
  readonly places: { readonly [pointer: string]: Span };
}
