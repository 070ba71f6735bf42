/** The data that a generated module of a command hands over, and the types of its answers. */
import type { BoundCaller } from "../../../runtime/caller.js";
import type { PathAccess } from "../../../runtime/files/judged-path.js";
import type { Effect } from "../../../runtime/tool.js";
import type { CredentialReference, CredentialText } from "../../../runtime/values/text.js";
import type { Argument, Program } from "./arguments.js";

/** Default time limit of a command, in milliseconds. */
export const usualTimeoutMs = 60_000;

/** Default maximum size of the standard output that an answer is made of, in bytes. */
export const usualOutputBytes = 10 * 1024 * 1024;

/** Literal text, with settings and credentials in it. */
export type SettingText = string | CredentialReference | CredentialText;

/** A folder, relative to the project's folder. A function if it has a field of the caller. */
export type Folder = SettingText | ((caller: BoundCaller) => SettingText);

/** Environment variables of a process. */
export type Environment = { readonly [name: string]: SettingText };

/** The program that runs the process: bubblewrap, nothing, or an engine of containers. */
export type ExecutorName = "sandbox" | "host" | "docker";

/**
 * The form of a success's data: standard output as JSON, as text, or as a list of lines without
 * their ends; null for `none`.
 */
export type OutputForm = "json" | "text" | "lines" | "none";

/** A command as its module declares it. */
export interface CommandContract<Arguments> {
  /** `sandbox` if absent. */
  readonly executor?: ExecutorName;
  /** Effect of the tool. The folders of a read are mounted read-only. */
  readonly effect: Effect;
  /**
   * Returns the program and its arguments. Undefined entries are left out. A function of
   * parameters, made of `value`, `joined`, `path`, `values`, `paths` and `script`.
   */
  readonly argv: (
    args: Arguments,
    caller: BoundCaller,
  ) => readonly [program: Program, ...rest: readonly (Argument | undefined)[]];
  /** Working folder; the project's folder if absent. Paths of parameters are relative to it. */
  readonly cwd?: Folder;
  /** Folders that the command may read. None if absent. */
  readonly read?: readonly Folder[];
  /** Folders that the command may read and change. None if absent. */
  readonly write?: readonly Folder[];
  /**
   * Access to the temporary folders of the call's plan, parent or trace. None if absent. A read may
   * write there too.
   */
  readonly temporary?: PathAccess;
  /** Folders of skillc.yaml (`files`) outside of which no path may be; no such limit if absent. */
  readonly within?: readonly string[];
  /** Network of the process; `none` if absent. The executor `host` can't enforce `none`. */
  readonly network?: "none" | "host";
  /** Environment variables beside PATH, HOME, LANG and TZ. */
  readonly env?: Environment | ((args: Arguments, caller: BoundCaller) => Environment);
  /** Returns the text for standard input; empty if absent or undefined. */
  readonly stdin?: (args: Arguments, caller: BoundCaller) => SettingText | undefined;
  /** `text` if absent. */
  readonly output?: OutputForm;
  /**
   * Names of statuses by exit code. Code 0 and the status `success` carry `data`, other statuses
   * `error`. Code 0 is `success` if it is not listed; another code without a name throws.
   */
  readonly exitCodes?: { readonly [code: string]: string };
  /** Maximum size of the standard output in bytes; `usualOutputBytes` if absent. */
  readonly maxOutputBytes?: number;
  /**
   * What happens if bubblewrap does not work here. By default the call is denied. `preferred`: the
   * process runs without a sandbox, and the ledger says so. `external`: the deployment contains
   * this whole process, so bubblewrap is never used.
   */
  readonly sandbox?: "preferred" | "external";
  /** Image of the executor `docker`. */
  readonly docker?: { readonly image: string };
  /** Folder of the skill's own scripts, which `script` names, from `scriptFolder`. */
  readonly scripts?: string;
}

/** What every failed answer of a command carries. */
export interface CommandFault {
  readonly error: {
    /** Exit code of the process. */
    readonly exit_code: number;
    /** The last 2,000 characters of standard error, without credentials. */
    readonly stderr: string;
  };
}

/** The request of a command, as shadow mode records it. */
export interface CommandRecord {
  /** Program and arguments, with paths as the caller wrote them. */
  readonly argv: readonly string[];
  readonly executor: ExecutorName;
  /** Working folder, relative to the project's folder. */
  readonly cwd: string;
  /** Folders that the command may read. */
  readonly read: readonly string[];
  /** Folders that the command may read and change. */
  readonly write: readonly string[];
  readonly network: "none" | "host";
  /** Environment variables, with `${NAME}` in place of settings and credentials. */
  readonly env?: { readonly [name: string]: string };
  /** Text for standard input. */
  readonly stdin?: string;
}
