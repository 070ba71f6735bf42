import type { DiagnosticEntries } from "../core/diagnostic-entry.js";
import type { JsonObject, JsonSchema } from "../core/json.js";
import type { Report } from "../core/report.js";
import type {
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
import type { CapabilityForm } from "./capability-form.js";
import type { ProjectTools } from "./project-tools.js";
import type { RootReference } from "./roots.js";
import type { TemplateRoot } from "./text-template.js";
import type { KindEngine } from "./kind-engine.js";
import type { BindingEmission, EmitInput } from "./binding-emission.js";

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
   * Set if its tools may say `int64: string`: a call then turns integers of 64 bits into text, and
   * text into integers.
   */
  readonly int64Text?: true;
  /**
   * Keys of a binding that may stand at the skill, for all its tools of this kind that don't have
   * them.
   */
  readonly skillKeys?: readonly string[];
  /**
   * Values of a binding that must be settings alone, `${NAME}`: whatever else stands there is
   * reported as a secret in plain text. Left out: the compiler goes by the names of keys and the
   * looks of values alone, as it does everywhere.
   *
   * @param node the `binding:` as it is written, whether it fits `schema` or not; for keys that
   *   stand at the skill, a mapping of these alone
   */
  secrets?(node: MapNode): readonly SecretValue[];
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
   * This kind's rules about other tools of the project, once all skills are compiled. A tool depends
   * on each tool that it looks up here: it is compiled again when one of them changes, and its
   * manifest changes too.
   */
  link?(tool: ToolModel, config: Config, tools: ProjectTools, report: Report): void;
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

/** A value that holds a secret, or a mapping or list of such values. */
export interface SecretValue {
  readonly node: SyntaxNode;
  /** What the secret is, in snake case: help texts name its setting by it. `client_secret` */
  readonly name: string;
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

/**
 * Names a kind; its config type is inferred from `resolve`. The registry and skillc.yaml take what
 * this returns.
 */
export function defineBinding<Config extends object, Settings = unknown>(
  kind: BindingKind<Config, Settings>,
): BindingKind<Config, Settings> {
  return Object.freeze({ ...kind });
}
