/**
 * Judges which tools of a catalog can be called here: all of them, or the one that a model names.
 * One tool costs the same in a catalog of any size.
 */
import { calledByModel } from "../caller.js";
import { unmetPrerequisites } from "../call/prerequisites.js";
import type { MissingPrerequisite } from "../errors.js";
import { defaultRuntime, type Runtime } from "../runtime.js";
import type { Catalog, CatalogSkill, CatalogTool } from "./catalog.js";
import type { ReadOptions } from "./offer-options.js";
import { type EntryOptions, entryOf, type NamedTool, type OfferedEntry } from "./offered-entry.js";

export type { EntryOptions, OfferedEntry };

/** Returns the tools that can be called here, in the catalog's order. */
export async function offerEntries(
  catalog: Catalog,
  options: EntryOptions,
): Promise<readonly OfferedEntry[]> {
  const entries: OfferedEntry[] = [];
  const judge = await judgeOf(options);
  for (const skill of catalog.skills) {
    if (!(await isAvailable(skill, options))) continue;
    for (const tool of skill.tools)
      if (await judge(tool)) entries.push(entryOf({ skill, tool }, options));
  }
  return entries;
}

/**
 * Returns the tool with this name for models if it can be called here, by the same rules. It judges
 * no other tool.
 *
 * @param name as the model wrote it
 */
export async function offerOne(
  catalog: Catalog,
  name: string,
  options: EntryOptions,
): Promise<OfferedEntry | undefined> {
  const named = toolsByName(catalog).get(name);
  if (named === undefined) return undefined;
  const { skill, tool } = named;
  if (!(await isAvailable(skill, options))) return undefined;
  const judge = await judgeOf(options);
  return (await judge(tool)) ? entryOf(named, options) : undefined;
}

/**
 * Returns the available skills of which a tool can be called, and those without tools, in the
 * catalog's order.
 */
export async function usableSkills(
  catalog: Catalog,
  options: ReadOptions,
): Promise<readonly CatalogSkill[]> {
  const usable: CatalogSkill[] = [];
  const judge = await judgeOf(options);
  for (const skill of catalog.skills)
    if ((await isAvailable(skill, options)) && (await hasUse(skill, judge))) usable.push(skill);
  return usable;
}

/** Judges tools until one can be called. */
async function hasUse({ tools }: CatalogSkill, judge: Judge): Promise<boolean> {
  for (const tool of tools) if (await judge(tool)) return true;
  return tools.length === 0;
}

const indexes = new WeakMap<Catalog, ReadonlyMap<string, NamedTool>>();

/** Returns a catalog's tools by their names for models. It makes the map once. */
function toolsByName(catalog: Catalog): ReadonlyMap<string, NamedTool> {
  const known = indexes.get(catalog);
  if (known !== undefined) return known;
  const entries = catalog.skills.flatMap((skill) =>
    skill.tools.map((tool) => [tool.model_name, { skill, tool }] as const),
  );
  const made = new Map(entries);
  indexes.set(catalog, made);
  return made;
}

async function isAvailable(
  skill: CatalogSkill,
  { runtime, skills: wanted }: ReadOptions,
): Promise<boolean> {
  return wanted?.includes(skill.name) !== false && (await missingFor(skill, runtime)).length === 0;
}

/** Returns whether a tool can be called, if its skill is available. */
type Judge = (tool: CatalogTool) => Promise<boolean>;

async function judgeOf({ caller, filter, runtime }: ReadOptions): Promise<Judge> {
  const mayCall = await runtime.governance?.offersTo(calledByModel(caller));
  const known = new Map<string, Promise<boolean>>();
  // Many tools need the same credentials.
  const hasCredential: HasCredential = (name) => {
    const has = known.get(name) ?? runtime.credentials.has(name);
    known.set(name, has);
    return has;
  };
  return async (tool) =>
    filter(tool) &&
    (mayCall === undefined || mayCall(tool.id, tool.manifest_hash)) &&
    canBeCalled(tool, runtime, hasCredential);
}

type HasCredential = (name: string) => Promise<boolean>;

async function canBeCalled(
  tool: CatalogTool,
  runtime: Runtime,
  hasCredential: HasCredential,
): Promise<boolean> {
  if (tool.deprecated !== false) return false;
  if (Object.hasOwn(runtime.handlers, tool.id)) return true;
  if (runtime.fakes !== undefined) return runtime.fakes.has(tool.id);
  if (tool.needs_handler) return false;
  const names = new Set(tool.capabilities.flatMap(({ credentials }) => credentials));
  for (const name of names) if (!(await hasCredential(name))) return false;
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
