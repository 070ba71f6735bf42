import type { Finding } from "../../core/diagnostic.js";
import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { SkillModel } from "../../core/skill-model.js";
import type { Span } from "../../core/span.js";
import { didYouMean } from "../../schema/suggestion.js";

/** What undoes a call is a tool of the project: another one of the same skill by its name alone. */
export function checkRollbacks(skills: readonly SkillModel[], report: Report): void {
  const ids = skills.flatMap((skill) => skill.tools.map(({ name }) => `${skill.name}/${name}`));
  for (const skill of skills) {
    const known = new Set([...skill.tools.map(({ name }) => name), ...ids]);
    for (const { binding, name, rollback } of skill.tools) {
      if (rollback === undefined) continue;
      const within = report.within({ skill: skill.name, tool: name });
      if (binding.effect === "read") within.add(nothingToUndo(rollback.span));
      if (known.has(rollback.tool ?? "")) continue;
      within.add({
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

function nothingToUndo(span: Span): Finding {
  return {
    code: "tool/needless-rollback",
    span,
    message: "a call of this tool only reads, and `rollback` says what undoes it",
    help: "remove `rollback`; where a call does change something, say `effect: write` in its binding",
  };
}

const example =
  "name the tool that undoes a call: `rollback: cancel-order`, or `rollback: orders/cancel-order` for one of another skill";
