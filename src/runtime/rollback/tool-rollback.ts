/** How a call of a tool is undone, as its generated module declares it. */
import type { BoundCaller } from "../caller.js";
import type { AnyResult } from "../result.js";
import type { CredentialReference, CredentialText } from "../values/text.js";
import type { Tree } from "./backups/entry-state.js";

/** The way back of a tool's calls. */
export type ToolRollback<Arguments> =
  CompensatedBy<Arguments> | KeptCopies<Arguments> | KeptEffects | NoWayBack;

/** A call of another tool undoes the call. */
export interface CompensatedBy<Arguments> {
  readonly strategy: "compensate";
  /** Id of the tool that undoes the call: `skill/tool`. */
  readonly tool: string;
  /**
   * Returns the parameters of the other tool, from the arguments of a call, its success and its
   * caller. The success is the answer of the binding, before obligations change it. Absent if the
   * compiler found no value for a required parameter; rolling back then refuses.
   */
  readonly parameters?: (args: Arguments, result: AnyResult, caller: BoundCaller) => unknown;
  /** Calls the other tool, with its parameters and the options of a call. */
  readonly call: (parameters: never, options: never) => Promise<AnyResult>;
}

/** The runtime copies files and folders before the call changes them. */
export interface KeptCopies<Arguments> {
  readonly strategy: "backup";
  /**
   * Returns the files and folders to copy. Undefined entries are left out. Absent if the binding
   * itself names each file before it changes it.
   */
  readonly paths?: (args: Arguments, caller: BoundCaller) => readonly (KeptPath | undefined)[];
}

/**
 * A file or folder to copy: a text relative to the project's folder, or a parameter of the call
 * relative to the working folder of the binding.
 */
export type KeptPath = string | CredentialReference | CredentialText | ParameterPath;

/** A path that a parameter contains. */
export interface ParameterPath {
  /** JSON pointer to the parameter, such as `/destination`. */
  readonly pointer: string;
  readonly path: string;
}

/** The command runs over a layer, and the runtime applies what it changed there. */
export interface KeptEffects {
  readonly strategy: "effects";
}

/** Nothing undoes the call. */
export interface NoWayBack {
  readonly strategy: "none";
  /** The author's reason, for approvers. */
  readonly reason: string;
}

/** Keeps copies of what an attempt changes in the file system. */
export interface Keeper {
  readonly strategy: "backup" | "effects";
  /** Paths that the tool's declaration names for this call; empty if it names none. */
  readonly paths: readonly KeptPath[];
  /**
   * Copies the present state of files, links and whole folders, or notes their absence. Call it
   * before the first of them changes. A path is copied once.
   *
   * @param paths absolute paths whose parents have no links
   * @throws ToolError with the outcome `not-done` if the copies exceed their limit, or can't be
   *   written
   */
  keep(paths: readonly string[]): Promise<void>;
  /**
   * Copies exactly these files, links and folders; of a folder only its attributes. Not after `keep`.
   *
   * @throws as `keep` does
   */
  keepEntries(paths: readonly string[]): Promise<void>;
  /**
   * Notes the state in which the attempt left all kept paths. Call it after the last change, also
   * if the attempt failed. A call that ended without it can be rolled back only by force.
   */
  left(): Promise<void>;
  /** Notes states that the attempt knows because it has made them, as `left` does. */
  leftAs(states: Tree): Promise<void>;
  /** Removes the copies. Call it if the attempt changed nothing after all. */
  unchanged(): void;
}
