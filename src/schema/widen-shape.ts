import {
  type ObjectPart,
  only,
  type Part,
  type Property,
  type Shape,
  type TuplePart,
  union,
  unknown,
} from "./shape.js";

type ListPart = TuplePart | Extract<Part, { kind: "array" }>;

/**
 * The shape with at most one kind of object and one of list: what its objects have in common, and its lists. Never fewer values.
 *
 * @param expand the shape behind a reference; undefined where that is not known yet
 */
export function widened(shape: Shape, expand: (pointer: string) => Shape | undefined): Shape {
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

/** The parts with references followed; undefined when a part is not known. */
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
    // Each side of an intersection holds all that it does.
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
