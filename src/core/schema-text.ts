import { sha256 } from "./hash.js";
import { isJsonObject, type JsonSchema, type JsonValue } from "./json.js";
import type { SchemaModel, SharedSchema } from "./skill-model.js";

/** The document without shared schemas in its definitions. */
export function ownSchema({
  schema,
  shared = [],
}: Pick<SchemaModel, "schema" | "shared">): JsonSchema {
  if (!isJsonObject(schema) || shared.length === 0) return schema;
  const names = new Set(shared.map(({ name }) => name));
  const { $defs, ...own } = schema;
  const definitions = isJsonObject($defs) ? Object.entries($defs) : [];
  const local = definitions.filter(([name]) => !names.has(name));
  return local.length === 0 ? own : { ...own, $defs: Object.fromEntries(local) };
}

/** A document with those among its definitions again. */
export function wholeSchema(own: JsonSchema, shared: readonly SharedSchema[]): JsonSchema {
  if (!isJsonObject(own) || shared.length === 0) return own;
  const { $defs, ...others } = own;
  const local: readonly [string, JsonValue][] = isJsonObject($defs) ? Object.entries($defs) : [];
  const apart = shared.map(({ name, schema }) => [name, schema] as const);
  return { ...others, $defs: Object.fromEntries([...local, ...apart]) };
}

/** A document as text: the same for documents that say the same. Shared schemas stand as hashes. */
export function schemaText({
  schema,
  shared = [],
}: Pick<SchemaModel, "schema" | "shared">): string {
  if (shared.length === 0) return JSON.stringify(schema);
  return JSON.stringify([ownSchema({ schema, shared }), shared.map(sharedHash)]);
}

const hashes = new WeakMap<SharedSchema, string>();

/**
 * Hash of everything that determines a shared schema's modules, except the schemas that it refers
 * to.
 */
function sharedHash(shared: SharedSchema): string {
  const { module, name, schema, shortName, typeName } = shared;
  const known =
    hashes.get(shared) ?? sha256(JSON.stringify([name, module, shortName, typeName, schema]));
  hashes.set(shared, known);
  return known;
}
