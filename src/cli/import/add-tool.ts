/** Adds a tool to a skill that people write: prints its entry, or writes it into metadata.yaml. */
import { existsSync, readFileSync } from "node:fs";
import { posix, relative, resolve } from "node:path";
import { parseTree } from "../../compiler/parse/parse-json.js";
import type { JsonObject } from "../../core/json.js";
import { collectDiagnostics } from "../../core/report.js";
import { valueOf } from "../../core/syntax-node.js";
import { editedYaml } from "../../import/again/merge-file.js";
import { printYaml } from "../../import/skills/print-files.js";
import { visible } from "../console/visible.js";
import { CommandFailure, orSayWhatIsInTheWay } from "../exit.js";
import { writeFiles } from "../output/write-files.js";
import { WriteFailure } from "../output/write-output.js";

/** Prints a metadata.yaml with one tool. */
export function printTool(name: string, tool: JsonObject, comment: string): string {
  return printYaml({ tools_schema: { [name]: tool } }, comment);
}

/** The place of the new tool. */
export interface ToolPlace {
  readonly skill: string;
  readonly name: string;
  /** Folder of the skill; undefined if the project has no such skill. */
  readonly folder: string | undefined;
  /** Set if the skill has a tool of this name. */
  readonly isKnown: boolean;
}

/**
 * Writes the tool into the skill's metadata.yaml, and keeps everything else there.
 *
 * @returns path of the file, relative to the project
 * @throws CommandFailure
 */
export function addTool(
  root: string,
  tool: JsonObject,
  place: ToolPlace,
  isForced: boolean,
): string {
  const { folder, isKnown, name, skill } = place;
  if (folder === undefined || folder === "")
    throw CommandFailure.input(
      `the project has no skill \`${skill}\` with tools`,
      "write its SKILL.md and a tool, and run `skillc generate`",
    );
  const path = posix.join(folder, "metadata.yaml");
  const text = existsSync(resolve(root, path)) ? readFileSync(resolve(root, path), "utf8") : "";
  const isThere = hasTool(path, text, name);
  if (isKnown && !isThere)
    throw CommandFailure.input(
      `\`${skill}/${name}\` is declared outside of ${path}`,
      "write another name after `--tool`",
    );
  if (isThere && !isForced)
    throw CommandFailure.input(
      `${path} has the tool \`${name}\` already`,
      "write another name after `--tool`, or replace the tool with `--force`",
    );
  const next = editedYaml(text, [{ path: ["tools_schema", name], value: tool }]);
  try {
    const changed = new Map([[path, next]]);
    orSayWhatIsInTheWay(() => writeFiles(root, folder, { changed, removed: [] }));
  } catch (error) {
    if (!(error instanceof WriteFailure)) throw error;
    throw CommandFailure.input(
      `\`${visible(relative(root, error.path))}\` can't be written: ${error.message}`,
      "nothing was changed",
    );
  }
  return path;
}

/** @throws CommandFailure if the file can't be read as YAML */
function hasTool(path: string, text: string, name: string): boolean {
  if (text.trim() === "") return false;
  const { diagnostics, report } = collectDiagnostics();
  const tree = parseTree({ path, text }, report);
  if (tree === undefined || diagnostics.length > 0)
    throw CommandFailure.input(
      `${path} is not YAML: ${diagnostics[0]?.message ?? "it is empty"}`,
      "correct the file first",
    );
  return valueOf(valueOf(tree, "tools_schema"), name) !== undefined;
}
