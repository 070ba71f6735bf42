import type { KindRegistry } from "../../bindings/registry.js";
import { type Code, code, ident, imported, join, jsDoc, memberKey } from "../../core/code.js";
import type { LoweredSkill, LoweredTool } from "../../core/lowered-skill.js";
import { runtimeEntry } from "../../core/runtime-entry.js";
import { defaultsOf } from "../../schema/defaults.js";
import { answerName } from "./obliged-type.js";
import { streamedType } from "./streamed-type.js";
import {
  type EmittedProject,
  type Emitter,
  skillsWithTools,
  projectModule,
  skillModule,
} from "./emitter.js";

/** Emits handlers.ts: the types of handlers that an application supplies. */
export const handlersEmitter: Emitter = {
  name: "handlers",
  ofSkill: ({ lowered }, kinds) => [
    skillModule(lowered, "handlers", skillHandlers(lowered, kinds), [handlersName(lowered)]),
  ],
  ofProject: (project) => [
    projectModule(project, "handlers", projectHandlers(project), ["Handlers"]),
  ],
};

/** Name of the type of a skill's handlers. */
function handlersName({ alias }: LoweredSkill): string {
  return `${alias.charAt(0).toUpperCase()}${alias.slice(1)}Handlers`;
}

function skillHandlers(lowered: LoweredSkill, kinds: KindRegistry): Code {
  const members = lowered.tools.map((tool) => handlerMember(tool, kinds));
  const doc = jsDoc(
    `Handlers for the tools of \`${lowered.skill.name}\`; a tool without a binding must have one.`,
  );
  return code`${doc}export interface ${ident(handlersName(lowered))} {\n${join(members)}}\n`;
}

function handlerMember(tool: LoweredTool, kinds: KindRegistry): Code {
  const module = `./${tool.file}.js`;
  const filled = defaultsOf(tool.tool.parameters) ? "Arguments" : "Params";
  const params = imported(module, tool.typeStem + filled, true);
  const { binding } = tool.tool;
  const kind = kinds.find(binding.type);
  const data = streamedType(
    imported(module, `${tool.typeStem}Data`, true),
    kind?.streams?.(binding.config),
  );
  const result = imported(module, answerName(tool), true);
  const handler = imported(runtimeEntry(), "Handler", true);
  const needed = kind?.needsHandler === true;
  const doc = jsDoc(summaryOf(tool.tool.description));
  const mark = needed ? code`` : code`?`;
  return code`${doc}readonly ${memberKey(tool.id)}${mark}: ${handler}<${params}, ${data}, ${result}>;\n`;
}

/** Returns the first paragraph. The tool's function documents the rest. */
function summaryOf(description: string): string {
  return description.trim().split(/\n[ \t]*\n/, 1)[0] ?? "";
}

function projectHandlers(project: EmittedProject): Code {
  const all = skillsWithTools(project).map((lowered) =>
    imported(`./${lowered.folder}/handlers.js`, handlersName(lowered), true),
  );
  const parents = all.length === 0 ? code`` : code` extends ${join(all, code`, `)}`;
  return code`${jsDoc("Every handler that the application supplies or may supply, by `skill/tool`.")}export interface Handlers${parents} {}
`;
}
