import {
  anyText,
  type Code,
  code,
  ident,
  imported,
  join,
  jsDoc,
  laidOutLiteral,
  literal,
  literalUnion,
  objectKey,
} from "../../core/code.js";
import type { ToolPlan } from "../../core/emit-plan.js";
import type { JsonValue } from "../../core/json.js";
import type { DraftFile } from "../../core/output.js";
import { runtimeEntry } from "../../core/runtime-entry.js";
import {
  type EmittedProject,
  type EmittedSkill,
  type Emitter,
  projectModule,
  toolsFile,
  toolsOf,
} from "./emitter.js";
import { verbatimModule } from "./verbatim-module.js";

/** catalog.ts and catalog.json, both of the values that `catalog-data.ts` makes. */
export const catalogEmitter: Emitter = {
  name: "catalog",
  ofSkill: (skill) => [skillCatalog(skill)],
  ofProject: (project) => [
    {
      path: "catalog.json",
      source: project.source,
      body: { kind: "json", value: { skills: project.skills.map(({ catalog }) => catalog) } },
    },
    projectModule(project, "catalog", projectCatalog(project), ["catalog", "SkillName", "ToolId"]),
  ],
};

/**
 * The skill's part of the catalog, in a form of its own: most of it is schemas. Each tool's entry is
 * a statement.
 */
function skillCatalog({ plan, catalog }: EmittedSkill): DraftFile {
  const { tools: entries, ...about } = catalog;
  const { alias, skill, tools } = plan;
  const toolType = imported(runtimeEntry(), "CatalogTool", true);
  const constants = tools.map((tool, index) => {
    const data = laidOutLiteral(entries[index] ?? {});
    return code`const ${entryName(tool)}: ${toolType}<${literal(tool.id)}> = ${data};`;
  });
  const skillType = imported(runtimeEntry(), "CatalogSkill", true);
  const ids = literalUnion(tools.map(({ id }) => id));
  const members = Object.entries(about).map(
    ([name, value]) => code`  ${objectKey(name)}: ${memberValue(name, value)},\n`,
  );
  const doc = jsDoc(
    `What \`${skill.name}\` offers to a model, and what policy is checked against.`,
  );
  const whole = code`${doc}export const ${ident(alias)}: ${skillType}<${literal(skill.name)}, ${ids}> = {
${join(members)}  tools: [${join(tools.map(entryName), code`, `)}],
};`;
  const declared = [alias, ...tools.map(({ functionName }) => `_${functionName}`)];
  // What the skill says of itself is in SKILL.md, wherever its tools are.
  const source = toolsFile(plan) === skill.file ? skill.file : `${skill.folder}/`;
  const body = verbatimModule([...constants, whole], new Set(declared), false);
  return { path: `${plan.folder}/catalog.ts`, source, body };
}

/** No skill's name begins with `_` and a letter, nor with two of them. */
function entryName({ functionName }: ToolPlan): Code {
  return ident(`_${functionName}`);
}

/** Of the skill's own texts only its name has a type that tells which. */
function memberValue(name: string, value: JsonValue): Code {
  return typeof value === "string" && name !== "name" ? anyText(value) : laidOutLiteral(value);
}

/** catalog.ts of the project: the skills' own, joined, and those that have none. */
function projectCatalog(project: EmittedProject): Code {
  const plans = project.skills.map(({ plan }) => plan);
  const skills = project.skills.map(({ plan, catalog }) =>
    plan.tools.length === 0
      ? literal(catalog)
      : imported(`./${plan.folder}/catalog.js`, plan.alias),
  );
  const names = literalUnion(plans.map((plan) => plan.skill.name));
  const ids = literalUnion(toolsOf(project).map(({ id }) => id));
  const type = imported(runtimeEntry(), "Catalog", true);
  const handlers = imported("./handlers.js", "Handlers", true);
  return code`export type SkillName = ${names};

/** \`skill/tool\`: the key of handlers, ledger records and policies. */
export type ToolId = ${ids};

/**
 * Every skill and tool: what a model is offered, and what policy is checked against. The same data
 * is in catalog.json.
 */
export const catalog: ${type}<SkillName, ToolId, ${handlers}> = { skills: [${join(skills, code`, `)}] };
`;
}
