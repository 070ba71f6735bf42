import { isJsonObject, type JsonObject } from "../core/json.js";
import { type PublishOptions, publishedSchema } from "./as-published.js";
import { placeSchema, type SchemaPlace } from "./certain-mismatches.js";
import { joinDefinitions } from "./joined-definitions.js";

/** The schema of a place without the author's own keywords, and the document that it refers to. */
export function placeInPublished(place: SchemaPlace) {
  const root = publishedSchema(place.model, { id: "", form: "stated" });
  return { root, schema: placeSchema({ ...place, model: { ...place.model, schema: root } }) };
}

/** The schema of a place as a document. A part of a document gets copies of shared schemas. */
export function publishedPlace(place: SchemaPlace, options: PublishOptions): JsonObject {
  const { at, isList, model } = place;
  if (at.length === 0 && isList !== true) return publishedSchema(model, options);
  const definitions = joinDefinitions();
  const { root, schema } = placeInPublished(place);
  const part = definitions.take(schema, root);
  const $defs = definitions.definitions();
  const published = isJsonObject(part) ? part : part ? {} : { not: {} };
  return {
    $schema: root["$schema"] ?? null,
    $id: options.id,
    ...published,
    ...($defs && { $defs }),
  };
}
