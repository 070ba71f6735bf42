import { meetScalars } from "./intersect-shapes.js";
import { partsOf } from "./look-up.js";
import type { Shapes } from "./shape-of-schema.js";
import {
  isNever,
  type ObjectPart,
  type Part,
  type Property,
  type Shape,
  type TuplePart,
} from "./shape.js";

/** Parts that may be compared over two documents; beyond, shapes are taken to have values in common. */
const comparisons = 200_000;

/**
 * Tells whether no value has both shapes, where the first is of one document and the second of another. False where that isn't certain,
 * in a recursion for one. Shapes are supersets of what their schemas accept, so that nothing true of them is less true of the schemas.
 */
export function disjointness(one: Shapes, other: Shapes): (a: Shape, b: Shape) => boolean {
  const known = new Map<Shape, Map<Shape, boolean>>();
  let left = comparisons;
  const areDisjoint = (a: Shape, b: Shape): boolean => {
    if (isNever(a) || isNever(b)) return true;
    if (a.kind === "unknown" || b.kind === "unknown") return false;
    const row = known.get(a) ?? new Map<Shape, boolean>();
    const before = row.get(b);
    if (before !== undefined) return before;
    // While it is being worked out, it is not certain.
    known.set(a, row.set(b, false));
    const parts = partsOf(b, other);
    const result = partsOf(a, one).every((part) => parts.every((each) => !mayMeet(part, each)));
    row.set(b, result);
    return result;
  };
  const mayMeet = (a: Part, b: Part): boolean => {
    left -= 1;
    if (left < 0 || a.kind === "both" || b.kind === "both") return true;
    if (a.kind === "ref" || b.kind === "ref") throw new Error("references have been followed");
    if (a.kind === "object") return b.kind === "object" && !clash(objectPairs(a, b));
    if (isList(a)) return isList(b) && !clash(positionPairs(a, b));
    return b.kind !== "object" && !isList(b) && !isNever(meetScalars(a, b));
  };
  const clash = (pairs: readonly PlacePair[]): boolean =>
    pairs.some(({ a, b, required }) => required && areDisjoint(a.shape, b.shape));
  return areDisjoint;
}

/** One place in values of two kinds, as each declares it. */
export interface PlacePair {
  readonly step: string | number;
  readonly a: Declared;
  readonly b: Declared;
  /** Whether one of them requires a value there. */
  readonly required: boolean;
}

export interface Declared {
  readonly shape: Shape;
  readonly required: boolean;
  readonly pointer?: string;
}

/** Every property that one of the objects names. */
export function objectPairs(a: ObjectPart, b: ObjectPart): readonly PlacePair[] {
  const inA = new Map(a.properties.map((each) => [each.name, each]));
  const inB = new Map(b.properties.map((each) => [each.name, each]));
  return [...new Set([...inA.keys(), ...inB.keys()])].map((name) =>
    pairOf(name, propertyOr(inA.get(name), a.rest), propertyOr(inB.get(name), b.rest)),
  );
}

function propertyOr(property: Property | undefined, rest: Shape): Declared {
  return property ?? { shape: rest, required: false };
}

export type ListPart = TuplePart | Extract<Part, { kind: "array" }>;

export function isList(part: Part): part is ListPart {
  return part.kind === "array" || part.kind === "tuple";
}

/** Every position that one of the lists describes on its own. */
export function positionPairs(a: ListPart, b: ListPart): readonly PlacePair[] {
  const length = Math.max(prefixOf(a).length, prefixOf(b).length);
  return Array.from({ length }, (_, index) => pairOf(index, itemAt(a, index), itemAt(b, index)));
}

function prefixOf(list: ListPart): TuplePart["prefix"] {
  return list.kind === "tuple" ? list.prefix : [];
}

function itemAt(list: ListPart, index: number): Declared {
  if (list.kind === "array") return { shape: list.items, required: false, ...pointerOf(list) };
  const element = list.prefix[index];
  return element === undefined
    ? { shape: list.rest, required: false }
    : { shape: element.shape, required: !element.optional };
}

function pointerOf({ pointer }: { readonly pointer?: string }): { readonly pointer?: string } {
  return pointer === undefined ? {} : { pointer };
}

function pairOf(step: string | number, a: Declared, b: Declared): PlacePair {
  return { step, a, b, required: a.required || b.required };
}
