/**
 * Makes the schema of a project's policies in Cedar's JSON form: callers, tenants, and each tool as
 * an action with the context of its calls. `cedarRequest` (src/runtime/governance/cedar/request.ts)
 * makes the runtime's requests.
 */
import type { ContextField } from "@skillc/runtime/governance";
import { type JsonObject, type JsonValue, setOwn } from "../core/json.js";
import { compareText } from "../core/report.js";
import type { SkillModel, ToolModel } from "../core/skill-model.js";
import { contextFieldOf, type RecordField } from "./context-field.js";

/** Names of entity types in policies. */
export const callerType = "Caller";
export const roleType = "Role";
export const tenantType = "Tenant";

/** Group of actions: all tools of a skill, or all tools with a tag. */
export function skillGroup(name: string): string {
  return `skill:${name}`;
}
export function tagGroup(tag: string): string {
  return `tag:${tag}`;
}

/** Lists tools as `skill/tool`, in the order of reports. */
export function toolsOf(
  skills: readonly SkillModel[],
): readonly { readonly id: string; readonly skill: SkillModel; readonly tool: ToolModel }[] {
  const all = skills.flatMap((skill) =>
    skill.tools.map((tool) => ({ id: `${skill.name}/${tool.name}`, skill, tool })),
  );
  return all.toSorted((a, b) => compareText(a.id, b.id));
}

/** Makes the schema. The same tools give the same bytes, in any order of skills. */
export function cedarSchema(skills: readonly SkillModel[]): JsonValue {
  const tools = toolsOf(skills);
  const actions: Record<string, JsonValue> = {};
  for (const group of groupsOf(tools)) setOwn(actions, group, {});
  for (const { id, skill, tool } of tools)
    setOwn(actions, id, {
      memberOf: groupsOf([{ skill, tool }]).map((group) => ({ id: group })),
      appliesTo: {
        principalTypes: [callerType],
        resourceTypes: [tenantType],
        context: contextType(contextFieldOf(tool.parameters), tool.binding.paths !== undefined),
      },
    });
  return {
    "": {
      entityTypes: {
        [callerType]: { memberOfTypes: [roleType, tenantType] },
        [roleType]: {},
        [tenantType]: {},
      },
      actions,
    },
  };
}

function groupsOf(
  tools: readonly { readonly skill: SkillModel; readonly tool: ToolModel }[],
): readonly string[] {
  const groups = tools.flatMap(({ skill, tool }) => [
    skillGroup(skill.name),
    ...tool.tags.map(tagGroup),
  ]);
  return [...new Set(groups)].toSorted(compareText);
}

const text: RecordField["fields"][number]["field"] = { as: "string" };

function contextType(args: ContextField, hasPaths: boolean): JsonValue {
  const field = (name: string, of: ContextField) => ({ name, field: of, required: true });
  const texts: ContextField = { as: "set", of: text };
  return cedarType({
    as: "record",
    fields: [
      field("args", args),
      field("origin", text),
      field("scopes", texts),
      field("risk", text),
      field("effect", text),
      field("capabilities", texts),
      ...(hasPaths ? [field("paths", texts), field("within", texts)] : []),
    ],
  });
}

/** Type of the values that the runtime makes for a field. */
export function cedarType(field: ContextField): JsonObject {
  switch (field.as) {
    case "boolean":
      return { type: "Boolean" };
    case "string":
      return { type: "String" };
    case "long":
      return { type: "Long" };
    case "decimal":
      return { type: "Extension", name: "decimal" };
    case "set":
      return { type: "Set", element: cedarType(field.of) };
    case "record": {
      const attributes: Record<string, JsonValue> = {};
      for (const { field: of, name, required } of field.fields)
        setOwn(attributes, name, { ...cedarType(of), ...(!required && { required }) });
      return { type: "Record", attributes };
    }
  }
}
