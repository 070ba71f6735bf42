/**
 * Applies the rules for tools that refer to other tools: `rollback`, and each kind's `link`. Call
 * it after all skills are compiled, with the cached skills too.
 */
import type { KindRegistry } from "../../bindings/registry.js";
import { canonicalJson } from "../../core/canonical-json.js";
import { sha256 } from "../../core/hash.js";
import type { Dependencies } from "../../core/lowered-skill.js";
import type { Report } from "../../core/report.js";
import type { SkillModel, ToolModel } from "../../core/skill-model.js";
import type { ProjectTools } from "../../kit/project-tools.js";
import { checkRollback } from "./check-rollback.js";

/** @returns the dependencies of each tool that has any, by its id */
export function linkTools(
  skills: readonly SkillModel[],
  kinds: KindRegistry,
  report: Report,
): ReadonlyMap<string, Dependencies> {
  const all = new Map(
    skills.flatMap(({ name, tools }) => tools.map((tool) => [`${name}/${tool.name}`, tool])),
  );
  const found = new Map<string, ReadonlySet<string>>();
  for (const skill of skills) {
    const names = [...skill.tools.map(({ name }) => name), ...all.keys()];
    for (const tool of skill.tools) {
      const asked = new Set<string>();
      const tools: ProjectTools = {
        names,
        find(name) {
          const id = name.includes("/") ? name : `${skill.name}/${name}`;
          asked.add(id);
          const other = all.get(id);
          return other && { id, tool: other };
        },
      };
      const within = report.within({ skill: skill.name, tool: tool.name });
      checkRollback(tool, tools, within);
      kinds.find(tool.binding.type)?.link?.(tool, tool.binding.config, tools, within);
      if (asked.size > 0) found.set(`${skill.name}/${tool.name}`, asked);
    }
  }
  return fingerprints(found, all);
}

/** Computes fingerprints. The fingerprint of a tool covers all direct and indirect dependencies. */
function fingerprints(
  asked: ReadonlyMap<string, ReadonlySet<string>>,
  tools: ReadonlyMap<string, ToolModel>,
): ReadonlyMap<string, Dependencies> {
  const fingerprint = (id: string): string | null => {
    if (!tools.has(id)) return null;
    const behind = new Set([id]);
    for (const each of behind) for (const next of asked.get(each) ?? []) behind.add(next);
    return sha256(
      canonicalJson([...behind].toSorted().map((each) => [each, ownHash(tools.get(each))])),
    );
  };
  return new Map(
    [...asked].map(([id, direct]) => [
      id,
      Object.fromEntries([...direct].toSorted().map((each) => [each, fingerprint(each)])),
    ]),
  );
}

/**
 * Hash of a tool. It includes parameter types that an engine inferred, because the manifest doesn't
 * contain them.
 */
function ownHash(tool: ToolModel | undefined): string | null {
  if (tool === undefined) return null;
  const { manifest, parameters, returns } = tool;
  return sha256(canonicalJson([manifest, parameters.schema, returns?.schema ?? null]));
}
