import { readRegularFile, systemCode } from "@skillc/runtime/internal";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CompileCache } from "../../compiler/compile-cache.js";
import { sha256 } from "../../core/hash.js";
import type { Style } from "../../core/style.js";
import { mayRunCode } from "./settings-data.js";

/**
 * Returns the user's prettier settings. Loads prettier only if a file with settings has changed.
 *
 * @param outFolder absolute path of the output folder; it need not exist
 * @throws CommandFailure if a settings file can't be read, or must not be
 */
export async function cachedStyle(
  root: string,
  outFolder: string,
  cache: CompileCache | undefined,
): Promise<Style> {
  const key = cache && keyOf(root, outFolder);
  const text = typeof key === "string" ? cache?.get(key) : undefined;
  // The cache returns only what is stored below.
  if (text !== undefined) return JSON.parse(text) as Style;
  const { resolveStyle } = await import("./resolve-style.js");
  const style = await resolveStyle(root, outFolder);
  if (typeof key === "string") cache?.set(key, JSON.stringify(style));
  return style;
}

/** Names of files with prettier settings, in a folder or above. */
const settingsName = /^(?:\.prettierrc(?:\..+)?|prettier\.config\..+|package\.(?:json|yaml))$/i;
/** Other files and folders that prettier looks for. */
const otherName = /^\.(?:editorconfig|git|hg)$/i;

/**
 * Hash of everything that determines the settings. Undefined if a file may be code, whose result
 * may change, or if a folder can't be read.
 */
function keyOf(root: string, outFolder: string): string | undefined {
  const found: (readonly [folder: string, name: string, text: string | null])[] = [];
  for (let folder = outFolder; ; folder = dirname(folder)) {
    const names = namesIn(folder);
    if (names === undefined) return undefined;
    for (const name of names) {
      const path = join(folder, name);
      const isSettings = settingsName.test(name);
      if (!isSettings && !otherName.test(name)) continue;
      if (isSettings && mayRunCode(path)) return undefined;
      found.push([folder, name, textOf(path)]);
    }
    if (dirname(folder) === folder) break;
  }
  return sha256(JSON.stringify(["style", root, outFolder, found]));
}

/** Names in a folder, sorted. */
function namesIn(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder).toSorted();
  } catch (error) {
    return systemCode(error) === "ENOENT" ? [] : undefined;
  }
}

/** Reads a file; null if the path is not a file. */
function textOf(path: string): string | null {
  try {
    return readRegularFile(path).toString("utf8");
  } catch {
    return null;
  }
}
