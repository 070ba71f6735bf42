import type { DatabaseModel } from "../core/database-model.js";
import type { DiagnosticEntries } from "../core/diagnostic-entry.js";
import type { Code } from "../core/code.js";
import type { JsonObject, JsonSchema } from "../core/json.js";
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
import type { Span } from "../core/span.js";
import type { SourceFile } from "../core/source-file.js";
import type { TextRange } from "../core/span.js";
import type { MapNode, SyntaxNode } from "../core/syntax-node.js";
import type { Capability } from "@skillc/runtime";
import type { WordTable } from "../schema/other-words.js";
import type { InferredParameters } from "../schema/silent.js";

import type { CapabilityForm } from "./capability-form.js";
import type { RootReference } from "./roots.js";
import type { TemplateRoot } from "./text-template.js";

/**
 * What a binding kind provides: everything the compiler asks of one. Shared code never asks which
 * kind a binding is; what it needs to know is a member here. Kinds that ship with skillc and kinds
 * of a user's own are made and treated alike.
 */
export interface BindingKind<Config extends object = object, Settings = unknown> {
  /** The value of `type:` in a binding. */
  readonly type: string;
  /** What it binds to, for `skillc` messages and docs: `HTTP API`. */
  readonly title: string;
  /**
   * JSON Schema (2020-12) of the keys beyond the common ones (`type`, `mode`, `timeout_ms`,
   * `retry`, `idempotency: natural`, and `effect` where the kind `declaresEffect`): `properties`,
   * `required`. Unknown keys and wrong types are reported from it before `resolve` runs. A property
   * named `idempotency` adds this kind's own forms of that key. Editors check and complete by it
   * too, and show its descriptions; `"x-json-schema": true` marks where a JSON Schema of the
   * author's stands.
   */
  readonly schema: JsonObject;
  /**
   * What authors who know other tools write for what bindings of this kind have: diagnostics then
   * say the right word.
   */
  readonly otherWords?: OtherBindingWords;
  /**
   * What its texts may name beside parameters and credentials: `parseTemplate` makes parts of
   * these, `resolve` tells where they stand. With `callerRoot` among them, a tool that names the
   * caller is refused without one, and `prepare` finds it in the call.
   */
  readonly roots?: readonly TemplateRoot[];
  /**
   * What skillc.yaml says to this kind: for kinds that ship with skillc, as it is read before
   * others are loaded.
   */
  readonly settings?: KindSettings<Settings>;
  /**
   * What this kind's tools are analyzed with, when that takes more than their text: a database that
   * knows its tables.
   */
  readonly engine?: KindEngine<Config, Settings>;
  /** The modes an author may ask for. */
  readonly modes: readonly Mode[];
  /**
   * Set when authors may say with `effect` whether a call reads or writes, in place of what
   * `resolve` takes it for. Absent where the binding itself shows it: a statement, a message.
   * `emit` finds the effect that counts in `binding`.
   */
  readonly declaresEffect?: true;
  /** Whether a tool of this kind does nothing until the application gives it a handler. */
  readonly needsHandler: boolean;
  /** Set when parameters that are files may stand in its bindings: `check` says where. */
  readonly takesFiles?: true;
  /** Every diagnostic code this kind reports. */
  readonly diagnostics: DiagnosticEntries;
  /** The module that generated code imports, and every name it may ask of it. */
  readonly runtime: RuntimeEntry;
  /** Modules that only some of the kind's tools import. */
  readonly furtherRuntime?: readonly RuntimeEntry[];
  /**
   * The npm packages that generated code and its calls load beside the runtime, such as a database
   * driver. Applications install them, and `skillc generate` says which they lack. Of several in
   * one entry one is enough, the first by default.
   */
  packages?(config: Config): readonly (readonly string[])[];
  /** The Handlebars template that lays out the `binding:` expression. */
  readonly template: TemplateSource;
  /**
   * Set when `resolve` takes a mapping that doesn't fit `schema` too, and passes over what has a
   * wrong shape, which is reported already: then one run shows every other problem as well.
   */
  readonly readsMismatches?: true;
  /**
   * Where texts of this kind have comments that end with their line, by the key of the binding
   * whose text it is. YAML may fold line breaks to spaces, and such a comment then takes what
   * follows with it: that is an error.
   */
  readonly lineComments?: { readonly [key: string]: FindLineComments };
  /**
   * Keys of a binding in whose mappings the order of keys says something, as it is sent: `query`.
   * Elsewhere a tool's manifest is the same in any order.
   */
  readonly orderedKeys?: readonly string[];
  /**
   * Keys of a binding that may stand at the skill, for all its tools of this kind that don't have
   * them.
   */
  readonly skillKeys?: readonly string[];
  /**
   * Texts of a binding, by their keys, in which comments and layout say nothing: each without them,
   * for the tool's manifest.
   */
  readonly withoutLayout?: { readonly [key: string]: (text: string) => string };
  /**
   * What counts, for a tool's manifest, of a file that `resolve` read as text: all but its comments
   * and its layout. Left out, or undefined: all of it.
   */
  significantText?(path: string, text: string): string | undefined;
  /**
   * Front matter → this kind's model. Reports what is wrong; undefined when nothing useful can
   * follow.
   */
  resolve(input: ResolveInput): ResolvedBinding<Config> | undefined;
  /** This kind's rules, once the whole tool is known. */
  check(tool: ToolModel, config: Config, report: Report): void;
  /**
   * What a tool's calls may reach, as far as its binding says it; only for a config that was
   * analyzed. Left out: one capability, `<type>:call`, that takes all credentials of the binding.
   *
   * @param toolId `skill/tool`
   */
  capabilities?(
    config: Config,
    credentials: readonly string[],
    toolId: string,
  ): readonly Capability[];
  /**
   * What a success carries, as far as the binding itself tells it; only for a config that was
   * analyzed. Asked for tools whose authors declare no `returns`.
   */
  dataSchema?(config: Config): JsonSchema | undefined;
  /**
   * How authors write capabilities of this kind's. Left out: `<type>:…`, of whatever form.
   */
  readonly capabilityForms?: readonly CapabilityForm[];
  /**
   * How long an answer may be before the binding itself refuses it, in bytes, and where its author
   * says so: a limit of the tool beyond it would never be met.
   */
  answerCap?(config: Config): { readonly bytes: number; readonly span?: Span } | undefined;
  /**
   * What a success gives one by one, where it does: its `data` is then an `AsyncIterable`, and
   * `returns` describes each item, or the data of each event.
   */
  streams?(config: Config): StreamedAnswer | undefined;
  /** How a tool's answers come in pages; undefined, or left out, where they don't. */
  pages?(config: Config, parameters: SchemaModel): Pages | undefined;
  /** Set when `check` itself holds the tool's risk level against what a call does. */
  readonly checksRisk?: true;
  /**
   * What a tool has in common with others, of whatever skill or kind: where they contradict each
   * other is told.
   */
  readonly shared?: SharedByTools<Config>;
  /**
   * Schemas beyond `parameters` and `returns` that need a type and a validator, by role:
   * `response`, `error`.
   */
  schemas(config: Config): Readonly<Record<string, SchemaModel>>;
  /** Model → the template's view and the types that callers see. */
  emit(input: EmitInput<Config>): BindingEmission;
}

/**
 * Words of other tools. Those for keys are compared without case, `-`, `_`, `.` and spaces; the
 * others are in lower case.
 */
export interface OtherBindingWords {
  /** By key. A dot leads to a key inside another: `response_mapping.path`. */
  readonly keys?: WordTable;
  /** By value, whichever key has it. */
  readonly values?: WordTable;
  /** For the value of `type`. `beside`: what else to write then, such as `provider: kafka`. */
  readonly types?: readonly {
    readonly words: readonly string[];
    readonly beside?: readonly string[];
  }[];
}

/**
 * A key of skillc.yaml that is one kind's, a mapping: whoever parses the file knows no more of it
 * than this.
 */
export interface KindSettings<Settings = unknown> {
  /** `databases` */
  readonly key: string;
  /** JSON Schema (2020-12) of its value, for editors. */
  readonly schema: JsonObject;
  /** Further keys of the kind, mappings too, each with the JSON Schema of its value. */
  readonly beside?: Readonly<Record<string, JsonObject>>;
  /**
   * The value as plain data, once for each session. What is wrong is reported, and left out.
   *
   * @param node absent where skillc.yaml doesn't have the key
   * @param beside the values of the further keys that it has
   */
  read(
    node: MapNode | undefined,
    report: Report,
    beside?: Readonly<Record<string, MapNode>>,
  ): Settings;
  /** Globs of the files that it names, relative to skillc.yaml, whatever else is wrong there. */
  files(node: MapNode): readonly string[];
}

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

/** Of a tool whose binding gives one page of its answer at a time. */
export interface Pages {
  /** Where in the data the items are: property names. */
  readonly items: readonly string[];
  /** What models ask for the next page by: no parameter of the tool. */
  readonly next: string;
}

/** Of a tool whose answer is given one by one: plain items, or server-sent events. */
export type StreamedAnswer = "items" | "events";

/** What several tools may use, and must use alike. */
export interface SharedByTools<Config extends object = object> {
  /** The settings that hold addresses: one that is two kinds of thing can't be right for both. */
  addresses?(config: Config): readonly AddressUse[];
  /** Where a message goes that others read, and how it is encoded. */
  publication?(config: Config): Publication | undefined;
}

/**
 * The line comments of a text, without the line breaks that end them; of one that can't be read,
 * those that were found.
 */
export type FindLineComments = (text: string) => Promise<readonly TextRange[]>;

/** A `${NAME}` whose value is an address. */
export interface AddressUse extends CredentialUse {
  /** `a Kafka broker` */
  readonly of: string;
}

export interface Publication {
  /** The same text for the same place, and for no other. */
  readonly channel: string;
  /** `the topic orders` */
  readonly shown: string;
  /** `avro` */
  readonly encoding: string;
  readonly span: Span;
}

export interface RuntimeEntry {
  /**
   * Module specifier, `@skillc/runtime/v1/http`, or a path relative to skillc.yaml that starts with
   * `./`.
   */
  readonly module: string;
  readonly values: readonly string[];
  readonly types: readonly string[];
}

export interface TemplateSource {
  /** Where it stands, for messages: `templates/http.hbs`. */
  readonly name: string;
  readonly text: string;
}

/**
 * Files that a skill names, relative to its folder. Undefined is what can't be had, which is
 * reported where `from` is, if given.
 */
export interface NamedFiles {
  readonly readFile: (path: string, from?: SyntaxNode) => SourceFile | undefined;
  /** A file of JSON, or of YAML by its name, as a tree. */
  readonly readTree: (path: string, from: SyntaxNode) => SyntaxNode | undefined;
}

/** `readFile` and `readTree` find files below the skills folder. */
export interface ResolveInput extends NamedFiles {
  /** The `binding:` mapping; its shape already fits `schema`, unless `fits` says otherwise. */
  readonly node: MapNode;
  /**
   * False only for kinds that read mismatches: parts are missing then, and with them what they use.
   */
  readonly fits?: boolean;
  /** The tool's parameters. */
  readonly parameters: SchemaModel;
  /** Reads a JSON Schema document that stands in the binding. */
  readonly readSchema: (node: SyntaxNode) => SchemaModel | undefined;
  /** Only files of the skill's own: below its folder, and no link that leads out of it. */
  readonly ownFiles: NamedFiles;
  readonly report: Report;
}

export interface ResolvedBinding<Config extends object> {
  readonly config: Config;
  /** Where the author doesn't declare another. */
  readonly effect: Effect;
  /** What it is read off, where one place shows it: a method. */
  readonly effectSpan?: Span;
  /**
   * Whether repeating a call does no more than making it once, by the protocol or by the author's
   * key.
   */
  readonly idempotent: boolean;
  readonly credentials: readonly CredentialUse[];
  readonly references: readonly ParameterReference[];
  /**
   * Of a kind with `roots`: what it refers to there. A place that a root doesn't declare is
   * reported as `<kind>/unknown-root-field`.
   */
  readonly roots?: readonly RootReference[];
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

/**
 * Names a kind; its config type is inferred from `resolve`. The registry and skillc.yaml take what
 * this returns.
 */
export function defineBinding<Config extends object, Settings = unknown>(
  kind: BindingKind<Config, Settings>,
): BindingKind<Config, Settings> {
  return Object.freeze({ ...kind });
}
