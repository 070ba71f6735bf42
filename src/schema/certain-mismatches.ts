/**
 * Finds certain contradictions between `returns` and its source. Each has the spans of both
 * statements.
 */
import type { JsonSchema, JsonValue } from "../core/json.js";
import type { SchemaModel } from "../core/skill-model.js";
import type { Span } from "../core/span.js";
import { type DisjointPlace, disjointPlaces, type PlacePath } from "./compare/disjoint-places.js";
import { partSchemas } from "./compare/normal-form.js";
import { type JsonType, lookUp, propertyNames, shapeAt } from "./look-up.js";
import { spanOfRequired, spanOfRest, spanOfType } from "./schema-spans.js";

type Path = readonly (string | number)[];

/** A place in a document. */
export interface SchemaPlace {
  readonly model: SchemaModel;
  readonly at: Path;
  /** True if the value is a list of the items at this path. */
  readonly isList?: boolean;
}

export interface CertainMismatch extends DisjointPlace {
  readonly found: Half;
  readonly wanted: Half;
}

/** Statement of one of the two schemas. */
export interface Half {
  /** The smallest part of the author's text with the statement. */
  readonly span: Span;
  readonly types: readonly JsonType[];
  /** The values, if the schema lists them. */
  readonly values?: readonly JsonValue[];
  /** The names that an object declares and may have. */
  readonly names: readonly string[];
}

/**
 * Finds contradictions that no value can resolve. Leaves out those that `compare` describes better:
 * a wanted schema that is only narrower, unions that leave several ways to fit, and exclusive
 * bounds or patterns.
 */
export function certainMismatches(
  found: SchemaPlace,
  wanted: SchemaPlace,
): readonly CertainMismatch[] {
  const [given, asked] = [found, wanted].map((place) => ({
    schema: placeSchema(place),
    root: place.model.schema,
  }));
  if (given === undefined || asked === undefined) return [];
  return disjointPlaces(given, asked)
    .map((each) => withHalves(each, found, wanted))
    .filter(isOfTypesOrValues);
}

/** Checks if the contradiction lies in the types or in listed values. */
function isOfTypesOrValues({ found, kind, wanted }: CertainMismatch): boolean {
  if (kind !== "values") return true;
  const shared = found.types.filter((type) => wanted.types.includes(type));
  const isListed = found.values !== undefined && wanted.values !== undefined;
  if (isListed || shared.some((type) => type === "object" || type === "array")) return true;
  const isNumeric = [found, wanted].every(({ types }) =>
    types.some((type) => type === "number" || type === "integer"),
  );
  const hasValues = found.values !== undefined || wanted.values !== undefined;
  return shared.length === 0 && (!isNumeric || hasValues);
}

/** Schema of the values at a place; its references lead into the document of the place. */
export function placeSchema({ at, isList = false, model }: SchemaPlace): JsonSchema {
  const [only = false, ...others] = partSchemas(model.schema, at);
  const schema = others.length === 0 ? only : { anyOf: [only, ...others] };
  return isList ? { type: "array", items: schema } : schema;
}

function withHalves(
  place: DisjointPlace,
  found: SchemaPlace,
  wanted: SchemaPlace,
): CertainMismatch {
  const { kind, path } = place;
  if (kind === "values") {
    const halves = [found, wanted].map((each) =>
      halfOf(each, path, spanOfType(pointerIn(each, path))),
    );
    return { ...place, ...pairOf(halves) };
  }
  const [object, name] = [path.slice(0, -1), String(path.at(-1))];
  const spans = kind === "missing" ? [spanOfRest, spanOfRequired] : [spanOfRequired, spanOfRest];
  const halves = [found, wanted].map((each, index) => {
    const at = pointerIn(each, object);
    const span = spans[index]?.(at, name, declaredPointer(each, path)) ?? each.model.span;
    return halfOf(each, object, span);
  });
  return { ...place, ...pairOf(halves) };
}

function pairOf([found, wanted]: readonly Half[]): Pick<CertainMismatch, "found" | "wanted"> {
  if (found === undefined || wanted === undefined)
    throw new Error("a mismatch needs a span in both schemas");
  return { found, wanted };
}

/** Path from the root of the document; undefined for the wrapping list itself. */
function pathIn({ at, isList = false }: SchemaPlace, path: PlacePath): Path | undefined {
  const inside = isList ? path.slice(1) : path;
  if (isList && path.length === 0) return undefined;
  return [...at, ...inside.map((step) => (typeof step === "object" ? 0 : step))];
}

/** Pointer of the nearest schema that describes only this place, or an enclosing value. */
function pointerIn(place: SchemaPlace, path: PlacePath) {
  const { model } = place;
  const all = pathIn(place, path) ?? place.at;
  for (let length = all.length; length > 0; length -= 1) {
    const { pointer } = shapeAt(model, all.slice(0, length), "stated");
    if (pointer !== undefined) return { model, pointer };
  }
  return { model, pointer: "" };
}

function declaredPointer(place: SchemaPlace, path: PlacePath): string | undefined {
  return shapeAt(place.model, pathIn(place, path) ?? [], "stated").pointer;
}

function halfOf(place: SchemaPlace, path: PlacePath, span: Span): Half {
  const all = pathIn(place, path);
  if (all === undefined) return { span, types: ["array"], names: [] };
  const { model } = place;
  const { enum: values, types } = lookUp(model, all, "stated");
  const names = propertyNames(model, all, "stated").filter(
    (name) => lookUp(model, [...all, name], "stated").presence !== "never",
  );
  return { span, types, names, ...(values !== undefined && { values }) };
}
