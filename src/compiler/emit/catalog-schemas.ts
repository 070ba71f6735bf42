import type { KindRegistry } from "../../bindings/registry.js";
import type { LoweredSkill } from "../../core/lowered-skill.js";
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from "../../core/json.js";
import type { SchemaModel, SharedSchema } from "../../core/skill-model.js";
import { declaredData } from "../../kit/known-answers.js";
import { type PublishedDefinitions, publishedShared } from "../../schema/as-published.js";
import { commonName, hasSchemaModule, inForm, inForms, publishedCommon } from "./common-schema.js";
import type { SharedUse } from "./shared-use.js";

/** The shared schemas of a skill's catalog. */
export interface CatalogSchemas extends PublishedDefinitions {
  /** Returns the requested definitions, and those that they refer to. */
  published(): CatalogDefinitions;
}

export interface CatalogDefinitions {
  /** All definitions, by name. */
  readonly $defs: JsonObject;
  /** Definitions that all catalogs import from their own module, by name. */
  readonly common: ReadonlyMap<string, SharedUse>;
}

/**
 * Collects schemas that several documents of a skill refer to. Each appears once in the skill's
 * `$defs`, by its short name if no other schema of the skill has that name. Schemas that every
 * skill may use have the same name in all catalogs.
 */
export function catalogSchemas({ tools }: LoweredSkill, kinds: KindRegistry): CatalogSchemas {
  const models = tools.flatMap(({ tool }) => {
    const kind = kinds.find(tool.binding.type);
    const data = kind && declaredData(kind, tool);
    return [tool.parameters, ...(data ? [data.model] : [])];
  });
  const byName = new Map(
    models.flatMap(({ shared = [] }) => shared.map((each) => [each.name, each] as const)),
  );
  const all = [...byName.values()];
  const local = new Set(models.flatMap(localNames));
  const common = commonSchemas(all, local);
  const own = shortNames(
    all.filter((each) => !common.has(each)),
    new Set([...local, ...[...common.values()].flatMap(inForms)]),
  );
  const asked = new Map<string, SharedUse>();
  const definitions: PublishedDefinitions = {
    nameOf(shared, form) {
      const stem = common.get(shared) ?? own.get(shared.name) ?? shared.name;
      const name = inForm(stem, form);
      if (!asked.has(name)) asked.set(name, { shared, form });
      return name;
    },
  };
  return {
    ...definitions,
    published() {
      const $defs: Record<string, JsonValue> = {};
      const apart = new Map<string, SharedUse>();
      // Publishing a schema may request more schemas.
      for (const [name, use] of asked) {
        const { form, shared } = use;
        if (!common.has(shared)) {
          setOwn($defs, name, publishedShared(shared, all, form, definitions));
          continue;
        }
        const { schema, uses } = publishedCommon(use, all);
        for (const each of uses) definitions.nameOf(each.shared, each.form);
        setOwn($defs, name, schema);
        if (hasSchemaModule(use, all)) apart.set(name, use);
      }
      return { $defs, common: apart };
    },
  };
}

/**
 * Returns the schemas that have the same name in all catalogs, each with this name. Empty if the
 * skill uses one of these names for another schema.
 */
function commonSchemas(
  all: readonly SharedSchema[],
  local: ReadonlySet<string>,
): ReadonlyMap<SharedSchema, string> {
  const named = new Map(
    all.flatMap((shared) => {
      const name = commonName(shared, all);
      return name === undefined ? [] : [[shared, name] as const];
    }),
  );
  const taken = new Set([...local, ...all.flatMap(({ name }) => inForms(name))]);
  const names = [...named.values()].flatMap(inForms);
  const isFree = new Set(names).size === names.length && names.every((each) => !taken.has(each));
  return isFree ? named : new Map();
}

/** Lists names of a document's own definitions. */
function localNames({ schema, shared = [] }: SchemaModel): readonly string[] {
  const definitions = isJsonObject(schema) ? schema["$defs"] : undefined;
  if (!isJsonObject(definitions)) return [];
  const apart = new Set(shared.map(({ name }) => name));
  return Object.keys(definitions).filter((name) => !apart.has(name));
}

function shortNames(
  all: readonly SharedSchema[],
  taken: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const { shortName } of all) counts.set(shortName, (counts.get(shortName) ?? 0) + 1);
  return new Map(
    all.map(({ name, shortName }) => {
      const isFree =
        counts.get(shortName) === 1 &&
        inForms(shortName).every((each) => !taken.has(each)) &&
        shortName !== "__proto__";
      return [name, isFree ? shortName : name];
    }),
  );
}
