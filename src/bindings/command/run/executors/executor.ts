/**
 * Executors start the process of a command. Each has a file: `sandbox.ts` (bubblewrap), `host.ts`
 * (nothing confines the process) and `docker.ts` (a container).
 */
import { dirname } from "node:path";
import {
  isIn,
  type ProjectSecret,
  projectSecrets,
} from "../../../../runtime/files/project-secrets.js";
import type { PathAccess } from "../../../../runtime/files/judged-path.js";
import type { TemporaryPlace } from "../../../../runtime/files/temporary-folders.js";
import type { ProcessPlan } from "../process.js";

/** A command whose settings are opened and whose paths are judged. */
export interface PlacedCommand {
  /** Absolute path of the program; in a container its name or path there. */
  readonly program: string;
  /** The program as the skill names it, which capabilities allow. */
  readonly shownProgram: string;
  readonly args: readonly string[];
  /** Absolute path of the project's folder, without links. */
  readonly directory: string;
  /** Absolute path of the working folder, without links. */
  readonly cwd: string;
  /** Absolute paths of the folders that the process may read, without links. */
  readonly read: readonly string[];
  /** Absolute paths of the folders that the process may read and change, without links. */
  readonly write: readonly string[];
  /** Temporary folders that the process may use. */
  readonly temporary: {
    readonly access: PathAccess;
    readonly places: readonly TemporaryPlace[];
  };
  /** Absolute paths to copy before the process starts; their parents have no links. */
  readonly kept: readonly string[];
  readonly network: "none" | "host";
  /** Environment variables of the skill. Executors add PATH, HOME, LANG and TZ. */
  readonly env: { readonly [name: string]: string };
  /** Text for standard input; an empty input if undefined. */
  readonly stdin: string | undefined;
  /** Folder of the skill's own scripts, if the command names one. */
  readonly scripts: string | undefined;
  /** Time limit of the process, in milliseconds. */
  readonly timeoutMs: number;
  /** Id of the call. */
  readonly callId: string;
}

/** Returns the plan of a process. */
export type Executor = (command: PlacedCommand) => ProcessPlan;

/** Returns the project's credentials and ledger, as far as they lie below folders of a command. */
export function coveredPlaces({
  directory,
  read,
  write,
}: Pick<PlacedCommand, "directory" | "read" | "write">): readonly ProjectSecret[] {
  const folders = [...read, ...write];
  return projectSecrets(directory).filter(({ path }) => folders.some((each) => isIn(each, path)));
}

/**
 * Returns the folders around the covered places that a process could otherwise rename, to put others
 * in their place. An executor mounts each of them on itself: the system renames no folder on which
 * something is mounted.
 *
 * @param readOnly folders that are mounted read-only
 */
export function pinnedFolders(
  command: Pick<PlacedCommand, "directory" | "read" | "write">,
  readOnly: readonly string[],
): readonly string[] {
  const { write } = command;
  const mounted = [...readOnly, ...write];
  const isChangeable = (folder: string): boolean => {
    const around = mounted.filter((each) => isIn(each, folder));
    const innermost = around.toSorted((a, b) => b.length - a.length)[0];
    return innermost !== undefined && innermost !== folder && write.includes(innermost);
  };
  const folders = coveredPlaces(command).flatMap(({ path }) => foldersAround(path));
  return [...new Set(folders)].filter(isChangeable);
}

function foldersAround(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === path ? [] : [...foldersAround(folder), folder];
}

/** Environment variables that every process gets, if this process has them. */
const inherited = ["PATH", "LANG", "TZ"] as const;

/**
 * Returns the environment of a process: PATH, LANG and TZ of this process, a home folder, and the
 * variables of the skill.
 */
export function environmentOf(
  { env }: Pick<PlacedCommand, "env">,
  home: string | undefined,
): { readonly [name: string]: string } {
  const own = inherited.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(own), ...(home !== undefined && { HOME: home }), ...env };
}
