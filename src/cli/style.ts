import { relative } from "node:path";
import * as prettier from "prettier";
import type { JsonValue } from "../core/json.js";
import type { Style } from "../core/style.js";
import { CommandFailure } from "./exit.js";

/**
 * The user's own prettier settings (and .editorconfig) for files of the output folder, so that `prettier --check` takes generated files
 * as they are.
 *
 * @param file absolute path of any generated TypeScript file; it need not exist
 * @throws CommandFailure when a settings file can't be read
 */
export async function resolveStyle(root: string, file: string): Promise<Style> {
  // A watching process must see an edit of the settings.
  await prettier.clearConfigCache();
  try {
    const options = (await prettier.resolveConfig(file, { editorconfig: true })) ?? {};
    return Object.fromEntries(Object.entries(options).filter(isPlain));
  } catch (error) {
    const message = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    throw CommandFailure.input(
      `prettier's settings can't be read: ${message.replaceAll(`${root}/`, "")}`,
      `mend what \`npx prettier --find-config-path ${relative(root, file)}\` names`,
    );
  }
}

/** Plugins that are objects, and overrides that were applied already, have no part in formatting our files. */
function isPlain(entry: readonly [string, unknown]): entry is [string, JsonValue] {
  const [name, value] = entry;
  return (
    name !== "plugins" &&
    name !== "overrides" &&
    ["string", "number", "boolean"].includes(typeof value)
  );
}
