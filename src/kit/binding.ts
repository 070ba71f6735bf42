import type { DiagnosticEntries } from "../core/diagnostic-entry.js";
import type { JsonObject, JsonSchema } from "../core/json.js";
import type { Report } from "../core/report.js";
import type {
  CredentialUse,
  Effect,
  Mode,
  ParameterReference,
  RiskLevel,
  SchemaModel,
  ToolModel,
} from "../core/skill-model.js";
import type { Span } from "../core/span.js";
import type { SourceFile } from "../core/source-file.js";
import type { TextRange } from "../core/span.js";
import type { MapNode, SyntaxNode } from "../core/syntax-node.js";
import type { Capability } from "@skillc/runtime";
import type { WordTable } from "../schema/other-words.js";
import type { ToolAnswer } from "./answers.js";
import type { CallGraph } from "./call-graph.js";
import type { CapabilityForm } from "./capability-form.js";
import type { FileChanges } from "./file-changes.js";
import type { ProjectTools } from "./project-tools.js";
import type { RootReference } from "./roots.js";
import type { TemplateRoot } from "./text-template.js";
import type { KindEngine } from "./kind-engine.js";
import type { BindingEmission, EmitInput } from "./binding-emission.js";
import type { WriteHints } from "./write-hints.js";

/**
 * A binding kind: everything that the compiler needs to know about one. Shared code never checks
 * which kind a binding is; such knowledge is a member here. Built-in kinds and users' kinds are
 * treated alike.
 */
export interface BindingKind<Config extends object = object, Settings = unknown> {
  /** Value of `type:` in a binding. */
  readonly type: string;
  /** Name of the target in messages and docs: `HTTP API`. */
  readonly title: string;
  /**
   * JSON Schema (2020-12) of the keys beyond the common ones (`type`, `mode`, `timeout_ms`,
   * `retry`, `idempotency: natural`, and `effect` if the kind `declaresEffect`): `properties`,
   * `required`. Unknown keys and wrong types are reported from it before `resolve` runs. A property
   * named `idempotency` adds this kind's own forms of that key. Editors use it too, and show its
   * descriptions; `"x-json-schema": true` marks a place for an author's JSON Schema.
   */
  readonly schema: JsonObject;
  /**
   * Words from other tools for the keys and values of this kind; diagnostics suggest the right
   * word.
   */
  readonly otherWords?: OtherBindingWords;
  /**
   * Names that texts may refer to besides parameters and credentials. `parseTemplate` makes parts
   * of them, and `resolve` returns their places. If `callerRoot` is among them, a tool that names
   * the caller rejects calls without one, and `prepare` finds the caller in the call.
   */
  readonly roots?: readonly TemplateRoot[];
  /**
   * Settings of this kind in skillc.yaml; only for built-in kinds, because they are read before
   * other kinds are loaded.
   */
  readonly settings?: KindSettings<Settings>;
  /**
   * Engine that analyzes this kind's tools, if their text is not enough: a database that knows its
   * tables.
   */
  readonly engine?: KindEngine<Config, Settings>;
  /** Modes that an author may choose. */
  readonly modes: readonly Mode[];
  /**
   * Set if authors may declare with `effect` whether a call reads or writes, in place of the effect
   * from `resolve`. Absent if the binding itself shows the effect: a statement, a message. `emit`
   * finds the final effect in `binding`.
   */
  readonly declaresEffect?: true;
  /**
   * Set if the word `read` of a tool's `risk_level` makes its calls reads, unless the author declares
   * an effect. `resolve` finds it in `isReadByRisk`.
   */
  readonly effectByRisk?: true;
  /** True if a tool of this kind needs a handler from the application. */
  readonly needsHandler: boolean;
  /** Set if calls have no time limit unless an author sets one. */
  readonly untimed?: true;
  /** Time limits of an attempt in milliseconds, if they differ from those of other kinds. */
  readonly timeLimit?: TimeLimit;
  /** Set if bindings may contain file parameters. `check` reports where they may be. */
  readonly takesFiles?: true;
  /** All diagnostic codes of this kind. */
  readonly diagnostics: DiagnosticEntries;
  /** The runtime module that generated code imports, and every name that it may import. */
  readonly runtime: RuntimeEntry;
  /** Modules that only some tools of the kind import. */
  readonly furtherRuntime?: readonly RuntimeEntry[];
  /**
   * npm packages that generated code and its calls load besides the runtime, such as a database
   * driver. Applications install them, and `skillc generate` reports missing ones. One package of
   * each entry is enough, by default the first.
   */
  packages?(config: Config): readonly (readonly string[])[];
  /** The Handlebars template of the `binding:` expression. */
  readonly template: TemplateSource;
  /**
   * Set if `resolve` also accepts a mapping that doesn't match `schema`, and skips parts with a
   * wrong shape, which are already reported. One run then shows every other problem too.
   */
  readonly readsMismatches?: true;
  /**
   * Finders of line comments, by the key of the binding's text. YAML may fold line breaks to
   * spaces, and a comment would then swallow the following text, which is an error.
   */
  readonly lineComments?: { readonly [key: string]: FindLineComments };
  /**
   * Keys of a binding whose mappings depend on key order, because it is sent: `query`. Elsewhere,
   * order doesn't affect a tool's manifest.
   */
  readonly orderedKeys?: readonly string[];
  /**
   * Set if tools may declare `int64: string`. A call then converts 64-bit integers to text and
   * back.
   */
  readonly int64Text?: true;
  /** Keys that may be written at the skill, for all its tools of this kind that don't have them. */
  readonly skillKeys?: readonly string[];
  /**
   * Texts of a binding that name other values without braces, so that no check takes them for values.
   *
   * @param owner the mapping that has the binding
   */
  readonly paths?: (binding: MapNode, owner: MapNode) => readonly SyntaxNode[];
  /**
   * Values of a binding that must consist of settings, `${NAME}`; other text in them is reported as
   * a plaintext secret. If absent, the compiler only uses names of keys and the look of values, as
   * everywhere.
   *
   * @param node the `binding:` as written, even if it doesn't fit `schema`; for keys of the skill,
   * a mapping with only these
   */
  secrets?(node: MapNode): readonly SecretValue[];
  /**
   * Texts of a binding, by key, whose comments and layout have no effect: functions that remove
   * them for the tool's manifest.
   */
  readonly withoutLayout?: { readonly [key: string]: (text: string) => string };
  /**
   * Significant part of a text file that `resolve` read, for a tool's manifest: without comments
   * and layout. If absent or undefined, the whole text.
   */
  significantText?(path: string, text: string): string | undefined;
  /**
   * Converts front matter to this kind's model, and reports mistakes. Undefined if later stages
   * can't use the binding.
   */
  resolve(input: ResolveInput): ResolvedBinding<Config> | undefined;
  /** Checks the kind's rules, once the whole tool is known. */
  check(tool: ToolModel, config: Config, report: Report): void;
  /**
   * This kind's rules about other tools of the project, after all skills are read. A tool depends
   * on each tool that it looks up here: if one changes, the tool is compiled again, and its manifest
   * changes.
   *
   * @returns what the other tools decide about this one; undefined if nothing, or after errors
   */
  link?(
    tool: ToolModel,
    config: Config,
    tools: ProjectTools,
    report: Report,
  ): LinkedBinding<Config> | undefined | void;
  /**
   * Statuses of a tool's answers, for tools that use them; only for an analyzed and linked config.
   * If absent: `success`, and unknown others.
   */
  answers?(tool: ToolModel, config: Config): readonly ToolAnswer[];
  /** Calls that a tool makes of other tools; only for a linked config. */
  graph?(config: Config): CallGraph;
  /**
   * Capabilities that the binding shows; only for an analyzed config. If absent: one capability,
   * `<type>:call`, with all credentials of the binding.
   *
   * @param toolId id of the tool: `skill/tool`
   */
  capabilities?(
    config: Config,
    credentials: readonly string[],
    toolId: string,
  ): readonly Capability[];
  /**
   * Schema of a success's data, if the binding itself shows it; only for an analyzed config. Called
   * for tools without a declared `returns`.
   */
  dataSchema?(config: Config): JsonSchema | undefined;
  /**
   * Schema that the data of every success fits, for tools without a declared `returns`; only for an
   * analyzed config. Absent if `answers` never leaves out a value that only might come.
   */
  everyData?(config: Config): JsonSchema;
  /** Forms of this kind's capabilities. If absent: `<type>:…`, in any form. */
  readonly capabilityForms?: readonly CapabilityForm[];
  /**
   * Maximum size of a response that the binding itself accepts, in bytes, with its span if an
   * author set it. A higher limit of the tool would have no effect.
   */
  answerCap?(config: Config): { readonly bytes: number; readonly span?: Span } | undefined;
  /**
   * Set if a success arrives item by item. Its `data` is then an `AsyncIterable`, and `returns`
   * describes each item, or the data of each event.
   */
  streams?(config: Config): StreamedAnswer | undefined;
  /** Paging of a tool's results; undefined or absent if there is none. */
  pages?(config: Config, parameters: SchemaModel): Pages | undefined;
  /**
   * Returns what is known about the calls of a write, for clients of the MCP server; only for an
   * analyzed config. By default a write is destructive, and idempotent if the binding is. The hints
   * about a tool that calls other tools (`graph`) are derived from those tools.
   */
  writeHints?(tool: ToolModel, config: Config): Partial<WriteHints>;
  /** Returns whether the binding defines the idempotency key of each call; false if absent. */
  hasOwnKey?(config: Config): boolean;
  /** Set if `check` compares the tool's risk level with what a call does. */
  readonly checksRisk?: true;
  /**
   * Facts that a tool shares with tools of other skills and kinds; contradictions between them are
   * reported.
   */
  readonly shared?: SharedByTools<Config>;
  /** Set for kinds whose writes change files of this machine, so that copies can undo them. */
  readonly fileChanges?: FileChanges<Config>;
  /**
   * Files of the skill that a call needs while it runs. They are copied below the folder `files` of
   * the skill's output.
   */
  carriedFiles?(config: Config): readonly CarriedFile[];
  /** Programs that a call starts, by the names that are looked up in PATH. */
  programs?(config: Config): readonly string[];
  /**
   * Returns the schemas beyond `parameters` and `returns` that need a type and a validator, by
   * role: `response`, `error`.
   */
  schemas(config: Config): Readonly<Record<string, SchemaModel>>;
  /** Turns the model into the template's view and the types that callers see. */
  emit(input: EmitInput<Config>): BindingEmission;
}

/** Time limits of one attempt, in milliseconds. */
export interface TimeLimit {
  /** Limit of calls for which the author sets none. */
  readonly usualMs: number;
  /** Highest limit that an author can set. */
  readonly maxMs: number;
}

/** A file of the skill that is copied to the output. */
export interface CarriedFile {
  /** Path below the skill's folder, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** Parts of a tool that depend on other tools. */
export interface LinkedBinding<Config extends object> {
  /** The kind's own model, with what it needs of the other tools. */
  readonly config: Config;
  readonly effect: Effect;
  /** Risk of the tool, if its author declares none. */
  readonly riskLevel: RiskLevel;
}

/** A value with a secret, or a mapping or list of such values. */
export interface SecretValue {
  /** Node with the secret. */
  readonly node: SyntaxNode;
  /** Name of the secret in snake case, from which help texts derive a setting: `client_secret` */
  readonly name: string;
}

/**
 * Words from other tools. Words for keys are compared without case, `-`, `_`, `.` and spaces; the
 * others are in lower case.
 */
export interface OtherBindingWords {
  /** Words by key. A dot leads to a key inside another: `response_mapping.path`. */
  readonly keys?: WordTable;
  /** Other words for values of any key. */
  readonly values?: WordTable;
  /** For the value of `type`. `beside`: a further key to write, such as `provider: kafka`. */
  readonly types?: readonly {
    /** Other words for the type. */
    readonly words: readonly string[];
    /** Further keys to write beside `type`. */
    readonly beside?: readonly string[];
  }[];
}

/**
 * A key of skillc.yaml that belongs to one kind; its value is a mapping. The parser of the file
 * knows nothing else about it.
 */
export interface KindSettings<Settings = unknown> {
  /** Name of the key, such as `databases`. */
  readonly key: string;
  /** JSON Schema (2020-12) of its value, for editors. */
  readonly schema: JsonObject;
  /** Further keys of the kind, also mappings, with the JSON Schemas of their values. */
  readonly beside?: Readonly<Record<string, JsonObject>>;
  /**
   * Reads the value as plain data, once per session. Mistakes are reported and left out.
   *
   * @param node absent if skillc.yaml doesn't have the key
   * @param beside values of the further keys
   */
  read(
    node: MapNode | undefined,
    report: Report,
    beside?: Readonly<Record<string, MapNode>>,
  ): Settings;
  /** Globs of the files that it names, relative to skillc.yaml, even if other parts are invalid. */
  files(node: MapNode): readonly string[];
}

/** Paging of a tool whose binding returns one page at a time. */
export interface Pages {
  /** Path of the items in the data: property names. */
  readonly items: readonly string[];
  /** Name under which models request the next page; not a parameter of the tool. */
  readonly next: string;
  /** Parameter of the tool that names a page; absent if there is none. */
  readonly parameter?: string;
}

/** Form of a streamed result: plain items, or server-sent events. */
export type StreamedAnswer = "items" | "events";

/** Facts that several tools may use, and must agree on. */
export interface SharedByTools<Config extends object = object> {
  /**
   * Returns the settings that contain addresses. One setting can't be the address of two kinds of
   * servers.
   */
  addresses?(config: Config): readonly AddressUse[];
  /** Destination and encoding of a message that other tools may read. */
  publication?(config: Config): Publication | undefined;
}

/**
 * Finds the line comments of a text, without their line breaks. For an invalid text, returns those
 * found so far.
 */
export type FindLineComments = (text: string) => Promise<readonly TextRange[]>;

/** A `${NAME}` whose value is an address. */
export interface AddressUse extends CredentialUse {
  /** Kind of server behind the address: `a Kafka broker`. */
  readonly of: string;
}

export interface Publication {
  /** Unique text for the target. */
  readonly channel: string;
  /** Target in words: `the topic orders`. */
  readonly shown: string;
  /** Encoding, such as `avro`. */
  readonly encoding: string;
  readonly span: Span;
}

/** A module that generated code imports. */
export interface RuntimeEntry {
  /**
   * Module specifier such as `@skillc/runtime/v1/http`, or a path relative to skillc.yaml that
   * begins with `./`.
   */
  readonly module: string;
  /** Names of values that generated code may import. */
  readonly values: readonly string[];
  /** Names of types that generated code may import. */
  readonly types: readonly string[];
}

/** A Handlebars template. */
export interface TemplateSource {
  /** Path for messages: `templates/http.hbs`. */
  readonly name: string;
  /** Content of the template. */
  readonly text: string;
}

/**
 * Files that a skill names, relative to its folder. Undefined if a file is unavailable, which is
 * reported at `from`, if given.
 */
export interface NamedFiles {
  /** Reads a file as text. */
  readonly readFile: (path: string, from?: SyntaxNode) => SourceFile | undefined;
  /** Reads a file of JSON, or of YAML by its name, as a tree. */
  readonly readTree: (path: string, from: SyntaxNode) => SyntaxNode | undefined;
}

/** Input of `resolve`. `readFile` and `readTree` find files below the skills folder. */
export interface ResolveInput extends NamedFiles {
  /** The `binding:` mapping. It matches `schema`, unless `fits` is false. */
  readonly node: MapNode;
  /**
   * False only for kinds with `readsMismatches`: wrong parts are missing then, and so is everything
   * that they use.
   */
  readonly fits?: boolean;
  /** Schema of the tool's parameters. */
  readonly parameters: SchemaModel;
  /** Reads a JSON Schema document inside the binding. */
  readonly readSchema: (node: SyntaxNode) => SchemaModel | undefined;
  /**
   * True if the tool's `risk_level` is `read`, the word of tool hubs for tools that change nothing;
   * only for kinds with `effectByRisk`.
   */
  readonly isReadByRisk?: boolean;
  /**
   * Folders of skillc.yaml (`files.folders`) that bound the files of all calls; absent if it names
   * none.
   */
  readonly fileFolders?: readonly string[];
  /** Files of the skill itself: below its folder, and not behind a link that leads out. */
  readonly ownFiles: NamedFiles;
  /** Collects diagnostics. */
  readonly report: Report;
}

/** Result of `resolve`. */
export interface ResolvedBinding<Config extends object> {
  /** The kind's own model: plain data. */
  readonly config: Config;
  /** The effect, unless the author declares another. */
  readonly effect: Effect;
  /** Span that shows the effect, if there is one, such as a method. */
  readonly effectSpan?: Span;
  /** True if a repeated call has no further effect, by the protocol or by the author's key. */
  readonly idempotent: boolean;
  /** Credentials and settings in the binding. */
  readonly credentials: readonly CredentialUse[];
  /** References to parameters in the binding. */
  readonly references: readonly ParameterReference[];
  /** Parameters that are paths of files; absent if the binding uses no files of callers. */
  readonly paths?: readonly (readonly string[])[];
  /**
   * References to `roots`. A path that a root doesn't declare is reported as
   * `<kind>/unknown-root-field`.
   */
  readonly roots?: readonly RootReference[];
}

/**
 * Defines a kind; its config type is inferred from `resolve`. Pass the result to the registry or
 * skillc.yaml.
 */
export function defineBinding<Config extends object, Settings = unknown>(
  kind: BindingKind<Config, Settings>,
): BindingKind<Config, Settings> {
  return Object.freeze({ ...kind });
}
