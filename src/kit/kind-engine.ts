/** What knows more of a kind's tools than their text says: a database, which it asks while compiling. */
import type { DatabaseModel } from "../core/database-model.js";
import type { Code } from "../core/code.js";
import type { JsonObject } from "../core/json.js";
import type { Report } from "../core/report.js";
import type { ParameterReference, ToolModel } from "../core/skill-model.js";
import type { SourceFile } from "../core/source-file.js";
import type { InferredParameters } from "../schema/silent.js";

/** What knows more of a kind's tools than their text says. */
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
  /** What a tool's code says in names that `tsc` checks; of a config that was analyzed. */
  references?(config: Config): CheckedReferences;
  /**
   * The schemas of servers that the settings name, as files of the project: tools are then analyzed
   * with these, and no server is needed.
   */
  pull?(input: PullInput<Config, Settings>): Promise<readonly PulledSchema[]>;
  /** The tables behind a connection, for those who make skills of them. */
  tables?(input: TablesInput<Settings>): Promise<ReadTables | undefined>;
}

export interface SessionInput<Settings = unknown> {
  /** What the kind's `settings` read; undefined for a kind that has none. */
  readonly settings: Settings;
  /** The project's files by path, those that the settings name among them. */
  readonly files: ReadonlyMap<string, SourceFile>;
  /**
   * Files of the project that could not be read, which was reported for those that the settings
   * name.
   */
  readonly unread?: ReadonlyMap<string, unknown>;
  /** For paths of the settings that name no file: a file of nearly that name. */
  readonly near?: ReadonlyMap<string, string>;
  /** The value of a `${NAME}` here and now; undefined when it is not set. */
  readonly setting: (name: string) => Promise<string | undefined>;
  /** Says what takes long: `starting PostgreSQL`. */
  readonly progress: (doing: string) => void;
  /** For what is wrong with the settings, or with the files that they name. */
  readonly report: Report;
  /** Keeps what takes long to make; absent where nothing is kept. */
  readonly store?: ByteStore;
}

export interface PullInput<Config extends object = object, Settings = unknown> extends Pick<
  SessionInput<Settings>,
  "settings" | "progress" | "setting" | "report"
> {
  /**
   * The databases that are asked for, by the names of their settings; none: those whose schema is
   * kept in a file.
   */
  readonly names: readonly string[];
  /** What stands in a file of the project; undefined when there is none. */
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
      /** What to write into skillc.yaml, where it doesn't know the database yet. */
      readonly setting?: string;
      /** Set where a server was asked of which `generate` reads what `skillc db pull` wrote. */
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
  /** What it holds: how many tables, views, functions. */
  readonly holds: readonly { readonly what: string; readonly count: number }[];
  /** What the file can't say as the server does, each a sentence without its full stop. */
  readonly notes: readonly string[];
  /**
   * How it differs from the file that is there; undefined when there is none, or when that is not
   * ours to replace.
   */
  readonly changes: readonly SchemaChange[] | undefined;
  /** What stands at its path and is somebody's own. */
  readonly isForeign: boolean;
  /** What to write into skillc.yaml, where it doesn't name the file yet. */
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
 * Results of earlier runs, safe to lose at any time. What it gives was put in under the same key by
 * the same build of skillc.
 */
export interface ByteStore {
  get(key: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Absent when nothing may be written. */
  readonly set?: (key: string, value: Uint8Array) => Promise<void>;
}

/** One run's work on all tools of a kind. Nothing costly starts before it is needed. */
export interface KindSession<Config extends object = object> {
  /**
   * Differs whenever tools are analyzed against something else: a kept skill is compiled again
   * then.
   */
  fingerprint(): Promise<string>;
  /**
   * Tools of one group are analyzed one after another, where it takes long to turn from what some
   * need to what others do.
   */
  group?(config: Config): string;
  /**
   * The types that the engine knows for parameters whose author names none. A parameter that it
   * knows nothing of is left out, and reported if nothing else reports it. The compiler fills the
   * types in, so that types, validators, catalog and `analyze` see one schema.
   */
  inferParameters?(
    tool: ToolModel,
    config: Config,
    silent: SilentParameters,
    report: Report,
  ): Promise<InferredParameters>;
  /**
   * A tool with what the engine knows of it; undefined, and reported, when nothing useful can
   * follow.
   *
   * @param form `plain` for a tool whose code did not type-check, only of kinds that have such a
   *   form
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

/** How a tool's code is made: the usual way, or so that it asks as little of `tsc` as it can. */
export type ToolForm = "usual" | "plain";

export interface SharedModule {
  /** Below the output folder, without extension: `databases/warehouse-url`. */
  readonly path: string;
  /** What its header says it was made from. */
  readonly source: string;
  readonly body: Code;
  /** Every name that the body declares at its top level. */
  readonly declared: ReadonlySet<string>;
}

/** What `resolve` could not know yet. */
export interface AnalyzedBinding<Config extends object> {
  readonly config: Config;
  readonly references: readonly ParameterReference[];
  /** The fields of the caller that a call takes, where settings add to what the binding says. */
  readonly caller?: readonly string[];
}

/** How far `tsc` checks a tool against what it is bound to. */
export interface CheckedReferences {
  /**
   * References to columns, tables and parameters, as names that only type-check when they are
   * right.
   */
  readonly seen: number;
  /** All that the author wrote. */
  readonly all: number;
  /** Why the tool could not be made of typed code; absent when it was. */
  readonly notTranslated?: string;
}
