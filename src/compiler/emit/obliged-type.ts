import { type Code, code, join, literal } from "../../core/code.js";
import type { ToolPlan } from "../../core/emit-plan.js";
import type { ObligationPlan } from "../../core/obligation-plan.js";

/** The name of the type of what answers a tool's calls, before obligations change it. */
export function answerName(plan: ToolPlan): string {
  return `${plan.typeStem}${typed(plan).length > 0 ? "Answer" : "Result"}`;
}

/** `[{ do: "mask"; at: ["customer", "email"]; unless: true }]`: what `Obliged` takes. */
export function obligationsType(plan: ToolPlan): Code {
  return code`[${join(typed(plan).map(obligationType), code`, `)}]`;
}

function typed({ obligations }: ToolPlan): readonly ObligationPlan[] {
  return obligations.filter(({ isTyped }) => isTyped);
}

function obligationType({ action, unless }: ObligationPlan): Code {
  const steps = action.do === "watermark" ? [] : action.at.map((step) => literal(step));
  const at = action.do === "watermark" ? code`` : code`at: [${join(steps, code`, `)}]; `;
  const frees = unless.length > 0 ? code`unless: true` : code``;
  return code`{ do: ${literal(action.do)}; ${at}${frees} }`;
}
