/** Selects the tools and the knowledge of a catalog that a model is offered. */
import { calledByModel, type Caller, currentCaller } from "../caller.js";
import { unmetPrerequisites } from "../call/prerequisites.js";
import type { MissingPrerequisite } from "../errors.js";
import type { JsonValue } from "../json/json.js";
import { defaultRuntime, isRuntime, type Runtime } from "../runtime.js";
import type { Catalog, CatalogSkill, CatalogTool } from "./catalog.js";
import { near } from "./near-names.js";
import { wholeSchema } from "./whole-schema.js";
import { type OfferFilter, type OfferFilters, prepareOffer } from "./offer-filter.js";

/** A tool in the form that language models take. */
export interface OfferedTool {
  /** Name of the tool for the model. */
  readonly name: string;
  /** Description of the tool for the model. */
  readonly description: string;
  /** JSON Schema of the parameters. */
  readonly input_schema: ParametersSchema;
}

/** JSON Schema of a tool's parameters. Models' APIs require `type: "object"`. */
export interface ParametersSchema {
  readonly type: "object";
  readonly [keyword: string]: JsonValue;
}

/**
 * Returns the tools that can be called here: their skill's prerequisites are met, their credentials
 * and needed handlers exist, and they are not deprecated. If the runtime has governance, the caller
 * must also be allowed to call them, as far as known without arguments. Offering a tool doesn't
 * authorize a call: each call is checked when it is made.
 *
 * @param options a runtime in place of the configured one, or options that may name one
 * @returns the tools, in the catalog's order
 * @throws TypeError if an argument is not valid, or names an unknown skill
 */
export async function offerTools<SkillName extends string>(
  catalog: Catalog<SkillName>,
  options: Runtime | OfferOptions<NoInfer<SkillName>> = {},
): Promise<readonly OfferedTool[]> {
  const read = readOffer("offerTools", catalog, options);
  const offered = await offeredSkills(catalog, read);
  return offered.flatMap(({ skill, tools }) =>
    tools.map(({ description, input_schema, model_name: name, next_parameter: next }) => {
      const whole = wholeSchema(input_schema, skill.$defs);
      const schema = parametersSchema(whole, read.schemaIds);
      const input = next === undefined ? schema : withNext(schema, next);
      return { name, description, input_schema: input };
    }),
  );
}

/** An available skill, with its tools that can be called. */
interface OfferedSkill {
  readonly skill: CatalogSkill;
  readonly tools: readonly CatalogTool[];
}

/** Returns the selected skills whose prerequisites are met, in the catalog's order. */
async function offeredSkills(
  catalog: Catalog,
  { caller, filter, runtime, skills: wanted }: ReadOptions,
): Promise<readonly OfferedSkill[]> {
  const offered: OfferedSkill[] = [];
  const mayCall = await runtime.governance?.offersTo(calledByModel(caller));
  const isOffered = (tool: CatalogTool): boolean =>
    filter(tool) && (mayCall === undefined || mayCall(tool.id, tool.manifest_hash));
  for (const skill of catalog.skills) {
    if (wanted?.includes(skill.name) === false) continue;
    if ((await missingFor(skill, runtime)).length > 0) continue;
    const tools: CatalogTool[] = [];
    for (const tool of skill.tools)
      if (isOffered(tool) && (await canBeCalled(tool, runtime))) tools.push(tool);
    offered.push({ skill, tools });
  }
  return offered;
}

/**
 * Adds `type: "object"`, even if the author left it out. Without `$id`, references still work,
 * because they are pointers into the schema.
 */
function parametersSchema(schema: JsonValue, withIds: boolean): ParametersSchema {
  const entries = Object.entries(schema ?? {}).filter(
    ([keyword]) => withIds || (keyword !== "$schema" && keyword !== "$id"),
  );
  return { ...Object.fromEntries<JsonValue>(entries), type: "object" };
}

/** Adds the parameter by which models ask for the next page. */
function withNext(schema: ParametersSchema, name: string): ParametersSchema {
  const description =
    "For the next page: the `next` of the previous page, with the same arguments. Omit it for the first page.";
  const properties = {
    ...(schema["properties"] as object),
    [name]: { type: "string", description },
  };
  return { ...schema, properties };
}

async function canBeCalled(tool: CatalogTool, runtime: Runtime): Promise<boolean> {
  if (tool.deprecated !== false) return false;
  if (Object.hasOwn(runtime.handlers, tool.id)) return true;
  if (runtime.fakes !== undefined) return runtime.fakes.has(tool.id);
  if (tool.needs_handler) return false;
  const names = new Set(tool.capabilities.flatMap(({ credentials }) => credentials));
  for (const name of names) if (!(await runtime.credentials.has(name))) return false;
  return true;
}

/**
 * Returns the prerequisites that keep a skill from being offered here; empty if there are none.
 *
 * @param runtime the configured runtime by default
 */
export function missingFor(
  skill: CatalogSkill,
  runtime: Runtime = defaultRuntime(),
): Promise<readonly MissingPrerequisite[]> {
  return unmetPrerequisites(skill.prerequisites, runtime.surroundings);
}

/** Explains to the model who wrote the skills, and which tools they are about. */
const preface =
  "These are your skills: instructions from the people who built this application, one section for each skill. " +
  "The names of a skill's tools begin with the skill's name and two underscores.";

/**
 * Returns the Markdown of the available skills for a model's system prompt: for each skill its
 * name, description and SKILL.md, in the catalog's order. The text is the same whenever the same
 * skills are available, so that prompt caches can keep it. It leaves out skills whose prerequisites
 * are not met, and skills with tools of which none can be called. A skill without tools stays.
 *
 * @param options as for `offerTools`; the same options select the same skills
 * @returns Markdown; empty if no skill is available
 * @throws TypeError if an argument is not valid, or names an unknown skill
 */
export async function offerKnowledge<SkillName extends string>(
  catalog: Catalog<SkillName>,
  options: Runtime | OfferOptions<NoInfer<SkillName>> = {},
): Promise<string> {
  const offered = await offeredSkills(catalog, readOffer("offerKnowledge", catalog, options));
  const sections = offered
    .filter(({ skill, tools }) => tools.length > 0 || skill.tools.length === 0)
    .map(({ skill }) => sectionOf(skill));
  return sections.length === 0 ? "" : [preface, ...sections].join("\n\n");
}

function sectionOf({ body, description, name }: CatalogSkill): string {
  return [`# Skill: ${name}`, description, body]
    .map((each) => each.trim())
    .filter((each) => each !== "")
    .join("\n\n");
}

/** Options of `offerTools` and `offerKnowledge`. */
export interface OfferOptions<SkillName extends string = string> extends OfferFilters {
  /** Runtime of the calls; the configured one by default. */
  readonly runtime?: Runtime;
  /** Names of the skills to offer, if available; all skills by default. */
  readonly skills?: readonly SkillName[];
  /**
   * True if schemas contain `$schema` and `$id`; true by default. Some models' APIs reject them.
   */
  readonly schemaIds?: boolean;
  /** Caller for whom the model asks. It overrides `withCaller`. */
  readonly caller?: Caller;
}

/** Options with their defaults. */
interface ReadOptions {
  readonly runtime: Runtime;
  /** Names of skills; undefined for all. */
  readonly skills: readonly string[] | undefined;
  readonly schemaIds: boolean;
  readonly caller: Caller | undefined;
  readonly filter: OfferFilter;
}

/** The part of a catalog that is checked against the options. */
interface NamedSkills {
  readonly skills: readonly { readonly name: string }[];
}

/**
 * Checks the arguments, also of JavaScript callers, who may pass handlers as options or `tools` as
 * the catalog.
 *
 * @param asker name of the called function, for messages
 * @throws TypeError if an argument is not valid, or names an unknown skill
 */
function readOffer(
  asker: string,
  catalog: NamedSkills,
  options: Runtime | OfferOptions,
): ReadOptions {
  requireCatalog(asker, catalog);
  const read = readOptions(asker, options);
  for (const name of read.skills ?? []) requireSkill(name, catalog);
  return read;
}

function requireCatalog(asker: string, catalog: unknown): void {
  const isCatalog = typeof catalog === "object" && catalog !== null && "skills" in catalog;
  if (isCatalog && Array.isArray(catalog.skills)) return;
  throw new TypeError(
    `the first argument of \`${asker}\` must be the \`catalog\` of generated/index.ts`,
  );
}

function readOptions(asker: string, options: Runtime | OfferOptions): ReadOptions {
  if (isRuntime(options)) return readOptions(asker, { runtime: options });
  if (typeof options === "object" && !Array.isArray(options)) {
    const { runtime = defaultRuntime(), schemaIds = true, skills, ...more } = { ...options };
    const { caller, effect, model, risk, tags, text, ...others } = more;
    const isKnown = isRuntime(runtime) && Object.keys(others).length === 0;
    if (isKnown && (skills === undefined || Array.isArray(skills))) {
      const filter = prepareOffer(asker, { effect, model, risk, tags, text });
      const whose = caller ?? currentCaller() ?? runtime.caller;
      return { runtime, skills, schemaIds, caller: whose, filter };
    }
  }
  throw new TypeError(
    `the second argument of \`${asker}\` must be a runtime from \`createRuntime\` or \`configure\`, or \`{ runtime, skills, schemaIds, caller, tags, risk, effect, text, model }\``,
  );
}

function requireSkill(name: unknown, { skills }: NamedSkills): void {
  const names = skills.map((each) => each.name);
  if (names.some((each) => each === name)) return;
  const [nearest] = near(String(name), names);
  const help = nearest === undefined ? "" : `; did you mean \`${nearest}\`?`;
  throw new TypeError(`the catalog has no skill \`${String(name)}\`${help}`);
}
