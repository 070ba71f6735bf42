import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { SkillModel } from "../../core/skill-model.js";
import { didYouMean } from "../../schema/suggestion.js";

/** What undoes a call is a tool of the project: another one of the same skill by its name alone. */
export function checkRollbacks(skills: readonly SkillModel[], report: Report): void {
  const ids = skills.flatMap((skill) => skill.tools.map(({ name }) => `${skill.name}/${name}`));
  for (const skill of skills) {
    const known = new Set([...skill.tools.map(({ name }) => name), ...ids]);
    for (const { name, rollback } of skill.tools) {
      if (rollback === undefined || known.has(rollback.tool ?? "")) continue;
      report.within({ skill: skill.name, tool: name }).add({
        code: "tool/unknown-rollback",
        span: rollback.span,
        message:
          rollback.tool === undefined
            ? "`rollback` names no tool"
            : `${quote(rollback.tool)} is no tool of the project`,
        help: didYouMean(rollback.tool ?? "", [...known]) ?? example,
      });
    }
  }
}

const example =
  "name the tool that undoes a call: `rollback: cancel-order`, or `rollback: orders/cancel-order` for one of another skill";
