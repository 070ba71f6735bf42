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
  union,
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
  const rest = restShape(at, schema, reader);
  const others = [...required]
    .filter((name) => !declared.some((each) => each.name === name))
    .map((name): Property => ({ name, shape: rest, required: true }));
  const properties = [...declared, ...others];
  if (properties.some((each) => each.required && isNever(each.shape))) return never;
  const title = typeof schema["title"] === "string" ? schema["title"] : undefined;
  return only({ kind: "object", properties, rest, ...(title === undefined ? {} : { title }) });
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

/** What properties hold that are not declared by name. */
function restShape(at: Subschema, schema: JsonObject, reader: ShapeReader): Shape {
  const patterns = schemaMapUnder(schema, "patternProperties").map(([name, each]) =>
    reader.shapeOf({ schema: each, pointer: below(at.pointer, "patternProperties", name) }),
  );
  const additional = schemaUnder(schema, "additionalProperties") ?? true;
  return union([
    reader.shapeOf({ schema: additional, pointer: below(at.pointer, "additionalProperties") }),
    ...patterns,
  ]);
}

/** `unevaluatedProperties: false` closes objects, with every name that some schema in place may have allowed. */
export function closed(shape: Shape, at: Subschema, reader: ShapeReader): Shape {
  if (
    shape.kind === "unknown" ||
    !isJsonObject(at.schema) ||
    at.schema["unevaluatedProperties"] !== false
  )
    return shape;
  const names = evaluatedNames(at, reader.root);
  if (names === undefined) return shape;
  return { kind: "union", of: shape.of.flatMap((part) => closedPart(part, names, reader) ?? []) };
}

function closedPart(part: Part, names: ReadonlySet<string>, reader: ShapeReader): Part | undefined {
  if (part.kind === "ref") {
    const expanded = reader.context.expand(part.to);
    const single =
      expanded?.kind === "union" && expanded.of.length === 1 ? expanded.of[0] : undefined;
    return single?.kind === "object" ? closedPart(single, names, reader) : part;
  }
  if (part.kind !== "object") return part;
  return closedObject(part, names);
}

function closedObject(part: ObjectPart, names: ReadonlySet<string>): ObjectPart | undefined {
  const allowed = part.properties.filter(
    (each) => names.has(each.name) || each.filled !== undefined,
  );
  if (part.properties.some((each) => each.required && !allowed.includes(each))) return undefined;
  const added = [...names].filter((name) => !part.properties.some((each) => each.name === name));
  const others = added.map((name): Property => ({ name, shape: part.rest, required: false }));
  return { ...part, properties: [...allowed, ...others], rest: never };
}
