/** Shapes of values that the runtime changes before callers get them. */
import type { Shapes } from "./shape-of-schema.js";
import { type ObjectPart, only, type Part, type Shape, union, unknown } from "./shape.js";

/** A change of the values at a place, as `ObligationKind` of the runtime describes it. */
export interface ValueChange {
  /** Path of property names; `*` stands for every item of a list or property of an object. */
  readonly at: readonly string[];
  readonly leaves: "text" | "text-or-null" | "texts-inside" | "nothing";
  /** True if some callers get the value unchanged. */
  readonly isConditional: boolean;
}

const text: Shape = only({ kind: "scalar", type: "string" });
const nullShape: Shape = only({ kind: "scalar", type: "null" });

/** The shape of the values after the change. It may be wider than necessary. */
export function obligedShape(shape: Shape, change: ValueChange, shapes: Shapes): Shape {
  return along(shape, change.at, { ...change, shapes });
}

interface Walk extends ValueChange {
  readonly shapes: Shapes;
}

function along(shape: Shape, path: readonly string[], walk: Walk): Shape {
  const [step, ...rest] = path;
  if (shape.kind === "unknown") return unknown;
  if (step === undefined) {
    const changed = changedShape(shape, walk);
    return walk.isConditional ? union([shape, changed]) : changed;
  }
  return union(shape.of.map((part) => intoPart(part, step, rest, walk)));
}

function changedShape(shape: Shape, { leaves, shapes }: Walk): Shape {
  if (leaves === "texts-inside") return withOtherTexts(shape, shapes, new Set());
  return leaves === "text-or-null" ? union([text, nullShape]) : text;
}

function intoPart(part: Part, step: string, rest: readonly string[], walk: Walk): Shape {
  const path = [step, ...rest];
  const below = (shape: Shape) => along(shape, rest, walk);
  const isRemoved = walk.leaves === "nothing" && rest.length === 0;
  switch (part.kind) {
    case "ref":
      return along(expanded(part.to, walk.shapes), path, walk);
    case "both":
      return along(only(part.of[0]), path, walk);
    case "object":
      return only(isRemoved ? withoutRequired(part, step) : objectAlong(part, step, below));
    case "array":
      if (step !== "*" || isRemoved) return only(part);
      return only({ ...part, items: below(part.items) });
    case "tuple": {
      if (step !== "*") return only(part);
      const { prefix, rest: others } = part;
      // Items are removed together, so no item is certain.
      const items = union([...prefix.map(({ shape }) => shape), others]);
      if (isRemoved) return only({ kind: "array", items });
      const changed = prefix.map((each) => ({ ...each, shape: below(each.shape) }));
      return only({ ...part, prefix: changed, rest: below(others) });
    }
    default:
      return only(part);
  }
}

function withoutRequired(part: ObjectPart, step: string): ObjectPart {
  const properties = part.properties.map((each) =>
    step === "*" || step === each.name ? { ...each, required: false } : each,
  );
  return { ...part, properties };
}

function objectAlong(part: ObjectPart, step: string, below: (shape: Shape) => Shape): ObjectPart {
  const { rest } = part;
  const properties = part.properties.map((each) =>
    step === "*" || step === each.name ? { ...each, shape: below(each.shape) } : each,
  );
  if (step === "*") return { ...part, properties, rest: below(rest) };
  const isDeclared = part.properties.some(({ name }) => name === step);
  return { ...part, properties, rest: isDeclared ? rest : union([rest, below(rest)]) };
}

/** @param open references on the way, which would lead in a circle */
function withOtherTexts(shape: Shape, shapes: Shapes, open: ReadonlySet<string>): Shape {
  if (shape.kind === "unknown") return unknown;
  const inside = (each: Shape) => withOtherTexts(each, shapes, open);
  return union(
    shape.of.map((part): Shape => {
      switch (part.kind) {
        case "scalar":
          return part.type === "string" ? text : only(part);
        case "literal":
          return typeof part.value === "string" ? text : only(part);
        case "array":
          return only({ ...part, items: inside(part.items) });
        case "tuple":
          return only({
            ...part,
            prefix: part.prefix.map((each) => ({ ...each, shape: inside(each.shape) })),
            rest: inside(part.rest),
          });
        case "object":
          return only({
            ...part,
            properties: part.properties.map((each) => ({ ...each, shape: inside(each.shape) })),
            rest: inside(part.rest),
          });
        case "both":
          return inside(only(part.of[0]));
        case "ref":
          if (open.has(part.to)) return unknown;
          return withOtherTexts(expanded(part.to, shapes), shapes, new Set([...open, part.to]));
      }
    }),
  );
}

function expanded(pointer: string, shapes: Shapes): Shape {
  return shapes.expand(pointer) ?? unknown;
}
