import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Credentials } from "../credentials/credentials.js";
import type { MissingPrerequisite } from "../errors.js";
import type { Prerequisites } from "../tool.js";

/** The environment that this process offers to skills. */
export interface Surroundings {
  /** Credentials and settings of the runtime. */
  readonly credentials: Credentials;
  /** The application's configuration, for `prerequisites.config`. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Folders of executables, in the form of PATH. */
  readonly path: string;
  /** Name of the system, as in `process.platform`. */
  readonly platform: string;
  /** Set in tests with fakes, which check nothing on this machine because nothing is called. */
  readonly isFaked?: boolean;
}

/** Returns the prerequisites that are not met; empty if all are met. */
export async function unmetPrerequisites(
  wanted: Prerequisites,
  here: Surroundings,
): Promise<readonly MissingPrerequisite[]> {
  if (here.isFaked === true) return [];
  const missing: MissingPrerequisite[] = [];
  for (const name of wanted.env ?? []) {
    if (!(await here.credentials.has(name))) missing.push({ kind: "env", name });
  }
  for (const name of wanted.bins ?? []) {
    if (!isOnPath(name, here.path)) missing.push({ kind: "bins", name });
  }
  for (const name of wanted.config ?? []) {
    if (!hasSetting(here.config, name)) missing.push({ kind: "config", name });
  }
  const systems = wanted.os ?? [];
  if (systems.length > 0 && !systems.includes(here.platform)) {
    missing.push({ kind: "os", name: systems.join(" or ") });
  }
  return missing;
}

function isOnPath(name: string, path: string): boolean {
  if (/[/\\\0]/.test(name)) return false;
  const endings = process.platform === "win32" ? [".exe", ".cmd", ".bat", ""] : [""];
  return path
    .split(delimiter)
    .filter((folder) => folder !== "")
    .some((folder) => endings.some((ending) => isExecutable(join(folder, name + ending))));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * Returns whether a setting has a value other than null or empty text. `a.b` is a setting inside
 * another.
 */
function hasSetting(config: Readonly<Record<string, unknown>>, name: string): boolean {
  let value: unknown = config;
  for (const step of name.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return false;
    value = Object.getOwnPropertyDescriptor(value, step)?.value;
  }
  return value !== undefined && value !== null && value !== "";
}
