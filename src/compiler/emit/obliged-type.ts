import { type Code, code, join, literal } from "../../core/code.js";
import type { LoweredTool } from "../../core/lowered-skill.js";
import { type LoweredObligation, typedObligations } from "../../core/lowered-obligation.js";

/** Name of the type of a handler's or binding's results, before obligations change them. */
export function answerName(lowered: LoweredTool): string {
  return `${lowered.typeStem}${typedObligations(lowered.obligations).length > 0 ? "Answer" : "Result"}`;
}

/**
 * Prints the argument of `Obliged`: `[{ do: "mask"; at: ["customer", "email"]; unless: true }]`.
 */
export function obligationsType(lowered: LoweredTool): Code {
  return code`[${join(typedObligations(lowered.obligations).map(obligationType), code`, `)}]`;
}

function obligationType({ action, unless }: LoweredObligation): Code {
  const steps = "at" in action ? action.at.map((step) => literal(step)) : [];
  const at = "at" in action ? code`at: [${join(steps, code`, `)}]; ` : code``;
  const frees = unless.length > 0 ? code`unless: true` : code``;
  return code`{ do: ${literal(action.do)}; ${at}${frees} }`;
}
