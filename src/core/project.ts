import type { UnratedDiagnostic } from "./diagnostic.js";
import type { ProjectGovernance } from "./governance-model.js";
import type { SourceFile } from "./source-file.js";
import type { MapNode } from "./syntax-node.js";

/** Everything the compiler knows of the disk. */
export interface Project {
  /** skillc.yaml, when there is one. */
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
  /** For paths of the settings that name no file: a file of nearly that name. */
  readonly near?: ReadonlyMap<string, string>;
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
  /** What it says to binding kinds, by their keys, as written: each kind reads its own. */
  readonly settings: Readonly<Record<string, MapNode>>;
  /** What it says of the files that calls may send; absent where it says nothing of them. */
  readonly files?: FileSettings;
  /** What it says of who may call what; absent where it says nothing of that. */
  readonly governance?: ProjectGovernance;
}

/** Which files calls may read and send. */
export interface FileSettings {
  /** Folders below which files are read; none when not given. */
  readonly folders?: readonly string[];
  /** Bytes that the files of one call may come to. */
  readonly maxBytes?: number;
}

export interface CustomBinding {
  readonly type: string;
  /** `./…` relative to skillc.yaml, or a package's specifier. */
  readonly module: string;
}
