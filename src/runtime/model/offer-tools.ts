/** What of a catalog a model is offered, and told: the tools that it may call now, and what the skills say. */
import { askedByModel, type Caller, currentCaller } from "../caller.js";
import { unmetPrerequisites } from "../call/prerequisites.js";
import type { MissingPrerequisite } from "../errors.js";
import type { JsonValue } from "../json/json.js";
import { defaultRuntime, isRuntime, type Runtime } from "../runtime.js";
import type { Catalog, CatalogSkill, CatalogTool } from "./catalog.js";
import { near } from "./near-names.js";
import { wholeSchema } from "./whole-schema.js";
import { type OfferFilter, type OfferFilters, prepareOffer } from "./offer-filter.js";

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
 * The tools that can be called here: those whose skill's prerequisites are met, that have their
 * credentials and, where they need one, a handler; without the deprecated ones. Of a runtime with
 * governance those that this caller may call now, as far as that is known without arguments: each
 * call is decided about all the same.
 *
 * @param options a runtime, instead of the configured one, or options that may name one
 * @throws TypeError when either argument is something else, or names a skill that there isn't
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

/** A skill that is available, and those of its tools that can be called. */
interface OfferedSkill {
  readonly skill: CatalogSkill;
  readonly tools: readonly CatalogTool[];
}

/** The skills that were asked for and whose prerequisites are met, in the catalog's order. */
async function offeredSkills(
  catalog: Catalog,
  { caller, filter, runtime, skills: wanted }: ReadOptions,
): Promise<readonly OfferedSkill[]> {
  const offered: OfferedSkill[] = [];
  const mayCall = await runtime.governance?.offersTo(askedByModel(caller));
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
 * Parameters are an object, whether or not their author says so. References in a published schema
 * are pointers into it: none needs its name.
 */
function parametersSchema(schema: JsonValue, withIds: boolean): ParametersSchema {
  const entries = Object.entries(schema ?? {}).filter(
    ([keyword]) => withIds || (keyword !== "$schema" && keyword !== "$id"),
  );
  return { ...Object.fromEntries<JsonValue>(entries), type: "object" };
}

/** What a model asks for the next page by. */
function withNext(schema: ParametersSchema, name: string): ParametersSchema {
  const description =
    "For the next page: the `next` of the page before it, with the same arguments. Left out for the first page.";
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

/** What keeps a skill from being offered here; empty when nothing does. */
export function missingFor(
  skill: CatalogSkill,
  runtime: Runtime = defaultRuntime(),
): Promise<readonly MissingPrerequisite[]> {
  return unmetPrerequisites(skill.prerequisites, runtime.surroundings);
}

/** Tells a model whose words these are, and which tools they are about. */
const preface =
  "These are your skills: instructions of the people who built this application, a section for each. " +
  "The names of a skill's tools begin with the skill's name and two underscores.";

/**
 * What the skills say that are available here: for each the Markdown of its SKILL.md, under its
 * name and description. It is the text for a model's system prompt, in the catalog's order, and the
 * same whenever the same skills are available, so that prompt caches keep it. Skills are left out
 * whose prerequisites are not met, and those that have tools of which none can be called; one
 * without tools is knowledge alone, and stays.
 *
 * @param options as for `offerTools`: with the same options both speak of the same skills
 * @returns Markdown; empty when no skill is available
 * @throws TypeError when either argument is something else, or names a skill that there isn't
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

/** What of a catalog is offered, to whom, and how. */
export interface OfferOptions<SkillName extends string = string> extends OfferFilters {
  /** Instead of the configured one. */
  readonly runtime?: Runtime;
  /** Only these skills of the catalog, as far as they are available. All of them when not given. */
  readonly skills?: readonly SkillName[];
  /**
   * False leaves `$schema` and `$id` out of the schemas, for a model's API that refuses them. True
   * by default.
   */
  readonly schemaIds?: boolean;
  /** Whom a model asks for, in place of `withCaller`'s. */
  readonly caller?: Caller;
}

/** Options, with what holds where nothing is said. */
interface ReadOptions {
  readonly runtime: Runtime;
  /** All when undefined. */
  readonly skills: readonly string[] | undefined;
  readonly schemaIds: boolean;
  readonly caller: Caller | undefined;
  readonly filter: OfferFilter;
}

/** As much of a catalog as options are held against. */
interface NamedSkills {
  readonly skills: readonly { readonly name: string }[];
}

/**
 * What callers in JavaScript may get wrong too: a map of handlers for options, the `tools` of
 * generated/index.ts for its `catalog`.
 *
 * @param asker the function that was called, for messages
 * @throws TypeError for anything but a catalog, and a runtime or options; and for a skill that the
 * catalog doesn't have
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
  throw new TypeError(`\`${asker}\` takes the \`catalog\` of generated/index.ts first`);
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
    `\`${asker}\` takes second a runtime, which \`createRuntime\` and \`configure\` give, or \`{ runtime, skills, schemaIds, caller, tags, risk, effect, text, model }\``,
  );
}

function requireSkill(name: unknown, { skills }: NamedSkills): void {
  const names = skills.map((each) => each.name);
  if (names.some((each) => each === name)) return;
  const [nearest] = near(String(name), names);
  const help = nearest === undefined ? "" : `; did you mean \`${nearest}\`?`;
  throw new TypeError(`the catalog has no skill \`${String(name)}\`${help}`);
}
