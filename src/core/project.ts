import type { UnratedDiagnostic } from "./diagnostic.js";
import type { ProjectGovernance } from "./governance-model.js";
import type { SourceFile } from "./source-file.js";
import type { Span } from "./span.js";
import type { MapNode } from "./syntax-node.js";

/** Everything the compiler knows of the disk. */
export interface Project {
  /** skillc.yaml, if there is one. */
  readonly configFile?: SourceFile;
  /**
   * Files below the skills folder that may matter, by path relative to the project root, sorted by
   * path.
   */
  readonly files: ReadonlyMap<string, SourceFile>;
  /**
   * Files that could not be read and matter only to a skill that refers to them: what to report
   * then.
   */
  readonly unread?: ReadonlyMap<string, UnratedDiagnostic>;
  /** Similar file names, by paths of the settings that name no file. */
  readonly near?: ReadonlyMap<string, string>;
  /**
   * Links of the skills' bodies to files of their folders, by the skill's folder. Absent if nobody
   * publishes the skills.
   */
  readonly linked?: ReadonlyMap<string, readonly LinkedFile[]>;
}

/** A file of a skill's folder that the body of the skill links to. */
export interface LinkedFile {
  /** Path below the skill's folder, with `/`. */
  readonly path: string;
  /** Content of the file; empty if it can't be published. */
  readonly bytes: Uint8Array;
  /** Reason why the file isn't published, in words that follow the file's name. */
  readonly problem?: string;
  /** The first link, in SKILL.md. */
  readonly span: Span;
}

/** skillc.yaml, read. Paths are relative to its folder, with `/`. */
export interface ProjectConfig {
  /** Folder of the skills. */
  readonly skills: string;
  /** Folder of the output. */
  readonly out: string;
  /** Folder of the policies and their tests. */
  readonly policies: string;
  /** Names under `secrets:`; their values stay out of the compiler. */
  readonly secretNames: readonly string[];
  /** Custom binding kinds: type → module. */
  readonly bindings: readonly CustomBinding[];
  /** Settings of binding kinds, by key, as written; each kind reads its own. */
  readonly settings: Readonly<Record<string, MapNode>>;
  /** Settings for files that calls may send; absent if there are none. */
  readonly files?: FileSettings;
  /** Governance; absent if skillc.yaml has none. */
  readonly governance?: ProjectGovernance;
  /** Set if a write of high or critical risk must say how it is undone. */
  readonly rollback?: "required";
  /** Where the command line finds runs of plans; absent if skillc.yaml says nothing about it. */
  readonly runs?: RunSettings;
  /** Settings of the MCP server; absent if skillc.yaml doesn't have the key `mcp`. */
  readonly mcp?: McpSettings;
}

/** Settings of the MCP server. */
export interface McpSettings {
  /** Module that exports the application's `runtime`: `./…`, or a package's specifier. */
  readonly app?: string;
  /** Caller of every call over stdio; absent for the user of the operating system. */
  readonly caller?: McpCaller;
  /** Who may call over HTTP; absent if nobody may. */
  readonly auth?: McpAuthSettings;
  /** Time after which the server answers a call that goes on, in milliseconds. */
  readonly answerWithinMs: number;
  /** Maximum length of a result, in characters of JSON. */
  readonly maxResultChars: number;
}

/** Who may call over HTTP. URLs are as written, or `${NAME}`. */
export interface McpAuthSettings {
  readonly resource: string;
  readonly issuers: readonly { readonly issuer: string; readonly jwks?: string }[];
  readonly required_scopes?: readonly string[];
  readonly claims?: {
    readonly tenant?: string;
    readonly subject?: string;
    readonly roles?: string;
    readonly scopes?: string;
  };
  readonly api_clients?: readonly string[];
}

/** Fields of a caller that skillc.yaml sets. */
export interface McpCaller {
  readonly tenant?: string;
  readonly subject?: string;
  readonly roles?: readonly string[];
  readonly scopes?: readonly string[];
}

/** Settings with which the command line opens runs of plans. */
export interface RunSettings {
  /** Folder of the project, or `${NAME}` of a folder or of a PostgreSQL URL. */
  readonly place?: string;
  /** `${NAME}` of the key. */
  readonly key?: string;
}

/** Limits on the files that calls may read and send. */
export interface FileSettings {
  /** Folders whose files are read; none by default. */
  readonly folders?: readonly string[];
  /** Maximum total size of the files in one call, in bytes. */
  readonly maxBytes?: number;
}

export interface CustomBinding {
  readonly type: string;
  /** `./…` relative to skillc.yaml, or a package's specifier. */
  readonly module: string;
}
