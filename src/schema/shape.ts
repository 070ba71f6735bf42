import type { JsonValue } from "../core/json.js";

/**
 * TypeScript's view of the values that a schema accepts: always a superset. Shapes are computed
 * from a normalized schema. Types and lookups use them.
 */
export type Shape = { readonly kind: "unknown" } | Union;

/** Any one of the parts; without parts, `never`. */
export interface Union {
  readonly kind: "union";
  readonly of: readonly Part[];
}

export type Part =
  /** `isInt64` marks text as the digits of an integer. */
  | { readonly kind: "scalar"; readonly type: ScalarType; readonly isInt64?: true }
  | {
      readonly kind: "literal";
      readonly value: string | number | boolean;
      readonly isInt64?: true;
    }
  | { readonly kind: "array"; readonly items: Shape; readonly pointer?: string }
  | TuplePart
  | ObjectPart
  /** A schema with its own declaration, by pointer. */
  | { readonly kind: "ref"; readonly to: string }
  /** Values that are both. Used only if computing the intersection would not end. */
  | { readonly kind: "both"; readonly of: readonly [Part, Part] };

export type ScalarType = "string" | "number" | "integer" | "boolean" | "null";

export interface TuplePart {
  readonly kind: "tuple";
  readonly prefix: readonly { readonly shape: Shape; readonly optional: boolean }[];
  /** Shape of further items; `never` if none are allowed. */
  readonly rest: Shape;
}

export type ListPart = TuplePart | Extract<Part, { kind: "array" }>;

export function isList(part: Part): part is ListPart {
  return part.kind === "array" || part.kind === "tuple";
}

export interface ObjectPart {
  readonly kind: "object";
  readonly properties: readonly Property[];
  /** Shape of other properties; `never` if none are allowed. */
  readonly rest: Shape;
  /**
   * True if the schema explicitly allows other properties. Absent if it merely doesn't forbid them.
   */
  readonly statesOthers?: true;
  readonly title?: string;
}

export interface Property {
  readonly name: string;
  readonly shape: Shape;
  readonly required: boolean;
  readonly description?: string;
  /** Value that is filled in for a missing one. Other schemas haven't checked it. */
  readonly filled?: JsonValue;
  /** The default that the author wrote. */
  readonly default?: JsonValue;
  /** Pointer of the schema behind the shape, if there is one. */
  readonly pointer?: string;
}

export const unknown: Shape = { kind: "unknown" };
export const never: Shape = { kind: "union", of: [] };

export function isNever(shape: Shape): boolean {
  return shape.kind === "union" && shape.of.length === 0;
}

export function only(part: Part): Shape {
  return { kind: "union", of: [part] };
}

/** Union of shapes, without repeated parts. */
export function union(shapes: readonly Shape[]): Shape {
  const [first] = shapes;
  if (first !== undefined && shapes.length === 1 && hasOnePart(first)) return first;
  const parts = new Map<string, Part>();
  for (const shape of shapes) {
    if (shape.kind === "unknown") return unknown;
    for (const part of shape.of) {
      const key = partKey(part);
      if (!parts.has(key)) parts.set(key, part);
    }
  }
  return { kind: "union", of: [...parts.values()].filter((part) => !isCovered(part, parts)) };
}

function hasOnePart(shape: Shape): boolean {
  return shape.kind === "union" && shape.of.length === 1;
}

/** Key of a part, which is equal for parts that print alike. */
function partKey(part: Part): string {
  return JSON.stringify(part, (name, value: unknown) =>
    annotations.has(name) && typeof value === "string" ? undefined : value,
  );
}

/** Properties that tell the origin of a part, and don't change its meaning. */
const annotations: ReadonlySet<string> = new Set(["pointer", "description", "title"]);

function isCovered(part: Part, parts: ReadonlyMap<string, Part>): boolean {
  const has = (type: ScalarType) => parts.has(partKey({ kind: "scalar", type }));
  if (part.kind === "scalar")
    return (part.type === "integer" && has("number")) || (part.isInt64 === true && has("string"));
  if (part.kind !== "literal") return false;
  if (typeof part.value === "number")
    return has("number") || (has("integer") && Number.isInteger(part.value));
  return has(typeof part.value === "string" ? "string" : "boolean");
}

/** Shape of exactly one value. */
export function shapeOfValue(value: JsonValue): Shape {
  if (value === null) return only({ kind: "scalar", type: "null" });
  if (typeof value !== "object") return only({ kind: "literal", value });
  if (Array.isArray(value)) {
    const prefix = value.map((each: JsonValue) => ({ shape: shapeOfValue(each), optional: false }));
    return only({ kind: "tuple", prefix, rest: never });
  }
  const properties = Object.entries(value).map(([name, each]) => ({
    name,
    shape: shapeOfValue(each),
    required: true,
  }));
  return only({ kind: "object", properties, rest: never });
}

export const anyObject: ObjectPart = { kind: "object", properties: [], rest: unknown };
export const anyArray: Part = { kind: "array", items: unknown };

/** All kinds of values, for schemas with keywords for one kind only. */
export const everyKind: readonly Part[] = [
  { kind: "scalar", type: "string" },
  { kind: "scalar", type: "number" },
  { kind: "scalar", type: "boolean" },
  { kind: "scalar", type: "null" },
  anyArray,
  anyObject,
];

const known = new WeakMap<Part, number>();

/** Number of parts and properties of a shape, including nested ones. A reference counts once. */
export function weightOf(shape: Shape): number {
  if (shape.kind === "unknown") return 1;
  return shape.of.reduce((sum, part) => sum + weightOfPart(part), 0);
}

function weightOfPart(part: Part): number {
  const before = known.get(part);
  if (before !== undefined) return before;
  const inner = shapesIn(part);
  const weight = inner.reduce((sum, shape) => sum + weightOf(shape), 1 + inner.length);
  known.set(part, weight);
  return weight;
}

function shapesIn(part: Part): readonly Shape[] {
  switch (part.kind) {
    case "object":
      return [...part.properties.map(({ shape }) => shape), part.rest];
    case "tuple":
      return [...part.prefix.map(({ shape }) => shape), part.rest];
    case "array":
      return [part.items];
    case "both":
      return part.of.map((each): Shape => ({ kind: "union", of: [each] }));
    case "scalar":
    case "literal":
    case "ref":
      return [];
  }
}
