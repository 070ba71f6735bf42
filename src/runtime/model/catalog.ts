import type { CallerField } from "../caller.js";
import type { JsonValue } from "../json/json.js";
import type { Capability } from "../reach.js";
import type { Effect, Mode, Prerequisites } from "../tool.js";
import type { SchemaDefinitions } from "./whole-schema.js";

/**
 * What generated/catalog.ts holds: everything a model is offered and a policy is checked against.
 *
 * @typeParam Handlers the `Handlers` type of generated/handlers.ts; unknown for a catalog that was
 * read from elsewhere
 */
export interface Catalog<
  SkillName extends string = string,
  ToolId extends string = string,
  Handlers = unknown,
> {
  readonly skills: readonly CatalogSkill<SkillName, ToolId>[];
  /**
   * For types alone: what each tool takes and answers, so that whatever is given a catalog knows
   * its tools.
   */
  readonly [handlers]?: Handlers;
}

declare const handlers: unique symbol;

export interface CatalogSkill<Name extends string = string, ToolId extends string = string> {
  readonly name: Name;
  readonly description: string;
  /** The Markdown of SKILL.md: knowledge for an agent's prompt. */
  readonly body: string;
  /** Where it was read: relative to the project, with `/`. */
  readonly file: string;
  readonly prerequisites: Prerequisites;
  /**
   * Schemas that several tools' schemas refer to as `#/$defs/<name>`, each once; absent where there
   * are none. `offerTools` puts into a tool's schema what it needs.
   */
  readonly $defs?: SchemaDefinitions;
  readonly tools: readonly CatalogTool<ToolId>[];
}

export interface CatalogTool<Id extends string = string> {
  /** `skill/tool`: the key of handlers, ledger records and policies. */
  readonly id: Id;
  /** As the author wrote it. */
  readonly name: string;
  /** For a model's list of tools: at most 64 letters, digits, `_` and `-`. */
  readonly model_name: string;
  /** The function that generated/<skill>/index.ts exports. */
  readonly function: string;
  readonly description: string;
  /** JSON Schema 2020-12 of the parameters, with `$schema` and `$id`. */
  readonly input_schema: JsonValue;
  /** That of a success's `data`, and of a stream that of each item; null when the skill declares none. */
  readonly output_schema: JsonValue;
  /** Of a tool whose answers have pages: what models ask for the next one by, beside the parameters. */
  readonly next_parameter?: string;
  /** The binding kind; `handler` for a tool that the application serves. */
  readonly kind: string;
  /** Whether it does nothing until the application gives it a handler. */
  readonly needs_handler: boolean;
  readonly side_effect: Effect;
  readonly mode: Mode;
  readonly risk_level: "low" | "medium" | "high" | "critical";
  readonly requires_confirmation: boolean;
  /**
   * A whole SHA-256 in hex that changes with anything that the skill says of the tool, and with
   * nothing else; behind it, after a `-`, that of the parameters whose types a database told.
   * `version.manifest` of the contract and of ledger records.
   */
  readonly manifest_hash: string;
  /** The author's own, where there is one. */
  readonly version?: string;
  /**
   * All that a call may reach, as far as the binding says it: what functions, triggers and
   * cascading keys of a database touch is not in it.
   */
  readonly capabilities: readonly Capability[];
  /** What a call takes of its caller, and is refused without; absent when it takes nothing. */
  readonly caller?: readonly CallerField[];
  readonly tags: readonly string[];
  /** True, why, or what is told of it. */
  readonly deprecated: boolean | string | CatalogDeprecation;
  /** Who may call it, how often, and where to; absent where its skill says nothing of that. */
  readonly governance?: CatalogGovernance;
}

/** What a skill says of a tool's callers. What it doesn't say is absent. */
export interface CatalogGovernance {
  /** What a caller must hold, all of it. */
  readonly scopes?: readonly string[];
  /** Those that the author declares, to narrow the tool's `capabilities`. */
  readonly capabilities?: readonly string[];
  /** Of a handler: what it reaches is its author's word, and nothing holds it to that. */
  readonly reach?: "declared";
  /** Of a call by somebody else: of those that meet a condition of Cedar's, or of every one. */
  readonly approval?: { readonly when?: string; readonly ttl_ms?: number };
  /** For each tenant; bytes as a number of them. */
  readonly limits?: CatalogLimits;
  readonly idempotency?: "keyed";
  readonly concurrency?: "serial";
  /** For people. */
  readonly display_name?: string;
  readonly group?: string;
  /** Names of models that it is meant for; `*` stands for any text. */
  readonly models?: readonly string[];
}

export interface CatalogLimits {
  readonly calls_per_minute?: number;
  readonly concurrent?: number;
  readonly bytes_in?: number;
  readonly bytes_out?: number;
  readonly cost?: number;
}

/** That models are no longer offered a tool. */
export interface CatalogDeprecation {
  /** A version, or a day. */
  readonly since?: string;
  /** What to use instead. */
  readonly use?: string;
  readonly reason?: string;
}
