import type { JsonValue } from "../core/json.js";
import type { SchemaModel } from "../core/skill-model.js";
import type { Span } from "../core/span.js";
import { type Blamed, spanOfRequired, spanOfRest, spanOfType } from "./blame.js";
import {
  disjointness,
  isList,
  objectPairs,
  type PlacePair,
  positionPairs,
} from "./disjoint-shapes.js";
import { type JsonType, partsOf, typesOf } from "./look-up.js";
import { type Shapes, shapesOf } from "./shape-of-schema.js";
import { isNever, type Part, type Shape } from "./shape.js";

/** A place in a document: the shape there, and the pointer of the schema that describes it, as far as it is known. */
export interface SchemaPlace {
  readonly model: SchemaModel;
  readonly shape: Shape;
  readonly pointer: string;
}

/** Steps below the place that was asked about; `each` goes on with every item of a list. */
export type ContradictionPath = readonly (string | number | { readonly each: true })[];

export interface Contradiction {
  /**
   * `values`: no value there is both what one schema and what the other allows. `missing`: what is wanted requires a property that what is
   * found can't have. `refused`: what is found always has a property that what is wanted forbids.
   */
  readonly kind: "values" | "missing" | "refused";
  readonly path: ContradictionPath;
  readonly found: Half;
  readonly wanted: Half;
}

/** What one of the schemas says. */
export interface Half {
  /** The smallest part of the author's text that says it. */
  readonly span: Span;
  readonly types: readonly JsonType[];
  /** The values themselves, where the schema lists them. */
  readonly values?: readonly JsonValue[];
  /** The names that an object declares and may have. */
  readonly names: readonly string[];
}

/**
 * Where a value that fits one schema can't fit the other, whatever it is: each is certain. A list may still be empty and an optional
 * property absent, but no value that stands at the path of a contradiction fits both schemas. Where the wanted schema is merely narrower,
 * or where unions leave several ways to fit, there is none.
 */
export function contradictions(found: SchemaPlace, wanted: SchemaPlace): readonly Contradiction[] {
  const [one, other] = [
    shapesOf(found.model.schema, "stated"),
    shapesOf(wanted.model.schema, "stated"),
  ];
  const walk: Walk = { one, other, areDisjoint: disjointness(one, other), seen: new Map() };
  return contradictionsAt({ path: [], found, wanted }, walk);
}

interface Walk {
  readonly one: Shapes;
  readonly other: Shapes;
  readonly areDisjoint: (a: Shape, b: Shape) => boolean;
  /** Shapes compared on the way: schemas may be recursive. */
  readonly seen: Map<Shape, Set<Shape>>;
}

interface Pair {
  readonly path: ContradictionPath;
  readonly found: SchemaPlace;
  readonly wanted: SchemaPlace;
}

function contradictionsAt(pair: Pair, walk: Walk): readonly Contradiction[] {
  const { found, wanted } = pair;
  if (isNever(found.shape) || isNever(wanted.shape)) return [];
  const before = walk.seen.get(found.shape) ?? new Set();
  if (before.has(wanted.shape)) return [];
  walk.seen.set(found.shape, before.add(wanted.shape));
  const deeper = [...inObjects(pair, walk), ...inLists(pair, walk)];
  if (deeper.length > 0 || !walk.areDisjoint(found.shape, wanted.shape)) return deeper;
  const half = (place: SchemaPlace, shapes: Shapes) =>
    halfOf(place, shapes, spanOfType(blamed(place)));
  return [
    {
      kind: "values",
      path: pair.path,
      found: half(found, walk.one),
      wanted: half(wanted, walk.other),
    },
  ];
}

/** Only where each side has one kind of object: among several, which one it will be is not known. */
function inObjects(pair: Pair, walk: Walk): readonly Contradiction[] {
  const { found, wanted } = pair;
  const a = soleOf(partsOf(found.shape, walk.one).filter((part) => part.kind === "object"));
  const b = soleOf(partsOf(wanted.shape, walk.other).filter((part) => part.kind === "object"));
  if (a === undefined || b === undefined) return [];
  return objectPairs(a, b).flatMap((each) =>
    isNever(each.a.shape) || isNever(each.b.shape)
      ? impossible(pair, each, walk)
      : contradictionsAt(below(pair, each, each.step), walk),
  );
}

function inLists(pair: Pair, walk: Walk): readonly Contradiction[] {
  const { found, wanted } = pair;
  const a = soleOf(partsOf(found.shape, walk.one).filter(isList));
  const b = soleOf(partsOf(wanted.shape, walk.other).filter(isList));
  if (a === undefined || b === undefined) return [];
  if (a.kind === "array" && b.kind === "array") {
    const items = { a: { ...a, shape: a.items }, b: { ...b, shape: b.items } };
    return contradictionsAt(below(pair, items, { each: true }), walk);
  }
  return positionPairs(a, b).flatMap((each) =>
    contradictionsAt(below(pair, each, each.step), walk),
  );
}

/** A property that one side requires and the other can't have, unless there is another way to fit: `null`. */
function impossible(pair: Pair, { step, a, b }: PlacePair, walk: Walk): readonly Contradiction[] {
  const { found, wanted } = pair;
  const isMissing = isNever(a.shape) && !isNever(b.shape) && b.required;
  const isRefused = isNever(b.shape) && !isNever(a.shape) && a.required;
  if ((!isMissing && !isRefused) || !walk.areDisjoint(found.shape, wanted.shape)) return [];
  const name = String(step);
  const required = isMissing
    ? spanOfRequired(blamed(wanted), name, b.pointer)
    : spanOfRequired(blamed(found), name, a.pointer);
  const closed = isMissing
    ? spanOfRest(blamed(found), name, a.pointer)
    : spanOfRest(blamed(wanted), name, b.pointer);
  return [
    {
      kind: isMissing ? "missing" : "refused",
      path: [...pair.path, step],
      found: halfOf(found, walk.one, isMissing ? closed : required),
      wanted: halfOf(wanted, walk.other, isMissing ? required : closed),
    },
  ];
}

function below(
  { path, found, wanted }: Pair,
  { a, b }: Pick<PlacePair, "a" | "b"> | { a: Described; b: Described },
  step: ContradictionPath[number],
): Pair {
  const placeOf = ({ model, pointer }: SchemaPlace, at: Described): SchemaPlace => ({
    model,
    shape: at.shape,
    pointer: at.pointer ?? pointer,
  });
  return { path: [...path, step], found: placeOf(found, a), wanted: placeOf(wanted, b) };
}

interface Described {
  readonly shape: Shape;
  readonly pointer?: string;
}

function halfOf({ shape }: SchemaPlace, shapes: Shapes, span: Span): Half {
  const parts = partsOf(shape, shapes);
  const values = parts.map(valueOf);
  const names = parts.flatMap((part) =>
    part.kind === "object"
      ? part.properties.filter((each) => !isNever(each.shape)).map(({ name }) => name)
      : [],
  );
  const listed = values.filter((value) => value !== undefined);
  return {
    span,
    types: typesOf(parts),
    names: [...new Set(names)],
    ...(listed.length === parts.length && { values: listed }),
  };
}

function valueOf(part: Part): JsonValue | undefined {
  if (part.kind === "literal") return part.value;
  return part.kind === "scalar" && part.type === "null" ? null : undefined;
}

function blamed({ model, pointer }: SchemaPlace): Blamed {
  return { model, pointer };
}

function soleOf<T>(items: readonly T[]): T | undefined {
  return items.length === 1 ? items[0] : undefined;
}
