import { functionName, longestModelName, modelName, quote, skillAlias } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { SkillModel, ToolModel } from "../../core/skill-model.js";
import { checkCollision, checkName, type Named, seenNothing } from "./name-rules.js";

/** A skill with tools can be a folder and an import; without them it is only an entry of the catalogue. */
export function checkSkillName(skill: SkillModel, report: Report): void {
  if (skill.tools.length > 0) checkName(skillNamed(skill), skillAlias(skill.name), report);
}

/** A skill's name as the rules about names take it. */
export function skillNamed({ name, span }: SkillModel): Named {
  return { name, span, what: "skill", addition: "skill" };
}

/** Every tool of a skill can be a function, a file and a name for a model, and no two are the same one. */
export function checkToolNames(skill: SkillModel, report: Report): void {
  const others = seenNothing();
  for (const tool of skill.tools) {
    const within = report.within({ tool: tool.name });
    const addition = /[A-Za-z0-9]+/.exec(skill.name)?.[0].toLowerCase() ?? "tool";
    const named: Named = { name: tool.name, span: tool.span, what: "tool", addition };
    if (!checkName(named, functionName(tool.name), within)) continue;
    checkCollision(named, functionName(tool.name), others, within);
    checkModelName(skill, tool, within);
  }
}

function checkModelName(skill: SkillModel, tool: ToolModel, report: Report): void {
  const name = modelName(skill.name, tool.name);
  if (name.length <= longestModelName) return;
  const room = longestModelName - modelName(skill.name, "").length;
  report.add({
    code: "name/too-long",
    span: tool.span,
    message: `models would know the tool as ${quote(name)}, ${name.length} characters of ${longestModelName} allowed`,
    help:
      room >= 3
        ? `shorten the tool's name to ${room} characters${shorter(tool.name, room)}`
        : `shorten the name of the skill ${quote(skill.name)}`,
  });
}

/** As many whole words as fit. */
function shorter(name: string, room: number): string {
  const cut = name.slice(0, room + 1);
  const end = Math.max(cut.lastIndexOf("-"), cut.lastIndexOf("_"));
  return end > 0 ? `, such as ${quote(cut.slice(0, end))}` : "";
}
