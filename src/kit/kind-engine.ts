/**
 * Engines find out more about a kind's tools than their text shows, for example with a database
 * that the compiler queries.
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
  /** Set if the session has `inferParameters`. Authors may then omit the type of a parameter. */
  readonly infersParameters?: true;
  /**
   * Set if the session can analyze a tool so that `tsc` checks less of its code. A tool whose code
   * does not type-check is compiled again in that plain form. A diagnostic of the session or of
   * `check` then reports that.
   */
  readonly hasPlainForm?: true;
  /** Names in a tool's code that `tsc` checks; only for an analyzed config. */
  references?(config: Config): CheckedReferences;
  /**
   * Reads the schemas of servers that the settings name, as files of the project. Tools are then
   * analyzed with the files, without a server.
   */
  pull?(input: PullInput<Config, Settings>): Promise<readonly PulledSchema[]>;
  /** Tables behind a connection, for imports. */
  tables?(input: TablesInput<Settings>): Promise<ReadTables | undefined>;
}

export interface SessionInput<Settings = unknown> {
  /** Result of the kind's `settings`; undefined for a kind without settings. */
  readonly settings: Settings;
  /** The project's files by path, including those that the settings name. */
  readonly files: ReadonlyMap<string, SourceFile>;
  /** Files of the project that could not be read. Those that the settings name were reported. */
  readonly unread?: ReadonlyMap<string, unknown>;
  /** Similar file names, by paths of the settings that name no file. */
  readonly near?: ReadonlyMap<string, string>;
  /** Returns the current value of a `${NAME}`; undefined if it is not set. */
  readonly setting: (name: string) => Promise<string | undefined>;
  /** Reports slow work, such as `starting PostgreSQL`. */
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
  /** Returns the text of a file in the project; undefined if there is none. */
  readonly read: (path: string) => Promise<string | undefined>;
  /** The kind's tools, if their files can be read. */
  readonly tools: readonly { readonly id: string; readonly config: Config }[];
}

export interface TablesInput<Settings = unknown> extends SessionInput<Settings> {
  /** Setting with the connection's URL. skillc.yaml need not know it. */
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
  /** Name of the server's setting: `WAREHOUSE_URL`. */
  readonly name: string;
  /** Path of the file, relative to skillc.yaml. */
  readonly path: string;
  readonly text: string;
  /** Product and version of the server: `PostgreSQL 15`. */
  readonly server: string;
  /** Number of tables, views and functions. */
  readonly holds: readonly { readonly what: string; readonly count: number }[];
  /**
   * Restrictions of the file compared with the server. Each is a sentence without its full stop.
   */
  readonly notes: readonly string[];
  /**
   * Differences from the existing file; undefined if there is none, or if skillc must not replace
   * it.
   */
  readonly changes: readonly SchemaChange[] | undefined;
  /** True if a file of somebody else is at the path. */
  readonly isForeign: boolean;
  /** Lines to add to skillc.yaml, if it doesn't name the file yet. */
  readonly setting?: string;
}

/** A difference between a server and the file. */
export interface SchemaChange {
  /** Description of the difference: `table public.orders: the column note is new`. */
  readonly what: string;
  /** Ids of the tools that use the changed object. */
  readonly tools: readonly string[];
}

/**
 * Results of earlier runs; entries may be lost at any time. Returned values were stored under the
 * same key by the same build of skillc.
 */
export interface ByteStore {
  get(key: string): Promise<Uint8Array | undefined>;
  /** Absent if nothing may be written. */
  readonly set?: (key: string, value: Uint8Array) => Promise<void>;
}

/** One run's work on all tools of a kind. Expensive work starts on first use. */
export interface KindSession<Config extends object = object> {
  /**
   * Returns a text that identifies the engine's data. If it differs from that of a cached skill,
   * the skill is compiled again.
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
   * Makes the modules that tools with this config import and that don't belong to one skill,
   * whether or not the tool was analyzed. Empty, with a report, if that fails. The same path always
   * has the same code.
   */
  modules(config: Config): Promise<readonly SharedModule[]>;
  /** Reports problems that concern several tools, after all tools were analyzed. */
  finish?(): void;
  close(): Promise<void>;
}

/** Schemas of parameters that don't state a type, by name. */
export type SilentParameters = ReadonlyMap<string, JsonObject>;

/** Form of a tool's code: the usual one, or one that is as simple as possible for `tsc`. */
export type ToolForm = "usual" | "plain";

export interface SharedModule {
  /** Path below the output folder, without extension: `databases/warehouse-url`. */
  readonly path: string;
  /** Source for the header. */
  readonly source: string;
  readonly body: Code;
  /** Every name that the body declares at its top level. */
  readonly declared: ReadonlySet<string>;
}

/** Facts that `resolve` could not know yet. */
export interface AnalyzedBinding<Config extends object> {
  readonly config: Config;
  readonly references: readonly ParameterReference[];
  /** Fields of the caller that a call needs, if settings add to those of the binding. */
  readonly caller?: readonly string[];
}

/** Share of a tool's references that `tsc` checks. */
export interface CheckedReferences {
  /** Number of references to columns, tables and parameters whose names `tsc` checks. */
  readonly seen: number;
  /** Number of references that the author wrote. */
  readonly all: number;
  /** Reason why the tool does not consist of typed code; absent if it does. */
  readonly notTranslated?: string;
}
