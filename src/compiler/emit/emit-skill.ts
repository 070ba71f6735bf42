import type { KindRegistry } from "../../bindings/registry.js";
import {
  anyText,
  code,
  type Code,
  ident,
  imported,
  join,
  jsDoc,
  literal,
  memberKey,
  objectKey,
  statements,
} from "../../core/code.js";
import type { SkillPlan, ToolPlan } from "../../core/emit-plan.js";
import type { JsonValue } from "../../core/json.js";
import type { DraftFile } from "../../core/output.js";
import { runtimeEntry } from "../../core/runtime-entry.js";
import { defaultsOf } from "../../schema/defaults.js";
import type { CatalogueEntry } from "./catalog-data.js";
import { skillToolsBody, toolsName } from "./emit-tool-map.js";
import { handlersName } from "./handlers-name.js";
import { frameModule } from "./frame-module.js";

/**
 * The files of a skill's folder that name all of its tools; none for a skill without tools, which is only an entry of the catalogue.
 *
 * @param catalogue the skill's part of it
 */
export function emitSkill(
  plan: SkillPlan,
  catalogue: CatalogueEntry,
  kinds: KindRegistry,
): readonly DraftFile[] {
  if (plan.tools.length === 0) return [];
  return [
    catalogFile(plan, catalogue),
    indexFile(plan),
    handlersFile(plan, kinds),
    typescript(plan, "tools", skillToolsBody(plan), toolsName(plan)),
  ];
}

function typescript(plan: SkillPlan, name: string, body: Code, declared: string): DraftFile {
  const framed = frameModule(body, new Set([declared]));
  return {
    path: `${plan.folder}/${name}.ts`,
    source: toolsFile(plan),
    body: { kind: "typescript", code: framed },
  };
}

/** SKILL.md, or the metadata file beside it: only one of the two declares tools. */
function toolsFile({ skill, tools }: SkillPlan): string {
  return tools[0]?.tool.span.file ?? skill.file;
}

/** The one module an application imports of a skill. */
function indexFile(plan: SkillPlan): DraftFile {
  const lines = plan.tools.map((tool) => {
    const { typeStem } = tool;
    const types = ["Data", "Params", "Result"].map((role) => code`type ${ident(typeStem + role)}`);
    const names = join([ident(tool.functionName), ...types], code`, `);
    return code`export { ${names} } from ${literal(`./${tool.file}.js`)};\n`;
  });
  return typescript(plan, "index", join(lines), "");
}

/** The type of the skill's handlers. */
function handlersFile(plan: SkillPlan, kinds: KindRegistry): DraftFile {
  const name = handlersName(plan);
  const members = plan.tools.map((tool) => handlerMember(tool, kinds));
  const doc = jsDoc(
    `Handlers for the tools of \`${plan.skill.name}\`; a tool without a binding must have one.`,
  );
  const body = code`${doc}export interface ${ident(name)} {\n${join(members)}}\n`;
  return typescript(plan, "handlers", body, name);
}

function handlerMember(tool: ToolPlan, kinds: KindRegistry): Code {
  const module = `./${tool.file}.js`;
  const filled = defaultsOf(tool.tool.parameters) ? "Arguments" : "Params";
  const params = imported(module, tool.typeStem + filled, true);
  const data = imported(module, `${tool.typeStem}Data`, true);
  const result = imported(module, `${tool.typeStem}Result`, true);
  const handler = imported(runtimeEntry(), "Handler", true);
  const needed = kinds.find(tool.tool.binding.type)?.needsHandler === true;
  const doc = jsDoc(tool.tool.description);
  const mark = needed ? code`` : code`?`;
  return code`${doc}readonly ${memberKey(tool.id)}${mark}: ${handler}<${params}, ${data}, ${result}>;\n`;
}

/** The skill's part of the catalogue. Each tool's entry is a statement of its own: an edit of one leaves the others as they stand. */
function catalogFile(plan: SkillPlan, { tools: entries, ...about }: CatalogueEntry): DraftFile {
  const { alias, skill, tools } = plan;
  const toolType = imported(runtimeEntry(), "CatalogTool", true);
  const constants = tools.map((tool, index) => {
    const data = literal(entries[index] ?? {});
    return code`const ${entryName(tool)}: ${toolType}<${literal(tool.id)}> = ${data};\n`;
  });
  const skillType = imported(runtimeEntry(), "CatalogSkill", true);
  const ids = join(
    tools.map(({ id }) => literal(id)),
    code` | `,
  );
  const members = Object.entries(about).map(
    ([name, value]) => code`${objectKey(name)}: ${memberValue(name, value)},\n`,
  );
  const doc = jsDoc(
    `What \`${skill.name}\` offers to a model, and what policy is checked against.`,
  );
  const whole = code`${doc}export const ${ident(alias)}: ${skillType}<${literal(skill.name)}, ${ids}> = {
${join(members)}tools: [${join(tools.map(entryName), code`, `)}],
};
`;
  const declared = new Set([alias, ...tools.map(({ functionName }) => `_${functionName}`)]);
  // What the skill says of itself is in SKILL.md, wherever its tools are.
  const source = toolsFile(plan) === skill.file ? skill.file : `${skill.folder}/`;
  const body = statements([...constants, whole]);
  return {
    path: `${plan.folder}/catalog.ts`,
    source,
    body: { kind: "typescript", code: frameModule(body, declared) },
  };
}

/** No skill's name begins with `_` and a letter, nor with two of them. */
function entryName({ functionName }: ToolPlan): Code {
  return ident(`_${functionName}`);
}

/** Of the skill's own texts only its name has a type that tells which. */
function memberValue(name: string, value: JsonValue): Code {
  return typeof value === "string" && name !== "name" ? anyText(value) : literal(value);
}
