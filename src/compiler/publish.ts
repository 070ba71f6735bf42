import type { KindRegistry } from "../bindings/registry.js";
import type { LinkedFile, Project } from "../core/project.js";
import type { Published, UnpublishedFile } from "./compilation.js";
import { mcpData } from "./emit/mcp-data.js";
import type { Unit } from "./unit.js";

/**
 * Makes what clients of the project's MCP server see. Undefined if the linked files of the skills
 * were not read.
 */
export function publish(
  units: readonly Unit[],
  { linked }: Project,
  kinds: KindRegistry,
): Published | undefined {
  if (linked === undefined) return undefined;
  const left: UnpublishedFile[] = [];
  const skills = units.flatMap(({ folder, lowered, reads }) => {
    if (lowered === undefined) return [];
    const files = (linked.get(folder) ?? []).filter((file) => {
      const problem = whyLeftOut(file, folder, reads);
      if (problem === undefined) return true;
      left.push({ skill: lowered.skill.name, path: file.path, problem, span: file.span });
      return false;
    });
    return [{ lowered, files }];
  });
  return { data: mcpData(skills, kinds), left };
}

/** The reason why a linked file is not published, in words that follow the file's name. */
function whyLeftOut(
  { path, problem }: LinkedFile,
  folder: string,
  reads: Unit["reads"],
): string | undefined {
  if (problem !== undefined) return problem;
  // The tools name the file, for example as a schema of their bindings. Some file systems find it
  // by a name in another letter case too.
  const named = new Set(Object.keys(reads).map(folded));
  return named.has(folded(`${folder}/${path}`)) ? "belongs to the skill's tools" : undefined;
}

function folded(path: string): string {
  return path.normalize("NFKC").toLowerCase();
}
