import type { Part, Shape } from "./shape.js";

const known = new WeakMap<Part, number>();

/** How many parts and properties a shape has, all the way down; references count once. */
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
