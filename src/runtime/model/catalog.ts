import type { CallerField } from "../caller.js";
import type { JsonValue } from "../json/json.js";
import type { Capability } from "../reach.js";
import type { Effect, Mode, Prerequisites } from "../tool.js";
import type { SchemaDefinitions } from "./whole-schema.js";

/**
 * The content of generated/catalog.ts: everything that models are offered and policies are checked
 * against.
 *
 * @typeParam Handlers the `Handlers` type of generated/handlers.ts; unknown for a catalog from
 * elsewhere
 */
export interface Catalog<
  SkillName extends string = string,
  ToolId extends string = string,
  Handlers = unknown,
> {
  /** Skills of the project. */
  readonly skills: readonly CatalogSkill<SkillName, ToolId>[];
  /**
   * Exists only in types. It carries each tool's parameters and answers to functions that take a
   * catalog.
   */
  readonly [handlers]?: Handlers;
}

declare const handlers: unique symbol;

/** One skill of a catalog. */
export interface CatalogSkill<Name extends string = string, ToolId extends string = string> {
  /** Name of the skill. */
  readonly name: Name;
  /** Description of the skill. */
  readonly description: string;
  /** Markdown of SKILL.md, for an agent's prompt. */
  readonly body: string;
  /** Path of the file, relative to the project, with `/`. */
  readonly file: string;
  /** Prerequisites of the skill's tools. */
  readonly prerequisites: Prerequisites;
  /**
   * Schemas that several tools' schemas refer to as `#/$defs/<name>`; absent if there are none.
   * `offerTools` adds the needed ones to each tool's schema.
   */
  readonly $defs?: SchemaDefinitions;
  /** Tools of the skill. */
  readonly tools: readonly CatalogTool<ToolId>[];
}

/** One tool of a catalog. */
export interface CatalogTool<Id extends string = string> {
  /** Id `skill/tool`: the key of handlers, ledger records and policies. */
  readonly id: Id;
  /** Name as the author wrote it. */
  readonly name: string;
  /** Name for models: at most 64 letters, digits, `_` and `-`. */
  readonly model_name: string;
  /** Name of the function that generated/<skill>/index.ts exports. */
  readonly function: string;
  /** Description of the tool. */
  readonly description: string;
  /** JSON Schema 2020-12 of the parameters, with `$schema` and `$id`. */
  readonly input_schema: JsonValue;
  /**
   * JSON Schema of a success's `data`, or of each item of a stream; null if the skill declares
   * none.
   */
  readonly output_schema: JsonValue;
  /**
   * Name of the one property in which models pass all parameters, because hosts reject a schema
   * like this; absent if models pass the parameters directly.
   */
  readonly input_parameter?: string;
  /**
   * Offered names of properties, by own name: models use them because their APIs reject the own
   * names. Absent if there are none.
   */
  readonly input_names?: { readonly [name: string]: string };
  /**
   * Name of the extra parameter by which models ask for the next page; absent if the tool has no
   * pages.
   */
  readonly next_parameter?: string;
  /**
   * Name of the tool's own parameter that names a page; absent if the tool has none. An offer
   * leaves this parameter out, because models ask for pages by `next_parameter`.
   */
  readonly page_parameter?: string;
  /** Binding kind, or `handler` for a tool that the application serves. */
  readonly kind: string;
  /** True if the tool can't be called until the application gives it a handler. */
  readonly needs_handler: boolean;
  /** Effect of a call: read or write. */
  readonly side_effect: Effect;
  /** Mode of calls, unless the runtime sets another. */
  readonly mode: Mode;
  /**
   * Set if the skill defines the idempotency key of each call (`binding.idempotency.key`), so that
   * callers give none.
   */
  readonly has_own_key?: true;
  /** Risk level of the tool. */
  readonly risk_level: "low" | "medium" | "high" | "critical";
  /** True if a person should confirm each call. */
  readonly requires_confirmation: boolean;
  /**
   * SHA-256 in hex of everything that the skill declares about the tool. If a database reported
   * types of parameters, their hash follows after a `-`. It equals `version.manifest` of the
   * contract and of ledger records.
   */
  readonly manifest_hash: string;
  /** Version that the author set. */
  readonly version?: string;
  /**
   * Everything that a call may reach, as far as the binding shows it. It leaves out what functions,
   * triggers and cascading keys of a database touch.
   */
  readonly capabilities: readonly Capability[];
  /** Fields that a call needs from its caller; absent if it needs none. */
  readonly caller?: readonly CallerField[];
  /** How a call is undone; absent for a read, and if the skill says nothing. */
  readonly rollback?: CatalogRollback;
  /**
   * Other names of parameters, by parameter: names under which other tools and inputs know the same
   * value. Absent if there are none.
   */
  readonly param_aliases?: { readonly [parameter: string]: readonly string[] };
  /** Tags of the tool. */
  readonly tags: readonly string[];
  /** Deprecation of the tool: false, true, the reason, or details. */
  readonly deprecated: boolean | string | CatalogDeprecation;
  /** Governance of the tool; absent if its skill declares none. */
  readonly governance?: CatalogGovernance;
}

/** How a call of a tool is undone. */
export type CatalogRollback =
  | {
      readonly strategy: "compensate";
      /** Id of the tool that undoes a call: `skill/tool`. */
      readonly tool: string;
    }
  | { readonly strategy: "effects" | "backup" }
  | {
      readonly strategy: "none";
      /** The author's reason. */
      readonly reason: string;
    };

/** Governance that a skill declares for a tool. Undeclared fields are absent. */
export interface CatalogGovernance {
  /** Scopes that a caller must hold. */
  readonly scopes?: readonly string[];
  /** Capabilities that the author declares, to narrow the tool's `capabilities`. */
  readonly capabilities?: readonly string[];
  /** Set for a handler: its author declares what it reaches, and nothing enforces that. */
  readonly reach?: "declared";
  /**
   * Which calls need approval: those that meet a Cedar condition, or every call. `ttl_ms` is the
   * approval's lifetime in milliseconds. With `by: person`, the caller's own subject may approve;
   * without `by`, only somebody else.
   */
  readonly approval?: {
    readonly when?: string;
    readonly ttl_ms?: number;
    readonly by?: "person";
  };
  /** Limits for each tenant. */
  readonly limits?: CatalogLimits;
  /** `keyed`: a call with a key is made once. */
  readonly idempotency?: "keyed";
  /** `serial`: calls run one at a time for each tenant. */
  readonly concurrency?: "serial";
  /** `paused`: calls are denied until somebody enables the tool. */
  readonly state?: "paused";
  /** Name for people. */
  readonly display_name?: string;
  /** Name of a group of tools, for people. */
  readonly group?: string;
  /** Names of models that the tool is meant for; `*` stands for any text. */
  readonly models?: readonly string[];
}

/** Limits of a tool for each tenant; sizes in bytes. */
export interface CatalogLimits {
  /** Maximum number of calls in each minute. */
  readonly calls_per_minute?: number;
  /** Maximum number of calls at the same time. */
  readonly concurrent?: number;
  /** Maximum size of the arguments as JSON, in bytes. */
  readonly bytes_in?: number;
  /** Maximum size of the answer as JSON, in bytes. */
  readonly bytes_out?: number;
  /** Cost of one call, in units of the project; 1 by default. */
  readonly cost?: number;
}

/** Details of a deprecation. Models are not offered deprecated tools. */
export interface CatalogDeprecation {
  /** Version or day since which the tool is deprecated. */
  readonly since?: string;
  /** Replacement. */
  readonly use?: string;
  /** Reason for the deprecation. */
  readonly reason?: string;
}
