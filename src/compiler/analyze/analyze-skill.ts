import type { Report } from "../../core/report.js";
import type { SkillModel, ToolModel } from "../../core/skill-model.js";
import type { Sessions } from "./sessions.js";

/** The skill with what engines know of its tools. A tool of which nothing could be learned is left out, and reported. */
export async function analyzeSkill(
  skill: SkillModel,
  sessions: Sessions,
  report: Report,
): Promise<SkillModel> {
  const tools: ToolModel[] = [];
  for (const tool of skill.tools) {
    const analyzed = await analyzeTool(tool, sessions, report.within({ tool: tool.name }));
    if (analyzed !== undefined) tools.push(analyzed);
  }
  return { ...skill, tools };
}

async function analyzeTool(
  tool: ToolModel,
  sessions: Sessions,
  report: Report,
): Promise<ToolModel | undefined> {
  const { binding } = tool;
  const session = sessions.of(binding.type);
  if (session === undefined) return tool;
  const analyzed = await session.analyze(tool, binding.config, report);
  return analyzed && { ...tool, binding: { ...binding, ...analyzed } };
}
