/** The tools that plans may use, as the catalog describes them. */
import type { Catalog, CatalogTool } from "@skillc/runtime";
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../core/json.js";
import { looseBranches } from "../schema/compare/normal-form.js";

/** One tool of a catalog. */
export interface PlannerTool {
  /** Id of the tool: `skill/tool`. */
  readonly id: string;
  readonly description: string;
  readonly effect: "read" | "write";
  /** Fingerprint of the tool. */
  readonly manifest: string;
  /** Schema of all parameters; its references lead into itself. */
  readonly input: JsonObject;
  readonly parameters: readonly ToolParameter[];
  /** Schema of the data of an answer; undefined if the skill declares none. */
  readonly output: JsonSchema | undefined;
}

/** One parameter of a tool. */
export interface ToolParameter {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  /** Names under which others know the same value. */
  readonly aliases: readonly string[];
  /** Set if the tool itself fills in a default. */
  readonly hasDefault: boolean;
}

/** The parts of a catalog that a planner reads. */
export interface PlannerCatalog {
  readonly skills: readonly {
    readonly $defs?: Catalog["skills"][number]["$defs"];
    readonly tools: readonly PlannedTool[];
  }[];
}

type PlannedTool = Pick<
  CatalogTool,
  "description" | "id" | "input_schema" | "manifest_hash" | "name" | "output_schema" | "side_effect"
> & {
  readonly model_name?: string;
  readonly param_aliases?: { readonly [parameter: string]: readonly string[] };
};

/** The tools of a catalog, by every name that a plan may use. */
export class PlannerTools {
  readonly #byName = new Map<string, PlannerTool | "ambiguous">();
  readonly all: readonly PlannerTool[];

  constructor({ skills }: PlannerCatalog) {
    const tools = skills.flatMap(({ $defs, tools: own }) =>
      own.map((each) => ({ tool: readTool(each, $defs), names: namesOf(each) })),
    );
    this.all = tools.map(({ tool }) => tool);
    for (const { names, tool } of tools)
      for (const name of names) {
        const known = this.#byName.get(name);
        this.#byName.set(name, known === undefined || known === tool ? tool : "ambiguous");
      }
    for (const { tool } of tools) this.#byName.set(tool.id, tool);
  }

  /** Finds a tool by its id, by its name for models, or by its own name if no other tool has it. */
  find(name: string): PlannerTool | undefined {
    const found = this.#byName.get(name);
    return found === "ambiguous" ? undefined : found;
  }

  /** Ids of all tools. */
  get ids(): readonly string[] {
    return this.all.map(({ id }) => id);
  }
}

function namesOf({ model_name, name }: PlannedTool): readonly string[] {
  return [name, ...(model_name === undefined ? [] : [model_name])];
}

function readTool(tool: PlannedTool, definitions: Catalog["skills"][number]["$defs"]): PlannerTool {
  const { description, id, manifest_hash: manifest, side_effect: effect } = tool;
  const input = whole(tool.input_schema, definitions);
  const output = tool.output_schema === null ? undefined : whole(tool.output_schema, definitions);
  const inputs = isJsonObject(input) ? input : {};
  return {
    id,
    description,
    effect,
    manifest,
    input: inputs,
    parameters: parametersOf(inputs, tool.param_aliases ?? {}),
    output: output as JsonSchema | undefined,
  };
}

/** Adds the definitions of a skill that a schema may refer to. */
function whole(schema: JsonValue, definitions: Catalog["skills"][number]["$defs"] = {}): JsonValue {
  if (!isJsonObject(schema) || Object.keys(definitions).length === 0) return schema;
  const own = isJsonObject(schema["$defs"]) ? schema["$defs"] : {};
  return { ...schema, $defs: { ...definitions, ...own } };
}

function parametersOf(
  input: JsonObject,
  aliases: NonNullable<PlannedTool["param_aliases"]>,
): readonly ToolParameter[] {
  const objects = objectForms(input, input);
  const names = new Set(objects.flatMap((form) => Object.keys(form.properties)));
  return [...names].map((name) => {
    const schemas = objects.flatMap(({ properties }) =>
      Object.hasOwn(properties, name) ? [properties[name] ?? true] : [],
    );
    const schema = anyOf(schemas as readonly JsonSchema[]);
    return {
      name,
      schema,
      isRequired: objects.every(({ required }) => required.has(name)),
      aliases: Object.hasOwn(aliases, name) ? (aliases[name] ?? []) : [],
      hasDefault: isJsonObject(schema) && schema["default"] !== undefined,
    };
  });
}

/** One form of an object: its declared properties. */
interface ObjectForm {
  readonly properties: JsonObject;
  readonly required: ReadonlySet<string>;
}

/** The forms that an object of this schema may have. */
function objectForms(schema: JsonSchema, root: JsonSchema): readonly ObjectForm[] {
  return looseBranches(schema, root).flatMap((branch) => {
    if (branch === true || (branch["type"] ?? "object") !== "object") return [];
    const { properties, required } = branch;
    return [
      {
        properties: isJsonObject(properties) ? properties : {},
        required: new Set(Array.isArray(required) ? (required as readonly string[]) : []),
      },
    ];
  });
}

/** The schema of values that fit one of several schemas. */
export function anyOf(schemas: readonly JsonSchema[]): JsonSchema {
  const [only, ...others] = [...new Set(schemas)];
  if (only === undefined) return true;
  return others.length === 0 ? only : { anyOf: [only, ...others] };
}
