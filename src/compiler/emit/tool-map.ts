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
import {
  type EmittedProject,
  type Emitter,
  plansWithTools,
  projectModule,
  skillModule,
} from "./emitter.js";

/** tools.ts: each tool by the name that a model calls it by. */
export const toolMapEmitter: Emitter = {
  name: "tools by name",
  ofSkill: ({ plan }) => [skillModule(plan, "tools", skillTools(plan), [toolsName(plan)])],
  ofProject: (project) => [
    projectModule(project, "tools", projectTools(project), ["tools", "ModelName"]),
  ],
};

function skillTools(plan: SkillPlan): Code {
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

function toolsName(plan: SkillPlan): string {
  return `${plan.alias}Tools`;
}

function projectTools(project: EmittedProject): Code {
  const spreads = plansWithTools(project).map(
    (plan) => code`...${imported(`./${plan.folder}/tools.js`, toolsName(plan))}`,
  );
  return code`${jsDoc(
    "Every tool by the name that a model is offered, each loaded when it is first called: what `dispatchTool` of @skillc/runtime takes.",
  )}export const tools = { ${join(spreads, code`, `)} };

/** The name of a tool as models know it. */
export type ModelName = keyof typeof tools;
`;
}
