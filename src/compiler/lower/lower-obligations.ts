import type { ObligationAction, ObligationModel } from "../../core/governance-model.js";
import type { LoweredObligation, LoweredAction } from "../../core/lowered-obligation.js";
import type { ToolModel } from "../../core/skill-model.js";
import { selects } from "../../core/tool-selection.js";
import { lookAlong } from "../../schema/look-along.js";
import { redactionOf } from "../../schema/pattern/redaction.js";

/**
 * What obligations do to the answers of a tool: those that are for it, but for places that its
 * result has no room for. A place that an open object may have is changed, whatever its type says.
 */
export function lowerObligations(
  skill: string,
  tool: ToolModel,
  obligations: readonly ObligationModel[],
): readonly LoweredObligation[] {
  const { name, tags } = tool;
  return obligations
    .filter((each) => selects(each, { skill, name, tags }))
    .flatMap((each) => {
      const presence = presenceOf(each.action, tool);
      if (presence === "never") return [];
      return [
        {
          name: each.name,
          action: lowerAction(each.action),
          unless: each.unless.map(({ value }) => value),
          isTyped: presence === "declared",
        },
      ];
    });
}

/** Whatever a tool without `returns` gives may have the place. */
function presenceOf(action: ObligationAction, { returns }: ToolModel) {
  if (action.do === "watermark" || returns === undefined) return "declared";
  return lookAlong(returns, action.at.steps, "stated").presence;
}

/** A pattern that is no good stays as it is: it is an error of its own. */
function lowerAction(action: ObligationAction): LoweredAction {
  if (action.do === "watermark") return action;
  const at = action.at.steps;
  if (action.do !== "redact") return { do: action.do, at };
  const redaction = redactionOf(action.pattern.value);
  const pattern = redaction.kind === "linear" ? redaction.text : action.pattern.value;
  return { do: action.do, at, pattern };
}
