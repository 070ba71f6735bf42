import { type Code, code, ident, imported, join, literal } from "../../core/code.js";
import type { LoweredSkill } from "../../core/lowered-skill.js";
import { runtimeEntry } from "../../core/runtime-entry.js";
import {
  type EmittedProject,
  type Emitter,
  projectModule,
  skillModule,
  toolsOf,
} from "./emitter.js";

/** Emits index.ts, the only module that an application imports from a skill or the project. */
export const entryEmitter: Emitter = {
  name: "entry modules",
  ofSkill: ({ lowered }) => [skillModule(lowered, "index", skillIndex(lowered), [])],
  ofProject: (project) => [
    projectModule(project, "index", projectIndex(project), [
      "configure",
      "createRuntime",
      "Options",
    ]),
  ],
};

function skillIndex({ tools }: LoweredSkill): Code {
  return join(
    tools.map((tool) => {
      const types = ["Data", "Params", "Result"].map(
        (role) => code`type ${ident(tool.typeStem + role)}`,
      );
      const names = join([ident(tool.functionName), ...types], code`, `);
      return code`export { ${names} } from ${literal(`./${tool.file}.js`)};\n`;
    }),
  );
}

/** The project's index module: it sets up the runtime, and exports everything else. */
function projectIndex(project: EmittedProject): Code {
  const needed = toolsOf(project).some(
    ({ tool }) => project.kinds.find(tool.binding.type)?.needsHandler === true,
  );
  const handlers = imported("./handlers.js", "Handlers", true);
  const names = imported("./credentials.js", "CredentialName", true);
  const required = needed ? code` & { readonly handlers: ${handlers} }` : code``;
  return code`type Options = ${runtime("RuntimeOptions", true)}<${handlers}, ${names}>${required};

/**
 * Sets what calls use that name no runtime of their own, with this project's handlers and
 * credentials. Call it once, before the first tool.
 */
export function configure(options: Options): ${runtime("Runtime", true)} {
  return ${runtime("configure")}(options);
}

/**
 * A runtime of its own, such as one for each tenant of a server. Tests have createTestRuntime, of
 * @skillc/runtime/testing.
 */
export function createRuntime(options: Options): ${runtime("Runtime", true)} {
  return ${runtime("createRuntime")}(options);
}

export { ${ident("catalog")} } from "./catalog.js";
export type { CredentialName } from "./credentials.js";
export type { Handlers } from "./handlers.js";
export { ${ident("tools")} } from "./tools.js";
`;
}

function runtime(name: string, typeOnly = false): Code {
  return imported(runtimeEntry(), name, typeOnly);
}
