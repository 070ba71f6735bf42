import type { SkillPlan } from "../../core/emit-plan.js";

/** The type of a skill's handlers. */
export function handlersName({ alias }: SkillPlan): string {
  return `${alias.charAt(0).toUpperCase()}${alias.slice(1)}Handlers`;
}
