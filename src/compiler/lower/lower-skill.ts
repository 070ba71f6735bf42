import type { Dependencies, Links, LoweredSkill, LoweredTool } from "../../core/lowered-skill.js";
import { canonicalJson } from "../../core/canonical-json.js";
import type { ObligationModel } from "../../core/governance-model.js";
import { sha256, shortHash } from "../../core/hash.js";
import { getOwn, isJsonObject } from "../../core/json.js";
import { fileName, toolFileName } from "../../core/file-name.js";
import { functionName, skillAlias, typeStem } from "../../core/names.js";
import type { SkillModel, ToolModel } from "../../core/skill-model.js";
import { withoutPlaces } from "../../core/places.js";
import { lowerObligations } from "./lower-obligations.js";

/**
 * Chooses every path and identifier of one skill's output. The check stage has rejected invalid
 * names.
 *
 * @param authored the skill before analysis, from its files alone
 * @param obligations obligations of the project
 */
export function lowerSkill(
  skill: SkillModel,
  authored: SkillModel = skill,
  obligations: readonly ObligationModel[] = [],
): LoweredSkill {
  const version = skillVersion(skill);
  return {
    skill,
    folder: fileName(skill.name),
    alias: skillAlias(skill.name),
    tools: skill.tools.map((tool) => {
      const before = authored.tools.find(({ name }) => name === tool.name) ?? tool;
      return {
        ...lowerTool(skill, tool, {
          skill: version,
          binding: bindingVersion(tool, before),
          manifest: manifestHash(tool),
        }),
        obligations: lowerObligations(skill.name, tool, obligations),
      };
    }),
  };
}

function lowerTool(
  skill: SkillModel,
  tool: ToolModel,
  version: LoweredTool["version"],
): Omit<LoweredTool, "obligations"> {
  return {
    tool,
    id: `${skill.name}/${tool.name}`,
    file: toolFileName(tool.name),
    functionName: functionName(tool.name),
    typeStem: typeStem(tool.name),
    version,
  };
}

function skillVersion(skill: SkillModel): string {
  const { name, description, body, prerequisites } = skill;
  return shortHash(JSON.stringify({ name, description, body, prerequisites }));
}

/**
 * Links the tools of a lowered skill. The versions of tools with dependencies include them, and so
 * cover what other tools decide about a tool.
 */
export function withLinks(skill: LoweredSkill, links: Links): LoweredSkill {
  return {
    ...skill,
    skill: linkedSkill(skill.skill, links),
    tools: skill.tools.map((each) => {
      const tool = { ...each, tool: links.tools.get(each.id) ?? each.tool };
      const own = links.dependencies.get(each.id);
      if (own === undefined) return tool;
      const { binding, manifest } = tool.version;
      const version = {
        ...tool.version,
        binding: extended(binding, own, shortHash),
        manifest: extended(manifest, own, sha256),
      };
      return { ...tool, version, dependencies: own };
    }),
  };
}

/** The skill with its tools as other tools decide about them. */
export function linkedSkill(skill: SkillModel, { tools }: Links): SkillModel {
  if (!skill.tools.some(({ name }) => tools.has(`${skill.name}/${name}`))) return skill;
  return {
    ...skill,
    tools: skill.tools.map((tool) => tools.get(`${skill.name}/${tool.name}`) ?? tool),
  };
}

/** Adds a hash to the second part of a version. The first part covers the tool's own files. */
function extended(version: string, added: Dependencies, hash: (text: string) => string): string {
  const [own = "", ...rest] = version.split("-");
  return `${own}-${hash(canonicalJson([...rest, added]))}`;
}

/** Hash of the manifest, followed by a hash of the parameter types that an engine inferred. */
function manifestHash({ inferred, manifest, parameters: { schema } }: ToolModel): string {
  if (inferred === undefined) return manifest;
  const properties = isJsonObject(schema) ? schema["properties"] : undefined;
  const schemas = inferred.map((name) => {
    const known = isJsonObject(properties) ? getOwn(properties, name) : undefined;
    return [name, known ?? schema];
  });
  return `${manifest}-${sha256(canonicalJson(schemas))}`;
}

/**
 * Version of a binding: first a hash of only the files, so that a reader of the files can compare
 * it, then a hash of the analyzed binding.
 */
function bindingVersion(tool: ToolModel, authored: ToolModel): string {
  const own = toolHash(authored);
  return tool === authored ? own : `${own}-${toolHash(tool)}`;
}

function toolHash({ binding: whole, files, parameters, returns }: ToolModel): string {
  // The rest of the binding decides it.
  const { idempotent: _, ...binding } = whole;
  const all = [parameters, returns, binding];
  return shortHash(withoutPlaces(files === undefined ? all : [...all, files]));
}
