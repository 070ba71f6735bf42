import fs from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";
import { systemCode } from "../../../runtime/files/system-code.js";
import { isIn } from "../../../runtime/files/project-secrets.js";

/**
 * Finds a program.
 *
 * @param name a name without slashes, or an absolute path
 * @param path value of PATH; a relative entry of it is left out
 * @returns absolute path; undefined if there is no such program
 */
export function findProgram(name: string, path = ""): string | undefined {
  if (isAbsolute(name)) return isProgram(name) ? name : undefined;
  if (name.includes("/")) return undefined;
  const folders = path.split(delimiter).filter((each) => isAbsolute(each));
  return folders.map((each) => join(each, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    fs.accessSync(path, fs.constants.X_OK);
    return fs.statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Maximum number of interpreters in a row: a script's interpreter may be a script itself. */
const maxInterpreters = 4;

/** The folders that a package root must not contain, and the value of PATH. */
export interface RootOptions {
  /** Absolute path of the project's folder. */
  readonly directory: string;
  /** Absolute path of the user's home folder; undefined if it is unknown. */
  readonly home: string | undefined;
  readonly path: string | undefined;
}

/**
 * Returns the folders that a program needs beside the system's: its package, and those of its
 * interpreters. They never contain a home folder or the project, which may hold secrets.
 *
 * @param program absolute path
 */
export function packageRoots(
  program: string,
  options: RootOptions,
  depth = maxInterpreters,
): readonly string[] {
  const real = fs.realpathSync.native(program);
  const roots = [real, program].map((each) => rootOf(each, options));
  const interpreter = depth === 0 ? undefined : interpreterOf(real, options.path);
  const more = interpreter === undefined ? [] : packageRoots(interpreter, options, depth - 1);
  return [...new Set([...roots, ...more])];
}

/** Folders of programs in the folder of a package; `shims` is that of version managers. */
const programFolders: ReadonlySet<string> = new Set(["bin", "shims"]);

/**
 * The package of a program is the outermost `node_modules` that holds it, else the installation
 * around its `bin`, else its own folder. A folder with a home or with the project in it is no
 * package, and the program stands alone.
 */
function rootOf(program: string, { directory, home }: RootOptions): string {
  const modules = program.indexOf("/node_modules/");
  if (modules >= 0) return program.slice(0, modules + "/node_modules".length);
  const folder = dirname(program);
  const around = dirname(folder);
  const isWide = (path: string): boolean =>
    [directory, home].some((each) => each !== undefined && isIn(path, each));
  if (programFolders.has(basename(folder)) && !isWide(around) && isInstallation(around))
    return around;
  return isWide(folder) ? program : folder;
}

/**
 * Returns whether a folder is an installation of programs, such as those of nvm, pyenv and venv. A
 * project has a `bin` too, beside files that a program must not see, and so has `~/.local`.
 */
function isInstallation(folder: string): boolean {
  const has = (name: string): boolean => fs.existsSync(join(folder, name));
  if (has("pyvenv.cfg") || has("libexec")) return true;
  const isProject = has("package.json") || has(".git") || has(".env");
  return has("lib") && !isProject && basename(folder) !== ".local";
}

/** Number of bytes of the first line that Linux reads. */
const shebangBytes = 256;

/** Returns the program of a script's first line: `#!/usr/bin/env node`. */
function interpreterOf(file: string, path: string | undefined): string | undefined {
  const handle = openReadable(file);
  if (handle === undefined) return undefined;
  try {
    const head = Buffer.alloc(shebangBytes);
    const read = fs.readSync(handle, head, 0, shebangBytes, 0);
    const [first = ""] = head.toString("latin1", 0, read).split("\n");
    const words = /^#!\s*(\S+)(?:\s+(?:-S\s+)?(\S+))?/.exec(first);
    if (words === null) return undefined;
    const [, program = "", argument] = words;
    return basename(program) === "env" && argument !== undefined
      ? findProgram(argument, path)
      : findProgram(program);
  } finally {
    fs.closeSync(handle);
  }
}

/** Opens a file; undefined if it may be executed and not read. */
function openReadable(file: string): number | undefined {
  try {
    return fs.openSync(file, "r");
  } catch (error) {
    if (systemCode(error) === "EACCES") return undefined;
    throw error;
  }
}
