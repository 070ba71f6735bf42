import { isDeepStrictEqual } from "node:util";
import type { KindRegistry } from "../bindings/registry.js";
import { sha256 } from "../core/hash.js";
import { isOutputPath } from "../core/output.js";
import { withoutPlaces } from "../core/places.js";
import type { Project, ProjectConfig } from "../core/project.js";
import type { SharedSchema } from "../core/skill-model.js";
import type { Style } from "../core/style.js";
import { type CacheEntry, type CompileCache, putAll } from "./compile-cache.js";
import type { Sessions } from "./analyze/sessions.js";
import { hashOfFile } from "./tracked-files.js";
import { schemaKeysOf, unitOf, unitTexts, withTexts } from "./unit-text.js";
import type { Unit } from "./unit.js";
import type { TypeCheckSettings } from "./verify/check-types.js";

/** Everything besides the files that determines the result for a skill. */
interface CacheInput {
  readonly cache?: CompileCache;
  readonly project: Project;
  readonly config: ProjectConfig;
  readonly kinds: KindRegistry;
  readonly style: Style;
  readonly typeCheck: TypeCheckSettings;
  /** Current files of the output folder, by path below it. */
  readonly previous: ReadonlyMap<string, string>;
}

/**
 * Returns the cached unit of a skill, if its source files and the sessions that analyzed it are
 * unchanged.
 */
export async function cachedUnit(
  input: CacheInput,
  folder: string,
  sessions: Sessions,
): Promise<Unit | undefined> {
  const key = keyOf(input, folder);
  const text = input.cache?.get(key);
  if (text === undefined) return undefined;
  const schemaKeys = schemaKeysOf(text);
  if (schemaKeys.some((each) => input.cache?.get(each) === undefined)) return undefined;
  // The cache returns only texts that `storeEntries` of the same build stored.
  const unit = unitOf(text, (each) => sharedSchema(input, each));
  if (![...unit.files, ...unit.shared].every(({ path }) => isOutputPath(path))) return undefined;
  const reads = Object.entries(unit.reads);
  if (reads.some(([path, hash]) => hashOfFile(input.project, path) !== hash)) return undefined;
  const now = await sessions.fingerprints(Object.keys(unit.sessions));
  if (!isDeepStrictEqual(now, unit.sessions)) return undefined;
  input.cache?.keep?.([...unit.keys, ...schemaKeys, filesKey(key)]);
  return withTexts(unit, input.previous, () => input.cache?.get(filesKey(key)));
}

const sharedSchemas = new WeakMap<CompileCache, Map<string, SharedSchema>>();

/** Reads a shared schema from the cache, and parses it once for all units. */
function sharedSchema({ cache }: CacheInput, key: string): SharedSchema | undefined {
  const text = cache?.get(key);
  if (cache === undefined || text === undefined) return undefined;
  const parsed = sharedSchemas.get(cache) ?? new Map<string, SharedSchema>();
  sharedSchemas.set(cache, parsed);
  // `unitTexts` made this text.
  const schema = parsed.get(key) ?? (JSON.parse(text) as SharedSchema);
  parsed.set(key, schema);
  return schema;
}

/** Checks if the cache has a unit of the skill, even one from other files. */
export function hasCachedUnit(input: CacheInput, folder: string): boolean {
  return input.cache?.get(keyOf(input, folder)) !== undefined;
}

/** Cache entries of units. */
export interface UnitEntries {
  /** Entries that the skills made, each with the key of its inputs. */
  readonly made: readonly CacheEntry[];
  /** Entries of the units themselves. */
  readonly own: readonly CacheEntry[];
  /** Keys of the entries that the units used, to keep. */
  readonly keys: readonly string[];
}

/**
 * Makes cache entries for the new units. A unit with a custom kind isn't cached, because the kind's
 * code may change unnoticed.
 */
export function entriesOf(input: CacheInput, units: readonly Unit[]): UnitEntries {
  const fresh = units.filter(
    (unit) => unit.fresh !== undefined && !usesCustomKind(unit, input.kinds),
  );
  const schemas = new Map<string, CacheEntry>();
  const own = fresh.flatMap(({ fresh: _fresh, made: _made, ...unit }) => {
    const key = keyOf(input, unit.folder);
    const texts = unitTexts(unit);
    for (const each of texts.schemas) schemas.set(each.key, each);
    return [
      { key: filesKey(key), value: texts.files },
      { key, value: texts.unit },
    ];
  });
  return {
    made: fresh.flatMap((unit) => unit.made ?? []),
    own: [...own, ...schemas.values()],
    keys: fresh.flatMap(({ keys }) => keys),
  };
}

/** Stores units without errors. */
export function storeEntries({ cache }: CacheInput, { keys, made, own }: UnitEntries): void {
  cache?.keep?.(keys);
  putAll(cache, made);
  // Entries of edited skills are stored separately from those that every run needs.
  putAll(cache, own);
}

function usesCustomKind(unit: Unit, kinds: KindRegistry): boolean {
  return unit.lowered?.tools.some(({ tool }) => kinds.isCustom(tool.binding.type)) ?? false;
}

/** Key of the texts of a unit's files. */
function filesKey(key: string): string {
  return sha256(`files ${key}`);
}

function keyOf({ config, kinds, style, typeCheck }: CacheInput, folder: string): string {
  const { governance, rollback, skills } = config;
  // Governed projects have more checks, and obligations affect the types of a tool's results.
  const settings =
    governance === undefined ? [] : ["governed", withoutPlaces(governance.obligations)];
  return sha256(
    JSON.stringify([
      "unit",
      folder,
      skills,
      ...settings,
      ...(rollback === undefined ? [] : [{ rollback }]),
      kinds.types,
      style,
      typeCheck.compilerOptions,
    ]),
  );
}
