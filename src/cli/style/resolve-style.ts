import * as prettier from "prettier";
import { type Stats, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { resolveConfigFile } from "prettier";
import type { JsonObject, JsonValue } from "../../core/json.js";
import type { Style } from "../../core/style.js";
import { CommandFailure, isSystemError } from "../exit.js";
import { isData } from "./settings-data.js";

/**
 * Returns the user's prettier settings (and .editorconfig) for files of the output folder, so that
 * `prettier --check` accepts generated files.
 *
 * @param outFolder absolute path of the output folder; it need not exist
 * @throws CommandFailure if a settings file can't be read, or must not be
 */
export async function resolveStyle(root: string, outFolder: string): Promise<Style> {
  // A watching process must see an edit of the settings.
  await prettier.clearConfigCache();
  refuseEndlessEditorConfig(root, outFolder);
  return optionsFor(root, join(outFolder, "index.ts"));
}

async function optionsFor(root: string, file: string): Promise<JsonObject> {
  try {
    const config = await findPrettierConfig(root, file);
    const options =
      (await prettier.resolveConfig(file, { editorconfig: true, ...(config && { config }) })) ?? {};
    return Object.fromEntries(Object.entries(options).filter(isPlain));
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    const message = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    throw CommandFailure.input(
      `prettier's settings can't be read: ${message.replaceAll(`${root}/`, "")}`,
      `fix the file that \`npx prettier --find-config-path ${relative(root, file)}\` prints`,
    );
  }
}

/**
 * Settings without effect. Overrides are applied already. Plugins are not loaded, because skillc
 * could not read back modules with sorted imports or renamed identifiers. Pragmas must be the first
 * thing in a file, where skillc's header is.
 */
const withoutEffect: ReadonlySet<string> = new Set([
  "plugins",
  "overrides",
  "requirePragma",
  "insertPragma",
]);

function isPlain(entry: readonly [string, unknown]): entry is [string, JsonValue] {
  const [name, value] = entry;
  return !withoutEffect.has(name) && ["string", "number", "boolean"].includes(typeof value);
}

/**
 * Finds the prettier settings for a file of the output folder; undefined if there are none. The
 * settings may be code, or name a module to load. In the project's folder and above, that code is
 * trusted, as with npm. Below the project's folder, where files may come from anywhere, only data
 * is accepted.
 *
 * @param file absolute
 * @throws CommandFailure for settings below the project's folder that are code
 */
async function findPrettierConfig(root: string, file: string): Promise<string | undefined> {
  const found = await resolveConfigFile(file);
  if (found === null) return undefined;
  const folder = relative(root, dirname(found));
  const isBelow = folder !== "" && !isAbsolute(folder) && folder.split(sep)[0] !== "..";
  if (isBelow && !isData(found)) throw codeBelow(relative(root, found).replaceAll(sep, "/"));
  return found;
}

/**
 * Rejects special files. Prettier reads every `.editorconfig` up to the root, and would wait for a
 * pipe forever.
 *
 * @param folder absolute; it need not exist
 * @throws CommandFailure for a path that is neither a file nor a folder; prettier skips folders
 */
function refuseEndlessEditorConfig(root: string, folder: string): void {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, ".editorconfig");
    const there = look(path);
    if (there !== undefined && !there.isFile() && !there.isDirectory())
      throw CommandFailure.input(
        `\`${relative(root, path).replaceAll(sep, "/")}\` is not a file`,
        "remove it, or write the settings there: prettier takes line widths and indents from it",
      );
    if (dirname(at) === at) return;
  }
}

/**
 * Inspects a path. Prettier can't read a path either that can't be inspected, such as one below a
 * file.
 */
function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return undefined;
  }
}

function codeBelow(path: string): CommandFailure {
  return CommandFailure.input(
    `prettier's settings in \`${path}\` are code, or not plain data; skillc runs such code only in the project's own folder`,
    "write them out in a `.prettierrc`, such as `semi: false`, or move the file to the project's own folder",
  );
}
