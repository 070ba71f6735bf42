import { capabilitiesOf } from "../../bindings/capabilities.js";
import type { KindRegistry } from "../../bindings/registry.js";
import type { LoweredSkill, LoweredTool } from "../../core/lowered-skill.js";
import { type JsonObject, type JsonValue, setOwn } from "../../core/json.js";
import { modelName } from "../../core/names.js";
import type { SkillModel, ToolModel } from "../../core/skill-model.js";
import { neededCallerFields } from "../../kit/needed-caller-fields.js";
import { declaredData } from "../../kit/known-answers.js";
import { publishedSchema } from "../../schema/as-published.js";
import { publishedPlace } from "../../schema/published-place.js";
import { catalogGovernance } from "./catalog-governance.js";
import { type CatalogDefinitions, type CatalogSchemas, catalogSchemas } from "./catalog-schemas.js";
import { inputParameterOf } from "./input-parameter.js";
import { offeredNamesIn } from "./offered-names.js";

/** One skill of the catalog, in the shape of the runtime's `CatalogSkill`. */
export interface CatalogEntry extends JsonObject {
  /** Definitions that several schemas of the tools refer to; absent if there are none. */
  readonly $defs?: JsonObject;
  readonly tools: readonly CatalogEntryTool[];
}

/** One tool of the catalog, in the shape of the runtime's `CatalogTool`. */
interface CatalogEntryTool extends JsonObject {
  readonly model_name: string;
  readonly input_schema: JsonObject;
  readonly next_parameter?: string;
  readonly input_names?: JsonObject;
}

/** A skill of the catalog, and those of its definitions that all catalogs import, by name. */
export interface CatalogedSkill {
  readonly entry: CatalogEntry;
  readonly common: CatalogDefinitions["common"];
}

export function catalogSkill(lowered: LoweredSkill, kinds: KindRegistry): CatalogedSkill {
  const { skill } = lowered;
  const schemas = catalogSchemas(lowered, kinds);
  const found = lowered.tools.map((tool) => catalogTool(tool, { skill, kinds, schemas }));
  const { $defs, common } = schemas.published();
  const tools = withOfferedNames(found, $defs);
  const entry = { ...aboutSkill(skill), ...(Object.keys($defs).length > 0 && { $defs }), tools };
  return { entry, common };
}

/** The entry of a skill without its tools and definitions. */
export function aboutSkill(skill: SkillModel): JsonObject {
  return {
    name: skill.name,
    description: skill.description,
    body: skill.body,
    file: skill.file,
    prerequisites: { ...skill.prerequisites },
  };
}

interface CatalogContext {
  readonly skill: SkillModel;
  readonly kinds: KindRegistry;
  readonly schemas: CatalogSchemas;
}

/** Adds the names under which models pass properties, once all definitions are known. */
function withOfferedNames(
  tools: readonly CatalogEntryTool[],
  $defs: JsonObject,
): CatalogEntryTool[] {
  const choose = offeredNamesIn(
    tools.map((each) => each.input_schema),
    $defs,
  );
  return tools.map((tool) => {
    const { next_parameter: next } = tool;
    const names = choose(tool.input_schema, next === undefined ? [] : [next]);
    return names === undefined ? tool : { ...tool, input_names: { ...names } };
  });
}

function catalogTool(
  lowered: LoweredTool,
  { kinds, schemas, skill }: CatalogContext,
): CatalogEntryTool {
  const { tool } = lowered;
  const kind = kinds.find(tool.binding.type);
  const data = kind && declaredData(kind, tool);
  const needsHandler = kind?.needsHandler === true;
  const pages = kind?.pages?.(tool.binding.config, tool.parameters);
  const rollback = catalogRollback(tool, skill.name);
  const inputParameter = inputParameterOf(tool);
  const caller = neededCallerFields(tool);
  const id = `skillc:/${encodeURIComponent(skill.name)}/${encodeURIComponent(tool.name)}`;
  return {
    id: lowered.id,
    name: tool.name,
    model_name: modelName(skill.name, tool.name),
    function: lowered.functionName,
    description: tool.description,
    input_schema: publishedSchema(tool.parameters, { id: `${id}/input`, definitions: schemas }),
    output_schema: data
      ? publishedPlace(data, { id: `${id}/output`, form: "stated", definitions: schemas })
      : null,
    ...(inputParameter !== undefined && { input_parameter: inputParameter }),
    ...(pages && { next_parameter: pages.next }),
    ...(pages?.parameter !== undefined && { page_parameter: pages.parameter }),
    kind: tool.binding.type,
    needs_handler: needsHandler,
    side_effect: tool.binding.effect,
    mode: tool.binding.mode,
    ...(kind?.hasOwnKey?.(tool.binding.config) === true && { has_own_key: true }),
    risk_level: tool.riskLevel,
    requires_confirmation: tool.requiresConfirmation,
    manifest_hash: lowered.version.manifest,
    ...(tool.version !== undefined && { version: tool.version }),
    capabilities: capabilitiesOf(tool, lowered.id, kinds).map((each) => ({ ...each })),
    ...(caller && { caller: [...caller] }),
    ...(rollback && { rollback }),
    ...catalogAliases(tool),
    tags: [...tool.tags],
    deprecated: typeof tool.deprecated === "object" ? { ...tool.deprecated } : tool.deprecated,
    ...(tool.governance && { governance: catalogGovernance(tool.governance, needsHandler) }),
  };
}

/** Returns the other names of the parameters, by parameter; nothing if there are none. */
function catalogAliases({ paramAliases = [] }: ToolModel): JsonObject {
  const found: Record<string, JsonValue> = {};
  for (const { names, parameter } of paramAliases)
    if (names.length > 0) setOwn(found, parameter, [...names]);
  return Object.keys(found).length === 0 ? {} : { param_aliases: found };
}

/** Returns how a call of a write is undone, in the shape of the runtime's `CatalogRollback`. */
function catalogRollback({ binding, rollback }: ToolModel, skill: string): JsonObject | undefined {
  if (rollback === undefined || binding.effect === "read") return undefined;
  const { strategy } = rollback;
  if (strategy === "none") return { strategy, reason: rollback.reason };
  if (strategy !== "compensate") return { strategy };
  const { tool } = rollback;
  return { strategy, tool: tool.includes("/") ? tool : `${skill}/${tool}` };
}
