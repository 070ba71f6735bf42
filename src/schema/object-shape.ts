import { isJsonObject, type JsonObject } from "../core/json.js";
import { appliedDefaults } from "./default-sites.js";
import { defaultsAt, filledDefault } from "./defaults.js";
import { evaluatedNames } from "./evaluated-names.js";
import { requiredNames } from "./form.js";
import { below } from "./pointer.js";
import {
  childrenOf,
  type ChildSchema,
  schemaMapUnder,
  schemaUnder,
  type Subschema,
} from "./schema-tree.js";
import {
  isNever,
  never,
  type ObjectPart,
  only,
  type Part,
  type Property,
  type Shape,
  type Union,
  union,
  unknown,
} from "./shape.js";
import type { ShapeReader } from "./shape-reader.js";

/** Keywords that say something about objects. */
export const objectKeywords = [
  "properties",
  "required",
  "additionalProperties",
  "patternProperties",
];

/** The objects that a schema's own keywords allow. */
export function objectShape(at: Subschema, schema: JsonObject, reader: ShapeReader): Shape {
  const required = new Set(requiredNames(reader.root, schema, at.pointer, reader.form));
  const declared = childrenOf(at, reader.root)
    .filter((child) => child.keyword === "properties")
    .map((child) => propertyOf(child, at, required.has(child.key ?? ""), reader));
  const others = othersOf(at, schema, reader);
  const unnamed = [...required]
    .filter((name) => !declared.some((each) => each.name === name))
    .map((name): Property => ({ name, shape: others.rest, required: true }));
  const properties = [...declared, ...unnamed];
  if (properties.some((each) => each.required && isNever(each.shape))) return never;
  const title = typeof schema["title"] === "string" ? schema["title"] : undefined;
  return only({
    kind: "object",
    properties,
    ...others,
    ...(title === undefined ? {} : { title }),
  });
}

function propertyOf(
  child: ChildSchema,
  parent: Subschema,
  required: boolean,
  reader: ShapeReader,
): Property {
  const name = child.key ?? "";
  const description = isJsonObject(child.schema) ? child.schema["description"] : undefined;
  const value =
    reader.form === "stated"
      ? undefined
      : appliedDefaults(reader.root).byObject.get(parent.pointer)?.get(name);
  const filled =
    value === undefined || reader.form === "input"
      ? undefined
      : filledDefault(value, defaultsAt([child], reader.root));
  return {
    name,
    shape: reader.shapeOf(child),
    required,
    pointer: child.pointer,
    ...(typeof description === "string" ? { description } : {}),
    ...(value === undefined ? {} : { default: value }),
    ...(filled === undefined ? {} : { filled }),
  };
}

/** What properties hold that are not declared by name, and whether the schema says that there may be some. */
function othersOf(
  { pointer }: Subschema,
  object: JsonObject,
  reader: ShapeReader,
): Pick<ObjectPart, "rest" | "statesOthers"> {
  const schema = schemaUnder(object, "additionalProperties");
  const additional =
    schema === undefined
      ? undefined
      : reader.shapeOf({ schema, pointer: below(pointer, "additionalProperties") });
  const patterns = schemaMapUnder(object, "patternProperties").map(([name, each]) =>
    reader.shapeOf({ schema: each, pointer: below(pointer, "patternProperties", name) }),
  );
  const isStated = [additional ?? never, ...patterns].some((shape) => !isNever(shape));
  return {
    rest: union([additional ?? unknown, ...patterns]),
    ...(isStated ? { statesOthers: true } : {}),
  };
}

/** What `unevaluatedProperties` makes of objects: it opens them in so many words, or closes them. */
export function withUnevaluated(shape: Shape, at: Subschema, reader: ShapeReader): Shape {
  if (shape.kind === "unknown" || !isJsonObject(at.schema)) return shape;
  const schema = schemaUnder(at.schema, "unevaluatedProperties");
  if (schema === undefined) return shape;
  if (schema === false) return closed(shape, at, reader);
  const opened = (object: ObjectPart): ObjectPart =>
    isNever(object.rest) ? object : { ...object, statesOthers: true };
  return { kind: "union", of: shape.of.flatMap((part) => ofObject(part, opened, reader) ?? []) };
}

/** `unevaluatedProperties: false` closes objects, with every name that some schema in place may have allowed. */
function closed(shape: Union, at: Subschema, reader: ShapeReader): Shape {
  const names = evaluatedNames(at, reader.root);
  if (names === undefined) return shape;
  const close = (object: ObjectPart) => closedObject(object, names);
  return { kind: "union", of: shape.of.flatMap((part) => ofObject(part, close, reader) ?? []) };
}

/** Applies to an object, behind a reference too where there is nothing else behind it; other parts stay. */
function ofObject(
  part: Part,
  change: (object: ObjectPart) => ObjectPart | undefined,
  reader: ShapeReader,
): Part | undefined {
  if (part.kind === "object") return change(part);
  if (part.kind !== "ref") return part;
  const expanded = reader.context.expand(part.to);
  const single =
    expanded?.kind === "union" && expanded.of.length === 1 ? expanded.of[0] : undefined;
  return single?.kind === "object" ? change(single) : part;
}

function closedObject(part: ObjectPart, names: ReadonlySet<string>): ObjectPart | undefined {
  const allowed = part.properties.filter(
    (each) => names.has(each.name) || each.filled !== undefined,
  );
  if (part.properties.some((each) => each.required && !allowed.includes(each))) return undefined;
  const added = [...names].filter((name) => !part.properties.some((each) => each.name === name));
  const others = added.map((name): Property => ({ name, shape: part.rest, required: false }));
  const { statesOthers: _, ...silent } = part;
  return { ...silent, properties: [...allowed, ...others], rest: never };
}
