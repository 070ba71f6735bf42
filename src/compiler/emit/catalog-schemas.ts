import type { LoweredSkill } from "../../core/lowered-skill.js";
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from "../../core/json.js";
import type { SchemaModel, SharedSchema } from "../../core/skill-model.js";
import { type PublishedDefinitions, publishedShared } from "../../schema/as-published.js";
import type { SchemaForm } from "../../schema/form.js";

/** The shared schemas of a skill's catalog. */
export interface CatalogSchemas extends PublishedDefinitions {
  /** Returns the requested definitions, and those that they refer to, by name. */
  published(): JsonObject;
}

/**
 * Collects schemas that several documents of a skill refer to. Each appears once in the skill's
 * `$defs`, by its short name if no other schema of the skill has that name.
 */
export function catalogSchemas({ tools }: LoweredSkill): CatalogSchemas {
  const models = tools.flatMap(({ tool }) => [
    tool.parameters,
    ...(tool.returns ? [tool.returns] : []),
  ]);
  const all = new Map(
    models.flatMap(({ shared = [] }) => shared.map((each) => [each.name, each] as const)),
  );
  const names = shortNames([...all.values()], new Set(models.flatMap(localNames)));
  const asked = new Map<string, { readonly shared: SharedSchema; readonly form: SchemaForm }>();
  const definitions: PublishedDefinitions = {
    nameOf(shared, form) {
      const stem = names.get(shared.name) ?? shared.name;
      const name = form === "stated" ? stem : `${stem}.${form}`;
      if (!asked.has(name)) asked.set(name, { shared, form });
      return name;
    },
  };
  return {
    ...definitions,
    published() {
      const found: Record<string, JsonValue> = {};
      // Publishing a schema may request more schemas.
      for (const [name, { form, shared }] of asked)
        setOwn(found, name, publishedShared(shared, [...all.values()], form, definitions));
      return found;
    },
  };
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
        counts.get(shortName) === 1 && !taken.has(shortName) && shortName !== "__proto__";
      return [name, isFree ? shortName : name];
    }),
  );
}
