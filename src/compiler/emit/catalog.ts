import {
  type Code,
  code,
  ident,
  imported,
  join,
  jsDoc,
  jsonLiteral,
  literal,
  literalUnion,
} from "../../core/code.js";
import type { LoweredSkill, LoweredTool } from "../../core/lowered-skill.js";
import type { JsonObject } from "../../core/json.js";
import { freeIdentifier } from "../../core/names.js";
import type { DraftFile } from "../../core/output.js";
import { runtimeEntry } from "../../core/runtime-entry.js";
import type { CatalogEntry } from "./catalog-data.js";
import { skillObject } from "./catalog-text.js";
import {
  type EmittedProject,
  type EmittedSkill,
  type Emitter,
  toolsFile,
  toolsOf,
} from "./emitter.js";
import { verbatimModule } from "./verbatim-module.js";

/** Emits catalog.ts for each skill and for the project, from the values of `catalog-data.ts`. */
export const catalogEmitter: Emitter = {
  name: "catalog",
  ofSkill: (skill) => [skillCatalog(skill)],
  ofProject: (project) => [projectCatalog(project)],
};

/**
 * The catalog module of one skill, in a special layout because most of it is schemas. Each tool's
 * entry is a statement.
 */
function skillCatalog({ lowered, catalog }: EmittedSkill): DraftFile {
  const entries = catalog.tools;
  const { alias, skill, tools } = lowered;
  const toolType = imported(runtimeEntry(), "CatalogTool", true);
  const constants = tools.map((tool, index) => {
    const data = jsonLiteral(entries[index] ?? {});
    return code`const ${ident(entryName(tool))}: ${toolType}<${literal(tool.id)}> = ${data};`;
  });
  const doc = jsDoc(
    `What \`${skill.name}\` offers to a model, and what policy is checked against.`,
  );
  const whole = code`${doc}export ${skillStatement(lowered, alias, aboutOf(catalog))}`;
  const declared = [alias, ...tools.map(entryName)];
  // The skill's own texts are in SKILL.md, even if another file declares its tools.
  const source = toolsFile(lowered) === skill.file ? skill.file : `${skill.folder}/`;
  const body = verbatimModule([...constants, whole], new Set(declared), unchecked);
  return { path: `${lowered.folder}/catalog.ts`, source, body };
}

/**
 * Type checks of so much data would take long for every importer. The `verify` stage reads it back
 * instead.
 */
const unchecked = code`data, read back as it was made; what it exports is typed.`;

/** Returns an entry without its tools. */
function aboutOf(catalog: CatalogEntry): JsonObject {
  const { tools: _tools, ...about } = catalog;
  return about;
}

/**
 * Name of a tool's constant. A skill's name never begins with `_` and a letter, nor with two
 * underscores.
 */
function entryName({ functionName }: LoweredTool): string {
  return `_${functionName}`;
}

/** @param about the skill's entry without its tools */
function skillStatement({ skill, tools }: LoweredSkill, alias: string, about: JsonObject): Code {
  const type = imported(runtimeEntry(), "CatalogSkill", true);
  const ids = literalUnion(tools.map(({ id }) => id));
  const object = skillObject(about, tools.map(entryName));
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
  const statements = skills.flatMap(({ lowered: each, catalog }) => {
    const name = constants.get(each);
    return name === undefined ? [] : [skillStatement(each, name, aboutOf(catalog))];
  });
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
