import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../core/json.js";
import type { SchemaForm } from "./form.js";
import { intersect, type IntersectContext, withoutKinds } from "./intersect-shapes.js";
import { listKeywords, listShape } from "./list-shape.js";
import { objectKeywords, objectShape, withUnevaluated } from "./object-shape.js";
import {
  childrenOf,
  type ChildSchema,
  type Subschema,
  targetOf,
  textsUnder,
} from "./schema-tree.js";
import {
  anyArray,
  anyObject,
  everyKind,
  never,
  only,
  type Part,
  type Shape,
  shapeOfValue,
  union,
  unknown,
} from "./shape.js";
import type { ShapeReader } from "./shape-reader.js";

/** Shapes of one document in one form. */
export interface Shapes {
  /** The root's shape. */
  readonly root: Shape;
  /** The shape behind a reference; undefined while it is being worked out. */
  expand(pointer: string): Shape | undefined;
  /** The shape of one schema of the document. */
  at(schema: Subschema): Shape;
  readonly context: IntersectContext;
}

/** Parts that may be combined over a whole document before shapes are left wider than they could be. */
const combinations = 100_000;

const computed = new WeakMap<object, Map<SchemaForm, Shapes>>();

/** What TypeScript can say of the values that the document accepts in that form. */
export function shapesOf(root: JsonSchema, form: SchemaForm): Shapes {
  if (typeof root === "boolean") return computeShapes(root, form);
  const forms = computed.get(root) ?? new Map<SchemaForm, Shapes>();
  const shapes = forms.get(form) ?? computeShapes(root, form);
  computed.set(root, forms.set(form, shapes));
  return shapes;
}

function computeShapes(root: JsonSchema, form: SchemaForm): Shapes {
  const known = new Map<string, Shape | "open">();
  const expand = (pointer: string): Shape | undefined => {
    const before = known.get(pointer);
    if (before !== undefined) return before === "open" ? undefined : before;
    known.set(pointer, "open");
    const name = pointer.slice("/$defs/".length);
    const shape = shapeOf(targetOf(root, pointer === "" ? "#" : `#/$defs/${name}`), reader);
    known.set(pointer, shape);
    return shape;
  };
  const context: IntersectContext = { expand, open: new Set(), budget: { left: combinations } };
  const reader: ShapeReader = { root, form, context, shapeOf: (at) => shapeOf(at, reader) };
  return { root: expand("") ?? unknown, expand, at: reader.shapeOf, context };
}

function shapeOf(at: Subschema, reader: ShapeReader): Shape {
  const { schema } = at;
  if (typeof schema === "boolean") return schema ? unknown : never;
  const all = [
    ownShape(at, schema, reader),
    ...valueShapes(schema),
    ...applied(at, schema, reader),
  ];
  const met = all.reduce((shape, each) => intersect(shape, each, reader.context), unknown);
  return withUnevaluated(withoutExcluded(met, schema), at, reader);
}

/** What `type` and the keywords for one type say. */
function ownShape(at: Subschema, schema: JsonObject, reader: ShapeReader): Shape {
  const names = typeof schema["type"] === "string" ? [schema["type"]] : textsUnder(schema, "type");
  const saysMore = [...objectKeywords, ...listKeywords].some(
    (keyword) => schema[keyword] !== undefined,
  );
  if (names.length === 0 && !saysMore) return unknown;
  const kinds = names.length > 0 ? names.flatMap(partsOf) : everyKind;
  return union(
    kinds.map((part) => {
      if (part.kind === "object") return objectShape(at, schema, reader);
      return part.kind === "array" ? listShape(at, schema, reader) : only(part);
    }),
  );
}

function partsOf(type: string): readonly Part[] {
  if (type === "object") return [anyObject];
  if (type === "array") return [anyArray];
  // The metaschema leaves no other names.
  return [{ kind: "scalar", type: type as "string" }];
}

function valueShapes(schema: JsonObject): readonly Shape[] {
  const values: readonly JsonValue[] = Array.isArray(schema["enum"]) ? schema["enum"] : [];
  return [
    ...(schema["enum"] === undefined ? [] : [union(values.map(shapeOfValue))]),
    ...(schema["const"] === undefined ? [] : [shapeOfValue(schema["const"])]),
  ];
}

/** What the schemas say that apply to the same value. */
function applied(at: Subschema, schema: JsonObject, reader: ShapeReader): readonly Shape[] {
  const children = childrenOf(at, reader.root);
  const of = (keyword: string) => children.filter((child) => child.keyword === keyword);
  const either = (keyword: string) =>
    schema[keyword] === undefined
      ? []
      : [union(of(keyword).map((child) => shapeOf(child, reader)))];
  return [
    ...of("$ref").map((child) => only({ kind: "ref", to: child.pointer })),
    ...of("allOf").map((child) => shapeOf(child, reader)),
    ...either("anyOf"),
    ...either("oneOf"),
    ...conditional(children, reader),
  ];
}

function conditional(children: readonly ChildSchema[], reader: ShapeReader): readonly Shape[] {
  const shapeUnder = (keyword: string) => {
    const child = children.find((each) => each.keyword === keyword);
    return child === undefined ? unknown : shapeOf(child, reader);
  };
  if (!children.some((each) => each.keyword === "if")) return [];
  const otherwise = shapeUnder("else");
  if (otherwise.kind === "unknown") return [];
  return [union([intersect(shapeUnder("if"), shapeUnder("then"), reader.context), otherwise])];
}

/** Of `not`, TypeScript can say that whole types are excluded. */
function withoutExcluded(shape: Shape, { not }: JsonObject): Shape {
  if (not === true) return never;
  if (!isJsonObject(not)) return shape;
  const keywords = Object.keys(not);
  if (keywords.length === 0) return never;
  const names = typeof not["type"] === "string" ? [not["type"]] : textsUnder(not, "type");
  if (keywords.length > 1 || names.length === 0) return shape;
  return withoutKinds(shape, new Set(names.includes("number") ? [...names, "integer"] : names));
}
