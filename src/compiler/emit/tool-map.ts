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
import type { LoweredSkill, LoweredTool } from "../../core/lowered-skill.js";
import { modelName } from "../../core/names.js";
import {
  type EmittedProject,
  type EmittedSkill,
  type Emitter,
  skillsWithTools,
  projectModule,
  skillModule,
} from "./emitter.js";
import { inputParameterOf } from "./input-parameter.js";

/** Emits tools.ts: each tool by its name for models. */
export const toolMapEmitter: Emitter = {
  name: "tools by name",
  ofSkill: (skill) => [
    skillModule(skill.lowered, "tools", skillTools(skill), [toolsName(skill.lowered)]),
  ],
  ofProject: (project) => [
    projectModule(project, "tools", projectTools(project), ["tools", "ModelName"]),
  ],
};

function skillTools({ catalog, lowered }: EmittedSkill): Code {
  const doc = jsDoc(
    `The tools of \`${lowered.skill.name}\` by the name that a model is offered, each loaded when it is first called.`,
  );
  const entries = lowered.tools.map((tool, index) => {
    const isRenamed = catalog.entry.tools[index]?.input_names !== undefined;
    return entryOf(tool, lowered, isRenamed);
  });
  return code`${doc}export const ${ident(toolsName(lowered))} = {\n${join(entries)}};\n`;
}

/** @param isRenamed true if the catalog has other names of some properties for models */
function entryOf(tool: LoweredTool, lowered: LoweredSkill, isRenamed: boolean): Code {
  const name = objectKey(modelName(lowered.skill.name, tool.tool.name));
  const file = `./${tool.file}.js`;
  const module = literal(file);
  const loaded = code`module.${ident(tool.functionName)}`;
  const type = code`typeof ${imported(file, tool.functionName, true)}`;
  const inputParameter = inputParameterOf(tool.tool);
  const marks = [
    ...(inputParameter === undefined
      ? []
      : [
          {
            value: code`inputParameter: ${literal(inputParameter)}`,
            type: code`inputParameter: string`,
          },
        ]),
    ...(isRenamed
      ? [
          {
            value: code`catalogSkill: catalog.${ident(lowered.alias)}`,
            type: code`catalogSkill: typeof ${imported("./catalog.js", lowered.alias, true)}`,
          },
        ]
      : []),
  ];
  const values = join(
    marks.map((mark) => mark.value),
    code`, `,
  );
  const types = join(
    marks.map((mark) => mark.type),
    code`; `,
  );
  const marked = marks.length === 0 ? loaded : code`Object.assign(${loaded}, { ${values} })`;
  // Projects with `isolatedDeclarations` need the type.
  const result = marks.length === 0 ? type : code`${type} & { ${types} }`;
  return isRenamed
    ? code`${name}: (): Promise<${result}> => Promise.all([import(${module}), import("./catalog.js")]).then(([module, catalog]) => ${marked}),\n`
    : code`${name}: (): Promise<${result}> => import(${module}).then((module) => ${marked}),\n`;
}

function toolsName(lowered: LoweredSkill): string {
  return `${lowered.alias}Tools`;
}

function projectTools(project: EmittedProject): Code {
  const maps = skillsWithTools(project).map((lowered) =>
    imported(`./${lowered.folder}/tools.js`, toolsName(lowered)),
  );
  const spreads = maps.map((map) => code`...${map}`);
  // Projects with `isolatedDeclarations` need the type.
  const types = maps.map((map) => code`typeof ${map}`);
  const type = maps.length === 0 ? code`{}` : join(types, code` & `);
  return code`${jsDoc(
    "Every tool by the name that a model is offered, each loaded when it is first called: what `dispatchTool` of @skillc/runtime takes.",
  )}export const tools: ${type} = { ${join(spreads, code`, `)} };

/** The name of a tool as models know it. */
export type ModelName = keyof typeof tools;
`;
}
