import { join } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.js";
import { fileName, toolFileName } from "../../core/file-name.js";
import type { WrittenCatalog } from "../../compiler/emit/catalog-text.js";
import { didYouMean } from "../../schema/suggestion.js";
import { CommandFailure } from "../exit.js";
import { readOutputCatalog } from "../output/read-output-catalog.js";

/** A tool of the output folder. */
export interface GeneratedTool {
  /** Id of the tool: `skill/tool`. */
  readonly id: string;
  /** Module of the tool itself, `./…` relative to the project. */
  readonly module: string;
  readonly functionName: string;
  /** State that the tool's skill declares. */
  readonly state: "enabled" | "paused";
  /** SKILL.md of the tool, relative to the project. */
  readonly skillFile: string;
}

/**
 * Lists all tools in the output folder's catalog.
 *
 * @throws CommandFailure if there is no catalog
 */
export function allTools(root: string, out: string): readonly GeneratedTool[] {
  return toolsIn(outputCatalog(root, out), out);
}

/**
 * Finds the tool with this name.
 *
 * @throws CommandFailure if there is none
 */
export function findTool(root: string, out: string, id: string): GeneratedTool {
  const tools = toolsIn(outputCatalog(root, out), out);
  const found = tools.find((tool) => tool.id === id);
  if (found !== undefined) return found;
  const ids = tools.map((tool) => tool.id);
  throw CommandFailure.usage(`there is no tool \`${id}\` in \`${out}/\``, suggestion(id, ids));
}

/** Returns the description of a tool in the output folder; undefined if the folder lacks the tool. */
export function descriptionOf(root: string, out: string, id: string): string | undefined {
  const { skills = [] } = readOutputCatalog(join(root, out)) ?? {};
  const found = skills.flatMap(({ tools }) => tools).find((tool) => tool["id"] === id);
  const description = found?.["description"];
  return typeof description === "string" ? description : undefined;
}

/** Lists credentials and settings that the generated tools use; empty if nothing was generated. */
export function credentialNames(root: string, out: string): readonly string[] {
  const { skills = [] } = readOutputCatalog(join(root, out)) ?? {};
  const names = skills.flatMap(({ tools }) =>
    tools.flatMap((tool) =>
      listAt(tool, "capabilities").flatMap((each) => listAt(each, "credentials")),
    ),
  );
  return [...new Set(names.filter((name) => typeof name === "string"))];
}

/** Maximum number of names in a message. */
const maxNamed = 20;

function suggestion(id: string, ids: readonly string[]): string {
  if (ids.length === 0) return "no skill has a tool; declare one and run `skillc generate`";
  const sameTool = ids.filter((each) => each.endsWith(`/${id}`));
  if (!id.includes("/") && sameTool.length > 0)
    return `write the skill too: ${sameTool.map((each) => `\`${each}\``).join(" or ")}`;
  const near = didYouMean(id, ids);
  if (near !== undefined) return near;
  const named = ids
    .slice(0, maxNamed)
    .map((each) => `\`${each}\``)
    .join("\n");
  return `the tools are\n${named}${ids.length > maxNamed ? `\nand ${ids.length - maxNamed} more` : ""}`;
}

/** @throws CommandFailure if the catalog can't be read */
export function outputCatalog(root: string, out: string): WrittenCatalog {
  const catalog = readOutputCatalog(join(root, out));
  if (catalog !== undefined) return catalog;
  throw CommandFailure.input(
    `the catalog in \`${out}/\` can't be read`,
    "run `skillc generate` first",
  );
}

function toolsIn({ skills }: WrittenCatalog, out: string): readonly GeneratedTool[] {
  return skills.flatMap((skill) =>
    skill.tools.flatMap((tool) => {
      const id = textAt(tool, "id");
      const functionName = textAt(tool, "function");
      const skillName = textAt(skill, "name");
      const skillFile = textAt(skill, "file") ?? "";
      if (!id || !functionName || !skillName) return [];
      const folder = `./${out}/${fileName(skillName)}`;
      const module = `${folder}/${toolFileName(id.slice(id.indexOf("/") + 1))}.ts`;
      const { governance } = tool;
      const isPaused = isJsonObject(governance) && textAt(governance, "state") === "paused";
      const state = isPaused ? "paused" : "enabled";
      return [{ id, functionName, state, module, skillFile }];
    }),
  );
}

/** Reads a text of a catalog's entry, which is only known to be an object. */
export function textAt(entry: JsonObject, key: string): string | undefined {
  const member = entry[key];
  return typeof member === "string" ? member : undefined;
}

function listAt(value: JsonValue | undefined, key: string): readonly JsonValue[] {
  const member = isJsonObject(value) ? value[key] : undefined;
  return Array.isArray(member) ? (member as readonly JsonValue[]) : [];
}
