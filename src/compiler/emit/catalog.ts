import {
  type Code,
  code,
  ident,
  imported,
  join,
  jsDoc,
  jsonOfStatement,
  literal,
  literalUnion,
} from "../../core/code.js";
import type { LoweredSkill, LoweredTool } from "../../core/lowered-skill.js";
import { freeIdentifier } from "../../core/names.js";
import type { DraftFile } from "../../core/output.js";
import { runtimeEntry } from "../../core/runtime-entry.js";
import { aboutSkill } from "./catalog-data.js";
import { definitionsName, definitionsObject, skillObject } from "./catalog-text.js";
import { importedSchema } from "./common-schema.js";
import {
  type EmittedProject,
  type EmittedSkill,
  type Emitter,
  toolsFile,
  toolsOf,
} from "./emitter.js";
import { uncheckedData, verbatimModule } from "./verbatim-module.js";

/** Emits catalog.ts for each skill and for the project, from the values of `catalog-data.ts`. */
export const catalogEmitter: Emitter = {
  name: "catalog",
  ofSkill: (skill) => [skillCatalog(skill)],
  ofProject: (project) => [projectCatalog(project)],
};

/**
 * The catalog module of one skill, in a special layout because most of it is schemas. Each tool's
 * entry is a statement, and so are the definitions.
 */
function skillCatalog({ lowered, catalog }: EmittedSkill): DraftFile {
  const { common, entry } = catalog;
  const { alias, skill, tools } = lowered;
  const toolType = imported(runtimeEntry(), "CatalogTool", true);
  const constants = tools.map((tool, index) => {
    const data = jsonOfStatement(entry.tools[index] ?? {});
    return code`const ${ident(entryName(tool))}: ${toolType}<${literal(tool.id)}> = ${data};`;
  });
  const definitions = definitionsObject(entry.$defs ?? {}, (name) => {
    const use = common.get(name);
    return use && importedSchema(use, lowered.folder);
  });
  const skillType = imported(runtimeEntry(), "CatalogSkill", true);
  const definitionsType = code`NonNullable<${skillType}[${literal("$defs")}]>`;
  const doc = jsDoc(
    `What \`${skill.name}\` offers to a model, and what policy is checked against.`,
  );
  const statements = [
    ...constants,
    ...(entry.$defs
      ? [code`const ${ident(definitionsName)}: ${definitionsType} = ${definitions};`]
      : []),
    code`${doc}export ${skillStatement(lowered, alias, entry.$defs && definitionsName)}`,
  ];
  const declared = [alias, definitionsName, ...tools.map(entryName)];
  // The skill's own texts are in SKILL.md, even if another file declares its tools.
  const source = toolsFile(lowered) === skill.file ? skill.file : `${skill.folder}/`;
  const body = verbatimModule(statements, new Set(declared), uncheckedData);
  return { path: `${lowered.folder}/catalog.ts`, source, body };
}

/**
 * Name of a tool's constant. A skill's name never begins with `_` and a letter, nor with two
 * underscores.
 */
function entryName({ functionName }: LoweredTool): string {
  return `_${functionName}`;
}

/** @param definitions name of the constant with its definitions; absent if it has none */
function skillStatement({ skill, tools }: LoweredSkill, alias: string, definitions?: string): Code {
  const type = imported(runtimeEntry(), "CatalogSkill", true);
  const ids = literalUnion(tools.map(({ id }) => id));
  const object = skillObject(aboutSkill(skill), tools.map(entryName), definitions);
  return code`const ${ident(alias)}: ${type}<${literal(skill.name)}, ${ids}> = ${object};`;
}

/**
 * Emits the project's catalog.ts: it joins the skills' modules, and contains the skills without a
 * module.
 */
function projectCatalog(project: EmittedProject): DraftFile {
  const { skills, source } = project;
  const lowered = skills.map((each) => each.lowered);
  const constants = constantsOf(lowered);
  const statements = [...constants].map(([each, name]) => skillStatement(each, name));
  const names = literalUnion(lowered.map(({ skill }) => skill.name));
  const ids = literalUnion(toolsOf(project).map(({ id }) => id));
  const joined = lowered.map((each) => {
    const name = constants.get(each);
    return name === undefined ? imported(`./${each.folder}/catalog.js`, each.alias) : ident(name);
  });
  const type = imported(runtimeEntry(), "Catalog", true);
  const handlers = imported("./handlers.js", "Handlers", true);
  const doc = jsDoc(
    "Every skill and tool: what a model is offered, and what policy is checked against. `skillc catalog --json` prints it.",
  );
  const body = [
    code`export type SkillName = ${names};`,
    code`${jsDoc("`skill/tool`: the key of handlers, ledger records and policies.")}export type ToolId = ${ids};`,
    ...statements,
    code`${doc}export const catalog: ${type}<SkillName, ToolId, ${handlers}> = { skills: [${join(joined, code`, `)}] };`,
  ];
  const declared = [...ownNames, ...constants.values()];
  return {
    path: "catalog.ts",
    source,
    body: verbatimModule(body, new Set(declared)),
  };
}

/** Names that the project's catalog declares itself. */
const ownNames: readonly string[] = ["catalog", "SkillName", "ToolId"];

/**
 * Constants of the skills without tools, which have no module. Such a skill's name is unchecked: it
 * may be a JavaScript keyword, or become equal to another after invalid characters are dropped.
 */
function constantsOf(all: readonly LoweredSkill[]): ReadonlyMap<LoweredSkill, string> {
  const taken = new Set(ownNames);
  const names = new Map<LoweredSkill, string>();
  for (const lowered of all.filter(({ tools }) => tools.length === 0)) {
    const name = freeIdentifier(lowered.alias, taken);
    taken.add(name);
    names.set(lowered, name);
  }
  return names;
}
