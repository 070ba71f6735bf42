import type { JsonValue } from "./json.js";
import type { MissingPrerequisite } from "./errors.js";
import { type OfferOptions, offerOptions, requireCatalog } from "./offer-options.js";
import { unmetPrerequisites } from "./prerequisites.js";
import { defaultRuntime, type Runtime } from "./runtime.js";
import type { Effect, Mode, Prerequisites } from "./tool.js";

/** What generated/catalog.ts holds: everything a model is offered and a policy is checked against. */
export interface Catalog<SkillName extends string = string, ToolId extends string = string> {
  readonly skills: readonly CatalogSkill<SkillName, ToolId>[];
}

export interface CatalogSkill<Name extends string = string, ToolId extends string = string> {
  readonly name: Name;
  readonly description: string;
  /** The Markdown of SKILL.md: knowledge for an agent's prompt. */
  readonly body: string;
  /** Where it was read: relative to the project, with `/`. */
  readonly file: string;
  readonly prerequisites: Prerequisites;
  readonly tools: readonly CatalogTool<ToolId>[];
}

export interface CatalogTool<Id extends string = string> {
  /** `skill/tool`: the key of handlers, ledger records and policies. */
  readonly id: Id;
  /** As the author wrote it. */
  readonly name: string;
  /** For a model's list of tools: at most 64 letters, digits, `_` and `-`. */
  readonly model_name: string;
  /** The function that generated/<skill>/index.ts exports. */
  readonly function: string;
  readonly description: string;
  /** JSON Schema 2020-12 of the parameters, with `$schema` and `$id`. */
  readonly input_schema: JsonValue;
  /** That of a success's `data`; null when the skill declares none. */
  readonly output_schema: JsonValue;
  /** The binding kind; `handler` for a tool that the application serves. */
  readonly kind: string;
  /** Whether it does nothing until the application gives it a handler. */
  readonly needs_handler: boolean;
  readonly side_effect: Effect;
  readonly mode: Mode;
  readonly risk_level: "low" | "medium" | "high" | "critical";
  readonly requires_confirmation: boolean;
  /** Origins that a call can reach; `${NAME}` for one known at run time only. */
  readonly egress: readonly string[];
  /** Names of the credentials and settings that a call needs. */
  readonly credentials: readonly string[];
  readonly tags: readonly string[];
  /** True, or why. */
  readonly deprecated: boolean | string;
  /** Tables and columns that a call reads and writes; absent for kinds that know of none. */
  readonly tables?: CatalogTables;
}

/** What functions, triggers and cascading keys touch is not in it. */
export interface CatalogTables {
  readonly reads: readonly CatalogTable[];
  readonly writes: readonly CatalogTable[];
}

export interface CatalogTable {
  /** `schema.name`. */
  readonly table: string;
  /** `table`, `view`… */
  readonly kind: string;
  /** Those that are named; none for a table that is only counted, joined or emptied. */
  readonly columns: readonly string[];
  /** Views through which it is touched, when the tool itself does not name it. */
  readonly behind: readonly string[];
}

/** A tool as language models are offered it. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: ParametersSchema;
}

/** JSON Schema of a tool's parameters: models' APIs want `type: "object"` spelt out. */
export interface ParametersSchema {
  readonly type: "object";
  readonly [keyword: string]: JsonValue;
}

/**
 * The tools that can be called here: those whose skill's prerequisites are met, that have their credentials and, where they need one, a
 * handler; without the deprecated ones.
 *
 * @param options a runtime, instead of the configured one, or options that may name one
 * @throws TypeError when either argument is something else
 */
export async function offerTools(
  catalog: Catalog,
  options: Runtime | OfferOptions = {},
): Promise<readonly OfferedTool[]> {
  requireCatalog(catalog);
  const { runtime, schemaIds } = offerOptions(options);
  const offered: OfferedTool[] = [];
  for (const skill of catalog.skills) {
    const missing = await missingFor(skill, runtime);
    if (missing.length > 0) continue;
    for (const tool of skill.tools) {
      if (!(await canBeCalled(tool, runtime))) continue;
      const { model_name, description, input_schema } = tool;
      const schema = parametersSchema(input_schema, schemaIds);
      offered.push({ name: model_name, description, input_schema: schema });
    }
  }
  return offered;
}

/** Parameters are an object, whether or not their author says so. References in a published schema are pointers into it: none needs its name. */
function parametersSchema(schema: JsonValue, withIds: boolean): ParametersSchema {
  const entries = Object.entries(schema ?? {}).filter(
    ([keyword]) => withIds || (keyword !== "$schema" && keyword !== "$id"),
  );
  return { ...Object.fromEntries<JsonValue>(entries), type: "object" };
}

async function canBeCalled(tool: CatalogTool, runtime: Runtime): Promise<boolean> {
  if (tool.deprecated !== false) return false;
  if (Object.hasOwn(runtime.handlers, tool.id)) return true;
  if (tool.needs_handler) return false;
  for (const name of tool.credentials) {
    if ((await runtime.credentials.find(name)) === undefined) return false;
  }
  return true;
}

/** What keeps a skill from being offered here; empty when nothing does. */
export function missingFor(
  skill: CatalogSkill,
  runtime: Runtime = defaultRuntime(),
): Promise<readonly MissingPrerequisite[]> {
  return unmetPrerequisites(skill.prerequisites, runtime.surroundings);
}
