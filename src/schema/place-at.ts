import { getOwn } from "../core/json.js";
import type { SchemaModel, SharedSchema } from "../core/skill-model.js";
import type { Span } from "../core/span.js";

/** A document's spans by pointer. */
export type DocumentPlaces = Pick<SchemaModel, "places" | "shared">;

/** Span of a schema, or of a keyword, in the author's files, by pointer. */
export function placeAt(model: DocumentPlaces, pointer: string): Span | undefined {
  const own = getOwn(model.places, pointer);
  if (own !== undefined || model.shared === undefined) return own;
  const name = /^\/\$defs\/([^/]+)/.exec(pointer)?.[1];
  const shared = name === undefined ? undefined : sharedByName(model.shared).get(name);
  return shared && getOwn(shared.places, pointer.slice(`/$defs/${shared.name}`.length));
}

const byName = new WeakMap<readonly SharedSchema[], ReadonlyMap<string, SharedSchema>>();

/** The shared schemas of a document, by their names in `$defs`. */
export function sharedByName(shared: readonly SharedSchema[]): ReadonlyMap<string, SharedSchema> {
  const known = byName.get(shared) ?? new Map(shared.map((each) => [each.name, each]));
  byName.set(shared, known);
  return known;
}
