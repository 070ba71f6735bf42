import type { ToolForm } from "../../bindings/binding.js";
import type { Report } from "../../core/report.js";
import type { SkillModel, ToolModel } from "../../core/skill-model.js";
import { uncompilableFinding } from "../../schema/ajv-instance.js";
import type { Sessions } from "./sessions.js";

/**
 * The skill with what engines know of its tools. A tool of which nothing could be learned is left out, and reported.
 *
 * @param plain names of the tools that are to have their plain form
 */
export async function analyzeSkill(
  skill: SkillModel,
  sessions: Sessions,
  report: Report,
  plain: ReadonlySet<string> = new Set(),
): Promise<SkillModel> {
  const analyzed = new Map<ToolModel, ToolModel>();
  for (const tool of inGroups(skill.tools, sessions)) {
    const form = plain.has(tool.name) ? "plain" : "usual";
    const known = await analyzeTool(tool, form, sessions, report.within({ tool: tool.name }));
    if (known !== undefined) analyzed.set(tool, known);
  }
  return { ...skill, tools: skill.tools.flatMap((tool) => analyzed.get(tool) ?? []) };
}

/** In their order, but those of one group together, where the first of them stands. */
function inGroups(tools: readonly ToolModel[], sessions: Sessions): readonly ToolModel[] {
  const groups = new Map<string, ToolModel[]>();
  for (const tool of tools) {
    const { config, type } = tool.binding;
    const group = `${type} ${sessions.of(type)?.group?.(config) ?? ""}`;
    groups.set(group, [...(groups.get(group) ?? []), tool]);
  }
  return [...groups.values()].flat();
}

async function analyzeTool(
  tool: ToolModel,
  form: ToolForm,
  sessions: Sessions,
  report: Report,
): Promise<ToolModel | undefined> {
  const { binding } = tool;
  const session = sessions.of(binding.type);
  if (session === undefined) return tool;
  try {
    const analyzed = await session.analyze(tool, binding.config, report, form);
    return analyzed && { ...tool, binding: { ...binding, ...analyzed } };
  } catch (fault) {
    report.add(uncompilableFinding(fault, tool.span));
    return undefined;
  }
}
