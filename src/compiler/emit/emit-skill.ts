import type { KindRegistry } from "../../bindings/registry.js";
import {
  type Code,
  code,
  ident,
  imported,
  join,
  jsDoc,
  literal,
  memberKey,
} from "../../core/code.js";
import type { SkillPlan, ToolPlan } from "../../core/emit-plan.js";
import type { JsonObject } from "../../core/json.js";
import type { DraftFile } from "../../core/output.js";
import { defaultsOf } from "../../schema/defaults.js";
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
  catalogue: JsonObject,
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

/** @param source what the header names; the file that declares the tools when not given */
function typescript(
  plan: SkillPlan,
  name: string,
  body: Code,
  declared: string,
  source = toolsFile(plan),
): DraftFile {
  const framed = frameModule(body, new Set([declared]));
  return {
    path: `${plan.folder}/${name}.ts`,
    source,
    body: { kind: "typescript", code: framed },
  };
}

/** SKILL.md, or the metadata.json beside it: only one of the two declares tools. */
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
  const handler = imported("skillc/runtime", "Handler", true);
  const needed = kinds.find(tool.tool.binding.type)?.needsHandler === true;
  const doc = jsDoc(tool.tool.description);
  const mark = needed ? code`` : code`?`;
  return code`${doc}readonly ${memberKey(tool.id)}${mark}: ${handler}<${params}, ${data}>;\n`;
}

/** The skill's part of the catalogue. */
function catalogFile(plan: SkillPlan, catalogue: JsonObject): DraftFile {
  const type = imported("skillc/runtime", "CatalogSkill", true);
  const union = join(
    plan.tools.map((tool) => literal(tool.id)),
    code` | `,
  );
  const data = literal(catalogue);
  const doc = jsDoc(
    `What \`${plan.skill.name}\` offers to a model, and what policy is checked against.`,
  );
  const body = code`${doc}export const ${ident(plan.alias)}: ${type}<${literal(plan.skill.name)}, ${union}> = ${data};\n`;
  // What the skill says of itself is in SKILL.md, wherever its tools are.
  const source = toolsFile(plan) === plan.skill.file ? plan.skill.file : `${plan.skill.folder}/`;
  return typescript(plan, "catalog", body, plan.alias, source);
}
