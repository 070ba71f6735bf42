import {
  everyKind,
  isNever,
  type ListPart,
  never,
  type ObjectPart,
  only,
  type Part,
  type Property,
  type ScalarType,
  type Shape,
  shapeOfValue,
  type TuplePart,
  union,
  type Union,
  unknown,
  weightOf,
} from "./shape.js";

/** Facts about the surrounding schemas that an intersection needs. */
export interface IntersectContext {
  /** Returns the shape behind a reference; undefined while it is being computed. */
  expand(pointer: string): Shape | undefined;
  /** References that are being expanded. Expanding one again would never end. */
  readonly open: ReadonlySet<string>;
  /**
   * Remaining intersections. At zero, the first side stands for the whole, which is wider but never
   * wrong.
   */
  readonly budget: { left: number };
}

/** The values that have both shapes. The result may be too wide, but is never too narrow. */
export function intersect(a: Shape, b: Shape, context: IntersectContext): Shape {
  if (a.kind === "unknown") return b;
  if (b.kind === "unknown") return a;
  const met = product(a, b, context);
  if (met === undefined) return a;
  if (!isOutgrown(met, Math.max(a.of.length, b.of.length))) return met;
  // Unions beside each other multiply, so reduce the smaller one to its common members.
  const [kept, other] = a.of.length < b.of.length ? [b, a] : [a, b];
  const common = widened(other, (pointer) => context.expand(pointer));
  return common.kind === "unknown" ? kept : (product(kept, common, context) ?? kept);
}

/**
 * Maximum members and weight of a union that an intersection may grow. Nobody reads larger types,
 * and each step would multiply them.
 */
const maxMembers = 64;
const maxWeight = 4000;

function isOutgrown(met: Shape, before: number): boolean {
  if (met.kind === "unknown" || met.of.length <= before) return false;
  return met.of.length > maxMembers || weightOf(met) > maxWeight;
}

/**
 * Intersects each part of one union with each part of the other; undefined if the budget is used
 * up.
 */
function product(a: Union, b: Union, context: IntersectContext): Shape | undefined {
  context.budget.left -= a.of.length * b.of.length;
  if (context.budget.left < 0) return undefined;
  return union(a.of.flatMap((left) => b.of.map((right) => meet(left, right, context))));
}

function meet(a: Part, b: Part, context: IntersectContext): Shape {
  // Two sides are enough. TypeScript combines the members of each side with those of every other,
  // again at every step of a recursion.
  if (a.kind === "both" || b.kind === "both") return only(a);
  if (a.kind === "ref" || b.kind === "ref") return meetReference(a, b, context);
  if (a.kind === "object") return b.kind === "object" ? meetObjects(a, b, context) : never;
  if (a.kind === "array" || a.kind === "tuple") {
    return b.kind === "array" || b.kind === "tuple" ? meetLists(a, b, context) : never;
  }
  return b.kind === "scalar" || b.kind === "literal" ? meetScalars(a, b) : never;
}

function meetReference(a: Part, b: Part, context: IntersectContext): Shape {
  if (a.kind === "ref" && b.kind === "ref" && a.to === b.to) return only(a);
  const reference = a.kind === "ref" ? a : b;
  if (reference.kind !== "ref") throw new Error("neither part is a reference");
  const expanded = context.open.has(reference.to) ? undefined : context.expand(reference.to);
  // Two references become one intersection type. An object beside a reference would be a new type
  // at each step of the recursion, so only the reference is kept.
  if (expanded === undefined)
    return only(a.kind === b.kind ? { kind: "both", of: [a, b] } : a === reference ? b : a);
  const inner = { ...context, open: new Set(context.open).add(reference.to) };
  // Expand `unknown` to all kinds, so that only the other side's kind remains.
  const known: Shape = expanded.kind === "unknown" ? { kind: "union", of: everyKind } : expanded;
  return a.kind === "ref" ? intersect(known, only(b), inner) : intersect(only(a), known, inner);
}

export type Scalar = Extract<Part, { kind: "scalar" | "literal" }>;

/** The values that both scalars have. */
function meetScalars(a: Scalar, b: Scalar): Shape {
  if (a.kind === "literal") return holds(b, a.value) ? only(asInt64(a, b)) : never;
  if (b.kind === "literal") return holds(a, b.value) ? only(asInt64(b, a)) : never;
  if (a.type === b.type) return only(a);
  const numeric: ReadonlySet<ScalarType> = new Set(["number", "integer"]);
  if (!numeric.has(a.type) || !numeric.has(b.type)) return never;
  return only({ kind: "scalar", type: "integer" });
}

function asInt64(literal: Scalar, { isInt64 }: Scalar): Scalar {
  return isInt64 ? { ...literal, isInt64 } : literal;
}

function holds(scalar: Scalar, value: string | number | boolean): boolean {
  if (scalar.kind === "literal") return scalar.value === value;
  if (scalar.type === "integer") return typeof value === "number" && Number.isInteger(value);
  return scalar.type === typeof value;
}

type List = Extract<Part, { kind: "array" | "tuple" }>;

function meetLists(a: List, b: List, context: IntersectContext): Shape {
  if (a.kind === "array" && b.kind === "array") {
    return only({ kind: "array", items: intersect(a.items, b.items, context) });
  }
  return meetTuples(asTuple(a), asTuple(b), context);
}

function asTuple(list: List): TuplePart {
  return list.kind === "tuple" ? list : { kind: "tuple", prefix: [], rest: list.items };
}

function meetTuples(a: TuplePart, b: TuplePart, context: IntersectContext): Shape {
  const prefix: { readonly shape: Shape; readonly optional: boolean }[] = [];
  const length = Math.max(a.prefix.length, b.prefix.length);
  for (let index = 0; index < length; index += 1) {
    const left = a.prefix[index] ?? { shape: a.rest, optional: true };
    const right = b.prefix[index] ?? { shape: b.rest, optional: true };
    const shape = intersect(left.shape, right.shape, context);
    const optional = left.optional && right.optional;
    if (isNever(shape)) return optional ? only({ kind: "tuple", prefix, rest: never }) : never;
    prefix.push({ shape, optional });
  }
  return only({ kind: "tuple", prefix, rest: intersect(a.rest, b.rest, context) });
}

function meetObjects(a: ObjectPart, b: ObjectPart, context: IntersectContext): Shape {
  const inB = new Map(b.properties.map((each) => [each.name, each]));
  const inA = new Set(a.properties.map((each) => each.name));
  const both = a.properties.map((each) =>
    meetProperties(each, inB.get(each.name) ?? undeclared(each, b), context),
  );
  const added = b.properties.filter((each) => !inA.has(each.name));
  const properties = [
    ...both,
    ...added.map((each) => meetProperties(each, undeclared(each, a), context)),
  ];
  if (properties.some((each) => each.required && isNever(each.shape))) return never;
  const rest = intersect(a.rest, b.rest, context);
  const title = a.title ?? b.title;
  const kept = isNever(rest) ? properties.filter((each) => !isNever(each.shape)) : properties;
  return only({
    kind: "object",
    properties: kept,
    rest,
    ...((a.statesOthers ?? b.statesOthers) && !isNever(rest) ? { statesOthers: true } : {}),
    ...(title === undefined ? {} : { title }),
  });
}

/** Shape of a name that an object doesn't declare. */
function undeclared({ name }: Property, { rest }: ObjectPart): Property {
  return { name, shape: rest, required: false };
}

function meetProperties(a: Property, b: Property, context: IntersectContext): Property {
  const description = a.description ?? b.description;
  const filled = a.filled ?? b.filled;
  const defaultValue = a.default ?? b.default;
  const met = intersect(a.shape, b.shape, context);
  const pointer =
    b.shape.kind === "unknown" ? a.pointer : a.shape.kind === "unknown" ? b.pointer : undefined;
  return {
    name: a.name,
    // A default was checked only against its own schema; the other schema may not allow it.
    shape: filled === undefined ? met : withDefault(met, shapeOfValue(filled), context),
    required: a.required || b.required,
    ...(description === undefined ? {} : { description }),
    ...(filled === undefined ? {} : { filled }),
    ...(defaultValue === undefined ? {} : { default: defaultValue }),
    ...(pointer === undefined ? {} : { pointer }),
  };
}

function withDefault(shape: Shape, value: Shape, context: IntersectContext): Shape {
  return isNever(intersect(shape, value, context)) ? union([shape, value]) : shape;
}

/** The shape without values of these kinds. */
export function withoutKinds(shape: Shape, excluded: ReadonlySet<string>): Shape {
  const parts = shape.kind === "unknown" ? everyKind : shape.of;
  const kept = parts.filter((part) => !excluded.has(partKind(part)));
  return shape.kind === "unknown" && kept.length === parts.length
    ? unknown
    : { kind: "union", of: kept };
}

/** JSON type of all values of the part; a reference has no known type. */
function partKind(part: Part): string {
  if (part.kind === "tuple") return "array";
  if (part.kind === "scalar") return part.type;
  if (part.kind === "literal") return typeof part.value;
  return part.kind;
}

/**
 * Reduces the shape to at most one kind of object and one kind of list: the common parts of its
 * objects, and its lists. The result accepts at least the same values.
 *
 * @param expand returns the shape behind a reference; undefined if it isn't known yet
 */
function widened(shape: Shape, expand: (pointer: string) => Shape | undefined): Shape {
  const parts = plainParts(shape, expand, new Set());
  if (parts === undefined) return unknown;
  const objects = parts.filter((part) => part.kind === "object");
  const lists = parts.filter((part) => part.kind === "array" || part.kind === "tuple");
  const others = parts.filter((part) => part.kind === "scalar" || part.kind === "literal");
  return union([
    { kind: "union", of: others },
    ...(objects.length === 0 ? [] : [only(commonObject(objects))]),
    ...(lists.length === 0 ? [] : [only(lists.length === 1 && lists[0] ? lists[0] : anyOf(lists))]),
  ]);
}

/** Parts with references followed; undefined if a part is unknown. */
function plainParts(
  shape: Shape,
  expand: (pointer: string) => Shape | undefined,
  open: ReadonlySet<string>,
): readonly Part[] | undefined {
  if (shape.kind === "unknown") return undefined;
  const found: Part[] = [];
  for (const part of shape.of) {
    const inner = partsOf(part);
    if (inner === undefined) return undefined;
    found.push(...inner);
  }
  return found;

  function partsOf(part: Part): readonly Part[] | undefined {
    // An intersection is a subset of each side, so one side suffices.
    if (part.kind === "both") return partsOf(part.of[0]);
    if (part.kind !== "ref") return [part];
    const target = open.has(part.to) ? undefined : expand(part.to);
    return target && plainParts(target, expand, new Set(open).add(part.to));
  }
}

function commonObject(objects: readonly ObjectPart[]): ObjectPart {
  const declared = objects.map(
    ({ properties }) => new Map(properties.map((each) => [each.name, each])),
  );
  const names = new Set(declared.flatMap((each) => [...each.keys()]));
  const properties = [...names].map((name) =>
    commonProperty(
      objects.map(
        ({ rest }, index): Property =>
          declared[index]?.get(name) ?? { name, shape: rest, required: false },
      ),
    ),
  );
  return {
    kind: "object",
    properties,
    rest: union(objects.map(({ rest }) => rest)),
    ...(objects.some((each) => each.statesOthers) ? { statesOthers: true } : {}),
  };
}

function commonProperty(found: readonly Property[]): Property {
  const first = found.find(({ pointer }) => pointer !== undefined) ?? found[0];
  if (first === undefined) throw new Error("no object declares the property");
  const { pointer: _, ...words } = first;
  return {
    ...words,
    shape: union(found.map(({ shape }) => shape)),
    required: found.every(({ required }) => required),
  };
}

function anyOf(lists: readonly ListPart[]): Part {
  const items = lists.flatMap((list) =>
    list.kind === "array" ? [list.items] : [...list.prefix.map(({ shape }) => shape), list.rest],
  );
  return { kind: "array", items: union(items) };
}
