import type { KindRegistry } from "../../bindings/registry.js";
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
import type { SkillPlan } from "../../core/emit-plan.js";
import type { JsonObject } from "../../core/json.js";
import type { DraftFile } from "../../core/output.js";
import { compareText } from "../../core/report.js";
import { runtimeEntry } from "../../core/runtime-entry.js";
import { projectToolsBody } from "./emit-tool-map.js";
import { handlersName } from "./handlers-name.js";
import { frameModule } from "./frame-module.js";

/**
 * The files that tie all skills together. Their text changes only when skills, tools or credentials come or go.
 *
 * @param catalogue each skill's part of it, in the order of the plans
 */
export function emitProject(
  plans: readonly SkillPlan[],
  catalogue: readonly JsonObject[],
  kinds: KindRegistry,
  skillsFolder: string,
): readonly DraftFile[] {
  const file = (name: string, body: Code, declared: readonly string[]): DraftFile => ({
    path: `${name}.ts`,
    source: `${skillsFolder}/`,
    body: { kind: "typescript", code: frameModule(body, new Set(declared)) },
  });
  return [
    file("catalog", catalogBody(plans, catalogue), ["catalog", "SkillName", "ToolId"]),
    file("credentials", credentialsBody(plans), ["CredentialName", "credentials"]),
    file("handlers", handlersBody(plans), ["Handlers"]),
    file("index", indexBody(plans, kinds), ["configure", "createRuntime", "Options"]),
    file("tools", projectToolsBody(plans), ["tools", "ModelName"]),
  ];
}

function catalogBody(plans: readonly SkillPlan[], catalogue: readonly JsonObject[]): Code {
  const skills = plans.map((plan, index) =>
    plan.tools.length === 0
      ? literal(catalogue[index] ?? {})
      : imported(`./${plan.folder}/catalog.js`, plan.alias),
  );
  const names = union(plans.map((plan) => plan.skill.name));
  const ids = union(plans.flatMap((plan) => plan.tools.map((tool) => tool.id)));
  const type = imported(runtimeEntry(), "Catalog", true);
  const handlers = imported("./handlers.js", "Handlers", true);
  return code`export type SkillName = ${names};

/** \`skill/tool\`: the key of handlers, ledger records and policies. */
export type ToolId = ${ids};

/** Every skill and tool: what a model is offered, and what policy is checked against. The same data is in catalog.json. */
export const catalog: ${type}<SkillName, ToolId, ${handlers}> = { skills: [${join(skills, code`, `)}] };
`;
}

function union(values: readonly string[]): Code {
  return values.length === 0
    ? code`never`
    : join(
        values.map((each) => literal(each)),
        code` | `,
      );
}

/** Credential → the tools that need it. */
function credentialsBody(plans: readonly SkillPlan[]): Code {
  const users = new Map<string, string[]>();
  for (const { id, tool } of plans.flatMap((plan) => plan.tools)) {
    for (const name of new Set(tool.binding.credentials.map((each) => each.name))) {
      users.set(name, [...(users.get(name) ?? []), id]);
    }
  }
  const names = [...users.keys()].toSorted(compareText);
  const entries = names.map(
    (name) => code`${objectKey(name)}: ${literal(users.get(name) ?? [])},\n`,
  );
  return code`/** Every \`\${NAME}\` that a binding uses. */
export type CredentialName = ${union(names)};

${jsDoc("The tools that need each credential or setting, by name.")}export const credentials: { readonly [Name in CredentialName]: readonly string[] } = {
${join(entries)}};
`;
}

function handlersBody(plans: readonly SkillPlan[]): Code {
  const all = plans
    .filter((plan) => plan.tools.length > 0)
    .map((plan) => imported(`./${plan.folder}/handlers.js`, handlersName(plan), true));
  const parents = all.length === 0 ? code`` : code` extends ${join(all, code`, `)}`;
  return code`${jsDoc("Every handler that the application supplies or may supply, by `skill/tool`.")}export interface Handlers${parents} {}
`;
}

function indexBody(plans: readonly SkillPlan[], kinds: KindRegistry): Code {
  const needed = plans.some((plan) =>
    plan.tools.some(({ tool }) => kinds.find(tool.binding.type)?.needsHandler === true),
  );
  const handlers = imported("./handlers.js", "Handlers", true);
  const names = imported("./credentials.js", "CredentialName", true);
  const required = needed ? code` & { readonly handlers: ${handlers} }` : code``;
  return code`type Options = ${runtime("RuntimeOptions", true)}<${handlers}, ${names}>${required};

/** Sets what calls use that name no runtime of their own, with this project's handlers and credentials. Call it once, before the first tool. */
export function configure(options: Options): ${runtime("Runtime", true)} {
  return ${runtime("configure")}(options);
}

/** A runtime of its own, such as one for each tenant of a server. Tests have createTestRuntime, of @skillc/runtime/testing. */
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
