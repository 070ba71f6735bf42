import type { Scalar } from "./intersect-shapes.js";
import { shapeParts } from "./look-up.js";
import type { Shapes } from "./shape-of-schema.js";
import {
  isList,
  isNever,
  type ListPart,
  type ObjectPart,
  type Part,
  type Shape,
  union,
} from "./shape.js";
import { printedRest, printedShape } from "./printed-shape.js";

/** A shape of a document. */
export interface ShapeIn {
  readonly shape: Shape;
  readonly shapes: Shapes;
}

/** Maximum number of compared parts. Beyond it the answer is "not certain". */
const comparisons = 20_000;

/**
 * Checks if TypeScript would assign every value of one printed type to the other; false if that
 * isn't certain. Types say less than schemas: a type may reject a value that its schema accepts.
 * Tuples count as lists of one item type, and objects with declared properties as maps.
 */
export function isAssignable(given: ShapeIn, wanted: ShapeIn): boolean {
  const [one, other] = [given.shapes, wanted.shapes];
  return fits(given.shape, wanted.shape, { one, other, seen: new Map(), left: comparisons });
}

interface Comparison {
  readonly one: Shapes;
  readonly other: Shapes;
  /** Pairs that are being compared, or were: schemas may be recursive. */
  readonly seen: Map<Shape, Set<Shape>>;
  left: number;
}

function fits(given: Shape, wanted: Shape, comparison: Comparison): boolean {
  if (wanted.kind === "unknown") return true;
  if (given.kind === "unknown") return false;
  const before = comparison.seen.get(given) ?? new Set();
  if (before.has(wanted)) return true;
  comparison.seen.set(given, before.add(wanted));
  const forms = shapeParts(wanted, comparison.other);
  return shapeParts(given, comparison.one).every((part) => fitsOneOf(part, forms, comparison));
}

function fitsOneOf(part: Part, forms: readonly Part[], comparison: Comparison): boolean {
  if (forms.some((form) => fitsPart(part, form, comparison))) return true;
  return (
    part.kind === "scalar" &&
    part.type === "boolean" &&
    [true, false].every((value) => fitsOneOf({ kind: "literal", value }, forms, comparison))
  );
}

function fitsPart(part: Part, form: Part, comparison: Comparison): boolean {
  comparison.left -= 1;
  if (comparison.left < 0) return false;
  if (isScalar(part)) return isScalar(form) && fitsScalar(part, form);
  if (isList(part)) return isList(form) && fits(itemsOf(part), itemsOf(form), comparison);
  return part.kind === "object" && form.kind === "object" && fitsObject(part, form, comparison);
}

function isScalar(part: Part): part is Scalar {
  return part.kind === "scalar" || part.kind === "literal";
}

function fitsScalar(part: Scalar, form: Scalar): boolean {
  if (form.kind === "literal") return part.kind === "literal" && part.value === form.value;
  return typeName(part) === typeName(form);
}

function typeName(part: Scalar): string {
  if (part.kind === "literal") return typeof part.value;
  return part.type === "integer" ? "number" : part.type;
}

const items = new WeakMap<ListPart, Shape>();

/**
 * Returns a shape for all items of a list. The same list always gives the same object, which
 * detects recursion.
 */
function itemsOf(list: ListPart): Shape {
  if (list.kind === "array") return list.items;
  const known = items.get(list) ?? union([...list.prefix.map(({ shape }) => shape), list.rest]);
  items.set(list, known);
  return known;
}

function fitsObject(part: ObjectPart, form: ObjectPart, comparison: Comparison): boolean {
  const declared = new Map(part.properties.map((each) => [each.name, each]));
  const inside = form.properties.every((wanted) => {
    const own = declared.get(wanted.name);
    if (own === undefined) return !wanted.required;
    if (wanted.required && !own.required) return false;
    return fits(printedShape(own), printedShape(wanted), comparison);
  });
  return inside && !isForeign(part, form) && fitsOthers(part, form, comparison);
}

/**
 * Checks for a mistake in TypeScript's eyes: an object that shares no property with a type of only
 * optional ones.
 */
function isForeign({ properties }: ObjectPart, form: ObjectPart): boolean {
  if (!isNever(printedRest(form)) || form.properties.length === 0 || properties.length === 0)
    return false;
  const names = new Set(form.properties.map(({ name }) => name));
  return !properties.some(({ name }) => names.has(name));
}

/**
 * Compares all given properties with a wanted map. A type with named properties has no index
 * signature, or one of `unknown`.
 */
function fitsOthers(part: ObjectPart, form: ObjectPart, comparison: Comparison): boolean {
  if (form.properties.length > 0) return true;
  return [...part.properties.map(printedShape), printedRest(part)].every((shape) =>
    fits(shape, form.rest, comparison),
  );
}
