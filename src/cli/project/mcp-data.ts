import type { McpData } from "@skillc/runtime/mcp";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ignored } from "../../compiler/config/parse-config.js";
import { readLinkedFiles } from "../../compiler/linked-files.js";
import { readProject } from "../../compiler/read-project.js";
import { versionsFile } from "../../core/checksums.js";
import { sha256, sha256OfBytes } from "../../core/hash.js";
import type { Project } from "../../core/project.js";
import { readRegularFile, systemCode } from "@skillc/runtime/internal";
import type { UsedCache } from "../cache/file-cache.js";
import { hasErrors } from "../diagnostics/print-diagnostics.js";
import { type CompiledProject, compileProject } from "./compile-project.js";
import { openProject, withLinkedFiles } from "./open-project.js";
import { readSettings } from "./read-settings.js";

/** The data, or a project with errors. */
type McpDataResult =
  | { readonly kind: "data"; readonly data: McpData }
  | { readonly kind: "errors"; readonly compiled: CompiledProject };

/**
 * Returns the data of the project's MCP server, whether or not skillc.yaml has the key `mcp`. An
 * unchanged project takes them from the cache, without the compiler.
 *
 * @param root absolute
 */
export async function mcpDataOf(root: string, cache: UsedCache): Promise<McpDataResult> {
  const key = await keyOf(root);
  const kept = cache.get(key);
  // The cache returns only what is stored below.
  if (kept !== undefined) return { kind: "data", data: JSON.parse(kept) as McpData };
  const compiled = await compileProject(await withLinkedFiles(await openProject(root)), { cache });
  const data = compiled.compilation?.published?.data;
  if (data === undefined || hasErrors(compiled.diagnostics)) return { kind: "errors", compiled };
  cache.set(key, JSON.stringify(data));
  return { kind: "data", data };
}

/** Hash of everything that the data depend on: the skills, the settings, and the generated code. */
async function keyOf(root: string): Promise<string> {
  const { out } = await readSettings(root);
  const project = await readProject(root, ignored);
  const linked = await readLinkedFiles(root, project);
  const parts = ["mcp data", textsOf(project), bytesOf(linked), versionsIn(join(root, out))];
  return sha256(JSON.stringify(parts));
}

function textsOf({ configFile, files }: Project) {
  return [configFile?.text, [...files.values()].map(({ path, text }) => [path, sha256(text)])];
}

function bytesOf(linked: NonNullable<Project["linked"]>) {
  return [...linked].map(([folder, all]) => [
    folder,
    all.map(({ bytes, path, problem }) => [path, problem ?? sha256OfBytes(bytes)]),
  ]);
}

/** Checksums of the generated code. They cover what is outside of the skills, such as tables. */
function versionsIn(folder: string): readonly string[] {
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return ["", ...folders.toSorted()].flatMap((name) => textAt(join(folder, name, versionsFile)));
}

function textAt(path: string): readonly string[] {
  try {
    return [readRegularFile(path, { links: false }).toString("utf8")];
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}
