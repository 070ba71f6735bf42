import type { SchemaModel } from "../core/skill-model.js";
import type { SchemaForm } from "./form.js";
import type { JsonType } from "./keywords.js";
import { shapeParts, typesOf } from "./look-up.js";
import { type Shapes, shapesOf } from "./shape-of-schema.js";
import { isNever, type Part, type Shape, union, unknown } from "./shape.js";
import { printedRest } from "./printed-shape.js";

/** Facts about all values along a path. */
export interface PathFacts {
  /**
   * `declared`: the printed type has the path. `open`: it doesn't, but the schema allows it.
   * `never`: the schema forbids it.
   */
  readonly presence: "declared" | "open" | "never";
  /** Possible types of the values; all types if nothing is known. */
  readonly types: readonly JsonType[];
  /** True if the last step leads to items of a list. */
  readonly isItem: boolean;
  /**
   * Set if the printed type ends early: the number of steps that exist, and the names that exist
   * there.
   */
  readonly missing?: { readonly after: number; readonly names: readonly string[] };
}

/**
 * Looks up a path of property names. `*` stands for every item of a list and every property of an
 * object. A list index is not a step.
 */
export function lookAlong(
  { schema }: SchemaModel,
  path: readonly string[],
  form: SchemaForm,
): PathFacts {
  const shapes = shapesOf(schema, form);
  let [typed, possible]: [Shape, Shape] = [shapes.root, shapes.root];
  let missing: PathFacts["missing"];
  let isItem = false;
  for (const [after, step] of path.entries()) {
    const parts = shapeParts(typed, shapes);
    isItem = parts.some(({ kind }) => kind === "array" || kind === "tuple");
    const next = stepAlong(typed, step, shapes, printedRest);
    if (isNever(next)) missing ??= { after, names: namesOf(parts) };
    typed = next;
    possible = stepAlong(possible, step, shapes, ({ rest }) => rest);
  }
  const presence = missing === undefined ? "declared" : isNever(possible) ? "never" : "open";
  const types = typesOf(shapeParts(presence === "open" ? possible : typed, shapes));
  return { presence, types, isItem, ...(missing && { missing }) };
}

type ObjectOf = Extract<Part, { kind: "object" }>;

function stepAlong(
  shape: Shape,
  step: string,
  shapes: Shapes,
  restOf: (part: ObjectOf) => Shape,
): Shape {
  if (shape.kind === "unknown") return unknown;
  return union(shapeParts(shape, shapes).flatMap((part) => stepInto(part, step, restOf)));
}

function stepInto(part: Part, step: string, restOf: (part: ObjectOf) => Shape): readonly Shape[] {
  switch (part.kind) {
    case "object": {
      const { properties } = part;
      if (step === "*") return [...properties.map(({ shape }) => shape), restOf(part)];
      return [properties.find(({ name }) => name === step)?.shape ?? restOf(part)];
    }
    case "array":
      return step === "*" ? [part.items] : [];
    case "tuple":
      return step === "*" ? [...part.prefix.map(({ shape }) => shape), part.rest] : [];
    case "both":
      return part.of.flatMap((each) => stepInto(each, step, restOf));
    case "scalar":
    case "literal":
    case "ref":
      return [];
  }
}

function namesOf(parts: readonly Part[]): readonly string[] {
  const names = parts.flatMap((part) => {
    if (part.kind === "object") return part.properties.map(({ name }) => name);
    return part.kind === "array" || part.kind === "tuple" ? ["*"] : [];
  });
  return [...new Set(names)];
}
