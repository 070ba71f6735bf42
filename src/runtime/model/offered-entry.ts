/** Describes a tool of the catalog to a model. */
import { hash } from "node:crypto";
import { longestKey } from "../call/call-options.js";
import { fileDefinition } from "../files/tool-file.js";
import type { JsonValue } from "../json/json.js";
import type { CatalogSkill, CatalogTool } from "./catalog.js";
import { fitSchema, jsonBytes } from "./fit-schema.js";
import { convertedTool } from "./converted-tool.js";
import type { ParametersSchema, RootSchema } from "./model-schema.js";
import { offeredDescription } from "./offered-description.js";
import type { ReadOptions } from "./offer-options.js";
import { isJsonMap, type JsonMap } from "./schema-references.js";

/** A tool in the form that language models take. */
export interface OfferedTool {
  /** Name of the tool for the model. */
  readonly name: string;
  /** Description of the tool for the model. */
  readonly description: string;
  /** JSON Schema of the arguments that the model passes. */
  readonly input_schema: ParametersSchema;
}

/** Options of offers that `offerTools` doesn't have. */
export interface EntryOptions extends ReadOptions {
  /** Set if keyed tools need an idempotency key as one of their arguments. */
  readonly keys?: "required";
  /**
   * Set if files are offered only as content, for callers that can't name files of this machine.
   */
  readonly files?: "content-only";
}

/** An offered tool, with its part of the catalog. */
export interface OfferedEntry {
  readonly offered: OfferedTool;
  /** Name of the argument with the idempotency key; absent if the offer has none. */
  readonly keyParameter?: string;
  readonly tool: CatalogTool;
  readonly skill: CatalogSkill;
}

/** A tool of a catalog, with its skill. */
export type NamedTool = Pick<OfferedEntry, "skill" | "tool">;

/** Makes the form of a tool for models. */
export function entryOf(named: NamedTool, options: EntryOptions): OfferedEntry {
  const { skill, tool } = named;
  const whole = schemaFor(tool, skill, options);
  const entry = entryWith(named, whole, options);
  const { maxBytes } = options;
  if (maxBytes === Infinity) return entry;
  const bytes = jsonBytes(entry.offered.input_schema);
  if (bytes <= maxBytes) return entry;
  const added = bytes - jsonBytes(whole);
  return entryWith(named, fittingSchema(tool, whole, maxBytes - added), options);
}

function entryWith(
  { skill, tool }: NamedTool,
  schema: RootSchema,
  options: EntryOptions,
): OfferedEntry {
  const { model_name: name, next_parameter: next } = tool;
  const { description, rest } = offeredDescription(tool.description);
  const base = withDescription(schema, rest);
  const paged =
    next === undefined ? base : withParameter(withoutPage(base, tool), next, nextSchema);
  const offered = { name, description, input_schema: paged };
  if (!takesKey(tool, options)) return { offered, skill, tool };
  const keyParameter = freeName(paged);
  const keyed = withParameter(paged, keyParameter, keySchema);
  const required = [...requiredOf(keyed), keyParameter];
  const input_schema = { ...keyed, required };
  return { offered: { ...offered, input_schema }, skill, tool, keyParameter };
}

/** Without governance, nobody would remember the keys. */
function takesKey(
  { governance, has_own_key: hasOwnKey }: CatalogTool,
  { keys, runtime }: EntryOptions,
): boolean {
  const isKeyed = governance?.idempotency === "keyed" && hasOwnKey !== true;
  return keys !== undefined && isKeyed && runtime.governance !== undefined;
}

/** The last trimmed schema of each tool, because trimming takes long. */
const fitted = new WeakMap<CatalogTool, { readonly key: string; readonly schema: RootSchema }>();

function fittingSchema(tool: CatalogTool, whole: RootSchema, maxBytes: number): RootSchema {
  const key = `${maxBytes} ${hash("sha256", JSON.stringify(whole))}`;
  const known = fitted.get(tool);
  if (known?.key === key) return known.schema;
  const schema = fitSchema(whole, maxBytes);
  fitted.set(tool, { key, schema });
  return schema;
}

/** Returns the schema of a tool's parameters for models. */
function schemaFor(
  tool: CatalogTool,
  skill: CatalogSkill,
  { files, schemaIds }: EntryOptions,
): RootSchema {
  const whole = convertedTool(tool, skill).schema;
  const schema = files === undefined ? whole : withContentOnly(whole);
  if (schemaIds) return { ...schema };
  // References still work, because they are pointers into the schema.
  const { $id: _id, $schema: _schema, ...others } = schema;
  // The rest loses only these two keywords.
  return others as RootSchema;
}

/** The parameter by which models ask for the next page. */
const nextSchema = {
  type: "string",
  description:
    "For the next page: the `next` of the previous page, with the same arguments. Omit it for the first page.",
};

/** The parameter by which models name a call that must be made once. */
const keySchema = {
  type: "string",
  minLength: 1,
  maxLength: longestKey,
  description:
    "Name of this call, such as a UUID that you make up. If you repeat a call because you don't know its end, pass the same name and the same arguments: the call is then made only once. Every other call needs a new name.",
};

/** Puts the rest of a tool's description before the description of its parameters. */
function withDescription(schema: RootSchema, rest: string): RootSchema {
  if (rest === "") return schema;
  const { description } = schema;
  const own = typeof description === "string" ? `\n\n${description}` : "";
  return { ...schema, description: rest + own };
}

/**
 * Removes the parameter that names a page, so that a model has one way to ask for the next page. A
 * required parameter stays, because a call without it fails.
 */
function withoutPage(
  schema: RootSchema,
  { input_names: names = {}, page_parameter: page }: CatalogTool,
): RootSchema {
  if (page === undefined) return schema;
  const name = (Object.hasOwn(names, page) ? names[page] : undefined) ?? page;
  if (requiredOf(schema).includes(name)) return schema;
  const others = Object.entries(schema.properties).filter(([each]) => each !== name);
  return { ...schema, properties: Object.fromEntries(others) };
}

function withParameter(schema: RootSchema, name: string, parameter: JsonValue): RootSchema {
  return { ...schema, properties: { ...schema.properties, [name]: parameter } };
}

function freeName({ properties }: RootSchema): string {
  const stem = "idempotency_key";
  let name = stem;
  for (let number = 2; Object.hasOwn(properties, name); number += 1) name = `${stem}_${number}`;
  return name;
}

function requiredOf({ required }: RootSchema): readonly JsonValue[] {
  return Array.isArray(required) ? required : [];
}

/** Removes the path from the definition of files, so that a file is given by its content. */
function withContentOnly(schema: RootSchema): RootSchema {
  const { $defs } = schema;
  if (!isJsonMap($defs) || !Object.hasOwn($defs, fileDefinition)) return schema;
  return { ...schema, $defs: { ...$defs, [fileDefinition]: contentOnly($defs[fileDefinition]) } };
}

function contentOnly(file: JsonValue = {}): JsonMap {
  const { oneOf: _, properties = {}, ...others } = isJsonMap(file) ? file : {};
  const { path: _path, ...content } = isJsonMap(properties) ? properties : {};
  return { ...others, description: "A file.", properties: content, required: ["base64"] };
}
