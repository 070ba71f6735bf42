import { join } from "node:path";
import { fileName, toolFileName } from "../../core/names.js";
import { readRegularFile } from "@skillc/runtime/internal";
import { didYouMean } from "../../schema/suggestion.js";
import { CommandFailure } from "../exit.js";

/** A tool of the output folder. */
export interface GeneratedTool {
  /** `skill/tool`. */
  readonly id: string;
  /** Its module, `./…` relative to the project. */
  readonly module: string;
  readonly functionName: string;
  /** The tool's own module, and the skill that it was made from; both relative to the project. */
  readonly toolModule: string;
  readonly skillFile: string;
}

/** Every tool, as generated/catalog.json lists them. @throws CommandFailure when there is no list */
export function allTools(root: string, out: string): readonly GeneratedTool[] {
  return toolsIn(readCatalog(root, out), out);
}

/**
 * The tool of that name, as generated/catalog.json lists them.
 *
 * @throws CommandFailure when there is none
 */
export function findTool(root: string, out: string, id: string): GeneratedTool {
  const tools = toolsIn(readCatalog(root, out), out);
  const found = tools.find((tool) => tool.id === id);
  if (found !== undefined) return found;
  const ids = tools.map((tool) => tool.id);
  throw CommandFailure.usage(`there is no tool \`${id}\` in \`${out}/\``, suggestion(id, ids));
}

/**
 * The credentials and settings that the tools of the output folder use; none where nothing is
 * generated.
 */
export function credentialNames(root: string, out: string): readonly string[] {
  const names = listAt(catalogIn(root, out), "skills").flatMap((skill) =>
    listAt(skill, "tools").flatMap((tool) => listAt(tool, "credentials")),
  );
  return [...new Set(names.filter((name) => typeof name === "string"))];
}

/** More names than this help nobody. */
const mostNamed = 20;

function suggestion(id: string, ids: readonly string[]): string {
  if (ids.length === 0) return "no skill has a tool; declare one and run `skillc generate`";
  const sameTool = ids.filter((each) => each.endsWith(`/${id}`));
  if (!id.includes("/") && sameTool.length > 0)
    return `write the skill too: ${sameTool.map((each) => `\`${each}\``).join(" or ")}`;
  const near = didYouMean(id, ids);
  if (near !== undefined) return near;
  const named = ids
    .slice(0, mostNamed)
    .map((each) => `\`${each}\``)
    .join("\n");
  return `the tools are\n${named}${ids.length > mostNamed ? `\nand ${ids.length - mostNamed} more` : ""}`;
}

function readCatalog(root: string, out: string): unknown {
  const catalog = catalogIn(root, out);
  if (catalog !== undefined) return catalog;
  throw CommandFailure.input(
    `\`${out}/catalog.json\` can't be read`,
    "run `skillc generate` first",
  );
}

/** Undefined when it can't be read. */
function catalogIn(root: string, out: string): unknown {
  try {
    const value: unknown = JSON.parse(
      readRegularFile(join(root, out, "catalog.json")).toString("utf8"),
    );
    return value;
  } catch {
    return undefined;
  }
}

function toolsIn(catalog: unknown, out: string): readonly GeneratedTool[] {
  return listAt(catalog, "skills").flatMap((skill) =>
    listAt(skill, "tools").flatMap((tool) => {
      const id = textAt(tool, "id");
      const functionName = textAt(tool, "function");
      const skillName = textAt(skill, "name");
      const skillFile = textAt(skill, "file") ?? "";
      if (!id || !functionName || !skillName) return [];
      const folder = `./${out}/${fileName(skillName)}`;
      const toolModule = `${folder}/${toolFileName(id.slice(id.indexOf("/") + 1))}.ts`;
      return [{ id, functionName, module: `${folder}/index.ts`, toolModule, skillFile }];
    }),
  );
}

function listAt(value: unknown, key: string): readonly unknown[] {
  const member = memberOf(value, key);
  return Array.isArray(member) ? member : [];
}

function textAt(value: unknown, key: string): string | undefined {
  const member = memberOf(value, key);
  return typeof member === "string" ? member : undefined;
}

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}
