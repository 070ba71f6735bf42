import fs from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";

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

/**
 * Returns the folders that a program needs beside the system's: its package, and those of its
 * interpreters.
 *
 * @param program absolute path
 */
export function packageRoots(
  program: string,
  path = "",
  depth = maxInterpreters,
): readonly string[] {
  const real = fs.realpathSync.native(program);
  const roots = [rootOf(real), rootOf(program)];
  const interpreter = depth === 0 ? undefined : interpreterOf(real, path);
  const more = interpreter === undefined ? [] : packageRoots(interpreter, path, depth - 1);
  return [...new Set([...roots, ...more])];
}

/** Folders of programs in the folder of a package; `shims` is that of version managers. */
const programFolders: ReadonlySet<string> = new Set(["bin", "shims"]);

/**
 * The package of a program is the folder with its `package.json`, else the folder around `bin`, else
 * the program's own folder.
 */
function rootOf(program: string): string {
  const folder = dirname(program);
  for (let at = folder; dirname(at) !== at && basename(at) !== "node_modules"; at = dirname(at))
    if (fs.existsSync(join(at, "package.json"))) return at;
  const isInner = programFolders.has(basename(folder)) && dirname(folder) !== "/";
  return isInner ? dirname(folder) : folder;
}

/** Number of bytes of the first line that Linux reads. */
const shebangBytes = 256;

/** Returns the program of a script's first line: `#!/usr/bin/env node`. */
function interpreterOf(file: string, path: string): string | undefined {
  const handle = fs.openSync(file, "r");
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
