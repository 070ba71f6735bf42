import type { JsonSchema, JsonValue } from "../core/json.js";
import type { SchemaModel } from "../core/skill-model.js";
import type { SchemaForm } from "./form.js";
import type { JsonType } from "./keywords.js";
import { type Shapes, shapesOf } from "./shape-of-schema.js";
import { everyKind, only, type Part, type Property, type Shape, union, unknown } from "./shape.js";

export type { JsonType } from "./keywords.js";

/** Facts about the value at a path. */
export interface ValueFacts {
  /** `never`: the schema leaves no room for it. */
  readonly presence: "always" | "sometimes" | "never";
  /**
   * Possible types. `integer` only if no other number is allowed; all types if nothing is known.
   */
  readonly types: readonly JsonType[];
  /** False if the schema is open and doesn't mention the path. */
  readonly known: boolean;
  /** All values, if the schema lists scalars only. */
  readonly enum?: readonly JsonValue[];
  /** Pointer of the only schema that describes the value, in the normalized document. */
  readonly schema?: string;
}

/**
 * Returns facts about the value at a path of own properties and list indices. Follows `$ref`,
 * `allOf`, `anyOf`, `oneOf` and conditions. If a closed object lacks a name, its presence is
 * `never`. If an open object doesn't declare a name, it is not `known`.
 */
export function lookUp(
  { schema }: SchemaModel,
  path: readonly (string | number)[],
  form: SchemaForm = "filled",
): ValueFacts {
  const shapes = shapesOf(schema, form);
  return factsOf(find(shapes, path), schema, shapes);
}

/** The shape at a path, and the pointer of the only schema that describes it. */
export function shapeAt(
  { schema }: SchemaModel,
  path: readonly (string | number)[],
  form: SchemaForm,
): { readonly shape: Shape; readonly pointer: string | undefined } {
  return find(shapesOf(schema, form), path);
}

/** Checks if the value is a list with one schema for all items, apart from null. */
export function hasLikeItems(
  { schema }: SchemaModel,
  path: readonly (string | number)[],
  form: SchemaForm,
): boolean {
  const shapes = shapesOf(schema, form);
  const parts = shapeParts(find(shapes, path).shape, shapes).filter((part) => !isNull(part));
  return parts.length > 0 && parts.every((part) => part.kind === "array");
}

function find(shapes: Shapes, path: readonly (string | number)[]): PlaceFacts {
  const start: PlaceFacts = {
    shape: shapes.root,
    presence: "always",
    known: shapes.root.kind !== "unknown",
    pointer: "",
  };
  return path.reduce<PlaceFacts>((found, step) => stepInto(found, step, shapes), start);
}

/**
 * Paths of the items of a list: one for each place of a tuple, and one that stands for all further
 * items.
 */
export function itemPaths(
  { schema }: SchemaModel,
  path: readonly (string | number)[],
  form: SchemaForm = "filled",
): readonly (readonly (string | number)[])[] {
  const shapes = shapesOf(schema, form);
  const lengths = shapeParts(find(shapes, path).shape, shapes).map((part) =>
    part.kind === "tuple" ? part.prefix.length : 0,
  );
  return Array.from({ length: Math.max(0, ...lengths) + 1 }, (_, index) => [...path, index]);
}

/** The property names that the schema declares for the object at a path, in the author's order. */
export function propertyNames(
  { schema }: SchemaModel,
  path: readonly (string | number)[],
  form: SchemaForm = "filled",
): readonly string[] {
  const shapes = shapesOf(schema, form);
  const { shape } = find(shapes, path);
  const known = knownNames.get(shapes) ?? new Map<Shape, readonly string[]>();
  knownNames.set(shapes, known);
  const names = known.get(shape) ?? namesOf(shape, shapes);
  known.set(shape, names);
  return names;
}

/** Cached by document, because each reference of a binding looks up names. */
const knownNames = new WeakMap<Shapes, Map<Shape, readonly string[]>>();

function namesOf(shape: Shape, shapes: Shapes): readonly string[] {
  const names = shapeParts(shape, shapes).flatMap((part) =>
    part.kind === "object" ? part.properties.map((each) => each.name) : [],
  );
  return [...new Set(names)];
}

/**
 * Checks if the schema explicitly allows properties that it doesn't name, of the object at a path.
 */
export function statesOthers(
  { schema }: SchemaModel,
  form: SchemaForm = "filled",
  path: readonly (string | number)[] = [],
): boolean {
  const shapes = shapesOf(schema, form);
  return shapeParts(find(shapes, path).shape, shapes).some(
    (part) => part.kind === "object" && part.statesOthers,
  );
}

interface PlaceFacts {
  readonly shape: Shape;
  readonly presence: ValueFacts["presence"];
  readonly known: boolean;
  readonly pointer: string | undefined;
}

const absent: PlaceFacts = {
  shape: { kind: "union", of: [] },
  presence: "never",
  known: true,
  pointer: undefined,
};
const undeclaredPlace: PlaceFacts = {
  shape: unknown,
  presence: "sometimes",
  known: false,
  pointer: undefined,
};

function stepInto(from: PlaceFacts, step: string | number, shapes: Shapes): PlaceFacts {
  if (from.presence === "never") return absent;
  if (from.shape.kind === "unknown") return undeclaredPlace;
  const found = shapeParts(from.shape, shapes).map((part) => stepIntoPart(part, step, shapes));
  const present = found.filter((each) => each.presence !== "never");
  const [first] = present;
  if (first === undefined) return absent;
  const always = from.presence === "always" && found.every((each) => each.presence === "always");
  return {
    shape: union(present.map((each) => each.shape)),
    presence: always ? "always" : "sometimes",
    known: present.every((each) => each.known),
    pointer: present.every((each) => each.pointer === first.pointer) ? first.pointer : undefined,
  };
}

function stepIntoPart(part: Part, step: string | number, shapes: Shapes): PlaceFacts {
  if (part.kind === "both")
    return intersected(
      part.of.map((each) =>
        stepInto({ ...undeclaredPlace, presence: "always", shape: only(each) }, step, shapes),
      ),
    );
  if (part.kind === "object")
    return typeof step === "string" ? propertyAt(part.properties, part.rest, step) : absent;
  if (typeof step !== "number" || step < 0) return absent;
  if (part.kind === "array") return others(part.items, part.pointer);
  if (part.kind !== "tuple") return absent;
  const element = part.prefix[step];
  if (element === undefined) return others(part.rest, undefined);
  return {
    shape: element.shape,
    presence: element.optional ? "sometimes" : "always",
    known: true,
    pointer: undefined,
  };
}

/**
 * Combines facts from two schemas of a recursion that both apply. A value excluded by one is
 * excluded, and the first known facts count.
 */
function intersected(found: readonly PlaceFacts[]): PlaceFacts {
  if (found.some((each) => each.presence === "never")) return absent;
  const known = found.find((each) => each.known) ?? undeclaredPlace;
  const always = found.some((each) => each.presence === "always");
  return { ...known, presence: always ? "always" : "sometimes", pointer: undefined };
}

function propertyAt(properties: readonly Property[], rest: Shape, name: string): PlaceFacts {
  const found = properties.find((each) => each.name === name);
  if (found === undefined) return others(rest, undefined);
  if (found.shape.kind === "union" && found.shape.of.length === 0) return absent;
  return {
    shape: found.shape,
    presence: found.required ? "always" : "sometimes",
    known: true,
    pointer: found.pointer,
  };
}

function others(shape: Shape, pointer: string | undefined): PlaceFacts {
  if (shape.kind === "unknown") return undeclaredPlace;
  return shape.of.length === 0 ? absent : { shape, presence: "sometimes", known: true, pointer };
}

/** The parts of a shape, without repeats and with references resolved. */
export function shapeParts(
  shape: Shape,
  shapes: Shapes,
  followed: Set<string> = new Set(),
): readonly Part[] {
  if (shape.kind === "unknown") return everyKind;
  return shape.of.flatMap((part) => {
    if (part.kind !== "ref") return [part];
    if (followed.has(part.to)) return [];
    followed.add(part.to);
    return shapeParts(shapes.expand(part.to) ?? unknown, shapes, followed);
  });
}

function factsOf(found: PlaceFacts, root: JsonSchema, shapes: Shapes): ValueFacts {
  const parts = shapeParts(found.shape, shapes);
  const isListed =
    parts.length > 0 &&
    parts.every((part) => part.kind === "literal" || isNull(part)) &&
    parts.some((part) => part.kind === "literal");
  return {
    presence: found.presence,
    types: typesOf(parts),
    known: found.known,
    ...(isListed
      ? { enum: parts.map((part) => (part.kind === "literal" ? part.value : null)) }
      : {}),
    ...(found.pointer === undefined || typeof root === "boolean" ? {} : { schema: found.pointer }),
  };
}

function isNull(part: Part): boolean {
  return part.kind === "scalar" && part.type === "null";
}

/** JSON types of the parts; `integer` only if no other number is possible. */
export function typesOf(parts: readonly Part[]): readonly JsonType[] {
  const types = new Set(parts.flatMap(typesOfPart));
  if (types.has("number")) types.delete("integer");
  return [...types];
}

function typesOfPart(part: Part): readonly JsonType[] {
  switch (part.kind) {
    case "scalar":
      return [part.type];
    case "literal":
      if (typeof part.value === "number")
        return [Number.isInteger(part.value) ? "integer" : "number"];
      return [typeof part.value === "string" ? "string" : "boolean"];
    case "object":
      return ["object"];
    case "array":
    case "tuple":
      return ["array"];
    case "both":
      return typesOfPart(part.of[0]);
    case "ref":
      return ["object"];
  }
}
