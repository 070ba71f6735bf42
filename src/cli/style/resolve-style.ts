import { join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as prettier from "prettier";
import type { JsonObject, JsonValue } from "../../core/json.js";
import type { Style } from "../../core/style.js";
import { CommandFailure } from "../exit.js";
import { findPrettierConfig, refuseEndlessEditorConfig } from "./prettier-config.js";

/**
 * The user's own prettier settings (and .editorconfig) for files of the output folder, so that `prettier --check` takes generated files
 * as they are.
 *
 * @param outFolder absolute path of the output folder; it need not exist
 * @throws CommandFailure when a settings file can't be read, or may not be
 */
export async function resolveStyle(root: string, outFolder: string): Promise<Style> {
  // A watching process must see an edit of the settings.
  await prettier.clearConfigCache();
  refuseEndlessEditorConfig(root, outFolder);
  const modules = await optionsFor(root, join(outFolder, "index.ts"));
  const json = await optionsFor(root, join(outFolder, "catalog.json"));
  return isDeepStrictEqual(modules, json) ? modules : { ...modules, json };
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
      `mend what \`npx prettier --find-config-path ${relative(root, file)}\` names`,
    );
  }
}

/**
 * Overrides were applied already. Plugins are not loaded: one that sorts imports or renames would make of a module what can't be read back.
 * A mark that prettier asks for or puts in must be the first thing in a file, where ours have their header.
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
