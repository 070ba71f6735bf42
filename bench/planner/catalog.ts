import type { PlannerCatalog } from "../../src/planner/index.js";
import type { PlanTool } from "./bound-plan.js";

/** The tools as a compiled project lists them. */
export function catalogOf(tools: readonly PlanTool[]): PlannerCatalog {
  return {
    skills: [
      { tools: tools.map((tool) => ({ ...tool, name: nameOf(tool), manifest_hash: tool.id })) },
    ],
  };
}

function nameOf({ id }: PlanTool): string {
  return id.slice(id.indexOf("/") + 1);
}
