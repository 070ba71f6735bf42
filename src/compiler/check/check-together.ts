import { skillNamed } from "./check-names.js";
import { checkCollision, seenNothing } from "./name-rules.js";
import { modelName, quote, skillAlias } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { SkillModel, ToolModel } from "../../core/skill-model.js";

/** The rules about skills beside each other: each has a name of its own, and those with tools a folder and an import. */
export function checkTogether(skills: readonly SkillModel[], report: Report): void {
  const byName = new Map<string, SkillModel>();
  const others = seenNothing();
  for (const skill of skills) {
    const first = byName.get(skill.name);
    const within = report.within({ skill: skill.name });
    if (first !== undefined) reportTwice(first, skill, within);
    else byName.set(skill.name, skill);
    // A skill without tools gets no folder: it is only an entry of the catalogue.
    if (first !== undefined || skill.tools.length === 0) continue;
    checkCollision(skillNamed(skill), skillAlias(skill.name), others, within);
  }
  checkModelNames([...byName.values()], report);
}

/** `a` with `b__c`, and `a__b` with `c`, would both be `a__b__c`: a model's call could not be told apart. */
function checkModelNames(skills: readonly SkillModel[], report: Report): void {
  const first = new Map<string, ToolModel>();
  for (const skill of skills) {
    for (const tool of skill.tools) {
      const name = modelName(skill.name, tool.name);
      const other = first.get(name);
      first.set(name, other ?? tool);
      // Two tools of one skill have been compared already.
      if (other === undefined || skill.tools.includes(other)) continue;
      report.within({ skill: skill.name, tool: tool.name }).add({
        code: "name/collision",
        span: tool.span,
        message: `models would know two tools as ${quote(name)}`,
        help: "rename one of the two tools, or its skill",
        related: [{ span: other.span, message: "the other is here" }],
      });
    }
  }
}

function reportTwice(first: SkillModel, second: SkillModel, report: Report): void {
  report.add({
    code: "name/skill-twice",
    span: second.span,
    message: `${quote(first.folder)} holds a skill of the name ${quote(second.name)} too`,
    help: `rename the one in ${quote(second.folder)}, its folder and its \`name\``,
    related: [{ span: first.span, message: `that of ${quote(first.folder)}` }],
  });
}
