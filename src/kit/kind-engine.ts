/**
 * Engines know more about a kind's tools than their text says: a database that the compiler
 * queries, for example.
 */
import type { DatabaseModel } from "../core/database-model.js";
import type { Code } from "../core/code.js";
import type { JsonObject } from "../core/json.js";
import type { Report } from "../core/report.js";
import type { ParameterReference, ToolModel } from "../core/skill-model.js";
import type { SourceFile } from "../core/source-file.js";
import type { InferredParameters } from "../schema/silent.js";

/** Opens sessions that analyze the tools of a kind. */
export interface KindEngine<Config extends object = object, Settings = unknown> {
  open(input: SessionInput<Settings>): KindSession<Config>;
  /**
   * Set when the session has `inferParameters`: authors may then leave the type of a parameter out.
   */
  readonly infersParameters?: true;
  /**
   * Set when the session can analyze a tool so that its code asks less of `tsc`: what does not
   * type-check is compiled again in that plain form. The session's diagnostics or `check`'s then
   * say so.
   */
  readonly hasPlainForm?: true;
  /** Names in a tool's code that `tsc` checks; only for an analyzed config. */
  references?(config: Config): CheckedReferences;
  /**
   * The schemas of servers that the settings name, as files of the project: tools are then analyzed
   * with these, and no server is needed.
   */
  pull?(input: PullInput<Config, Settings>): Promise<readonly PulledSchema[]>;
  /** Tables behind a connection, for imports. */
  tables?(input: TablesInput<Settings>): Promise<ReadTables | undefined>;
}

export interface SessionInput<Settings = unknown> {
  /** Result of the kind's `settings`; undefined for a kind without settings. */
  readonly settings: Settings;
  /** The project's files by path, those that the settings name among them. */
  readonly files: ReadonlyMap<string, SourceFile>;
  /**
   * Files of the project that could not be read, which was reported for those that the settings
   * name.
   */
  readonly unread?: ReadonlyMap<string, unknown>;
  /** Similar file names, by paths of the settings that name no file. */
  readonly near?: ReadonlyMap<string, string>;
  /** The value of a `${NAME}` here and now; undefined when it is not set. */
  readonly setting: (name: string) => Promise<string | undefined>;
  /** Says what takes long: `starting PostgreSQL`. */
  readonly progress: (doing: string) => void;
  /** Receives problems of the settings, and of the files that they name. */
  readonly report: Report;
  /** Cache for expensive results; absent if nothing is cached. */
  readonly store?: ByteStore;
}

export interface PullInput<Config extends object = object, Settings = unknown> extends Pick<
  SessionInput<Settings>,
  "settings" | "progress" | "setting" | "report"
> {
  /** Requested databases, by the names of their settings. Empty for all with a schema file. */
  readonly names: readonly string[];
  /** Text of a file in the project; undefined if there is none. */
  readonly read: (path: string) => Promise<string | undefined>;
  /** The kind's tools, as far as their files can be read. */
  readonly tools: readonly { readonly id: string; readonly config: Config }[];
}

export interface TablesInput<Settings = unknown> extends SessionInput<Settings> {
  /** The setting that holds the connection's URL; skillc.yaml need not know it. */
  readonly name: string;
}

export type ReadTables =
  | {
      readonly kind: "read";
      readonly database: DatabaseModel;
      /** Lines to add to skillc.yaml, if it doesn't have the database yet. */
      readonly setting?: string;
      /**
       * Set if the tables come from a server although `generate` reads a file that `skillc db pull`
       * wrote.
       */
      readonly isPulled?: true;
    }
  | { readonly kind: "refused"; readonly message: string; readonly help: string };

/** A server's schema as a file. */
export interface PulledSchema {
  /** The name of its setting: `WAREHOUSE_URL`. */
  readonly name: string;
  /** Relative to skillc.yaml. */
  readonly path: string;
  readonly text: string;
  /** `PostgreSQL 15` */
  readonly server: string;
  /** Number of tables, views and functions. */
  readonly holds: readonly { readonly what: string; readonly count: number }[];
  /**
   * Restrictions of the file compared with the server; each is a sentence without its full stop.
   */
  readonly notes: readonly string[];
  /**
   * Differences from the existing file; undefined if there is none, or if skillc must not replace
   * it.
   */
  readonly changes: readonly SchemaChange[] | undefined;
  /** True if somebody else's file is at its path. */
  readonly isForeign: boolean;
  /** Lines to add to skillc.yaml, if it doesn't name the file yet. */
  readonly setting?: string;
}

/** One way in which a server differs from the file. */
export interface SchemaChange {
  /** `table public.orders: the column note is new` */
  readonly what: string;
  /** Ids of the tools that use what has changed. */
  readonly tools: readonly string[];
}

/**
 * Results of earlier runs; entries may be lost at any time. Returned values were stored under the
 * same key by the same build of skillc.
 */
export interface ByteStore {
  get(key: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Absent if nothing may be written. */
  readonly set?: (key: string, value: Uint8Array) => Promise<void>;
}

/** One run's work on all tools of a kind. Expensive work starts on first use. */
export interface KindSession<Config extends object = object> {
  /**
   * Differs whenever tools are analyzed against something else: a kept skill is compiled again
   * then.
   */
  fingerprint(): Promise<string>;
  /** Tools of one group are analyzed one after another, if switching between groups is slow. */
  group?(config: Config): string;
  /**
   * Types that the engine knows for parameters without a declared type. A parameter without a known
   * type is left out, and reported unless something else reports it. The compiler adds the types to
   * the schema, so that types, validators, catalog and `analyze` agree.
   */
  inferParameters?(
    tool: ToolModel,
    config: Config,
    silent: SilentParameters,
    report: Report,
  ): Promise<InferredParameters>;
  /**
   * Analyzes a tool. Undefined, with a report, if later stages can't use the tool.
   *
   * @param form `plain` for a tool whose code did not type-check; only for kinds with such a form
   */
  analyze(
    tool: ToolModel,
    config: Config,
    report: Report,
    form: ToolForm,
  ): Promise<AnalyzedBinding<Config> | undefined>;
  /**
   * Modules that tools of this config import and that don't belong to one skill, whether the tool
   * was analyzed or not; none, and reported, when they can't be made. The same path always has the
   * same code.
   */
  modules(config: Config): Promise<readonly SharedModule[]>;
  /** Reports what concerns several tools alike, once all that are to be analyzed have been. */
  finish?(): void;
  close(): Promise<void>;
}

/** The schemas of parameters that are silent of their types, by name. */
export type SilentParameters = ReadonlyMap<string, JsonObject>;

/** Form of a tool's code: the usual one, or one that is as simple as possible for `tsc`. */
export type ToolForm = "usual" | "plain";

export interface SharedModule {
  /** Below the output folder, without extension: `databases/warehouse-url`. */
  readonly path: string;
  /** Source that its header names. */
  readonly source: string;
  readonly body: Code;
  /** Every name that the body declares at its top level. */
  readonly declared: ReadonlySet<string>;
}

/** Facts that `resolve` could not know yet. */
export interface AnalyzedBinding<Config extends object> {
  readonly config: Config;
  readonly references: readonly ParameterReference[];
  /** The fields of the caller that a call takes, where settings add to what the binding says. */
  readonly caller?: readonly string[];
}

/** How much of a tool's references `tsc` checks. */
export interface CheckedReferences {
  /**
   * References to columns, tables and parameters, as names that only type-check when they are
   * right.
   */
  readonly seen: number;
  /** Number of references that the author wrote. */
  readonly all: number;
  /** Why the tool could not be made of typed code; absent when it was. */
  readonly notTranslated?: string;
}
