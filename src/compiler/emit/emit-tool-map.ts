import {
  type Code,
  code,
  ident,
  imported,
  join,
  jsDoc,
  literal,
  objectKey,
} from "../../core/code.js";
import type { SkillPlan, ToolPlan } from "../../core/emit-plan.js";
import { modelName } from "../../core/names.js";

/** The body of a skill's tools.ts: its tools by the name that a model is offered. */
export function skillToolsBody(plan: SkillPlan): Code {
  const doc = jsDoc(
    `The tools of \`${plan.skill.name}\` by the name that a model is offered, each loaded when it is first called.`,
  );
  const entries = plan.tools.map((tool) => entryOf(tool, plan));
  return code`${doc}export const ${ident(toolsName(plan))} = {\n${join(entries)}};\n`;
}

function entryOf(tool: ToolPlan, plan: SkillPlan): Code {
  const name = objectKey(modelName(plan.skill.name, tool.tool.name));
  const module = literal(`./${tool.file}.js`);
  return code`${name}: () => import(${module}).then((module) => module.${ident(tool.functionName)}),\n`;
}

export function toolsName(plan: SkillPlan): string {
  return `${plan.alias}Tools`;
}

/** The body of the project's tools.ts. */
export function projectToolsBody(plans: readonly SkillPlan[]): Code {
  const spreads = plans
    .filter((plan) => plan.tools.length > 0)
    .map((plan) => code`...${imported(`./${plan.folder}/tools.js`, toolsName(plan))}`);
  return code`${jsDoc(
    "Every tool by the name that a model is offered, each loaded when it is first called: what `dispatchTool` of @skillc/runtime takes.",
  )}export const tools = { ${join(spreads, code`, `)} };

/** The name of a tool as models know it. */
export type ModelName = keyof typeof tools;
`;
}
