import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../core/json.js";
import { fillsDefaults, isReadOnly, isSent, requiredNames, type SchemaForm } from "./form.js";
import { intersect, type IntersectContext, withoutKinds } from "./intersect-shapes.js";
import {
  childrenOf,
  type ChildSchema,
  schemaMapUnder,
  schemasUnder,
  schemaUnder,
  type Subschema,
  targetOf,
  textsUnder,
} from "./schema-tree.js";
import {
  anyArray,
  anyObject,
  everyKind,
  isNever,
  never,
  type ObjectPart,
  only,
  type Part,
  type Property,
  type Shape,
  shapeOfValue,
  union,
  type Union,
  unknown,
} from "./shape.js";
import { appliedDefaults, defaultsAt, filledDefault } from "./defaults.js";
import { isInt64Text } from "./int64-text.js";
import { below } from "./pointer.js";

/** The shapes of one document in one form. */
export interface Shapes {
  /** The root's shape. */
  readonly root: Shape;
  /** Returns the shape behind a reference; undefined while it is being computed. */
  expand(pointer: string): Shape | undefined;
  /** The shape of one schema in the document. */
  at(schema: Subschema): Shape;
  readonly context: IntersectContext;
}

/** Maximum number of combined parts in a document. After that, shapes are wider than necessary. */
const combinations = 100_000;

const computed = new WeakMap<object, Map<SchemaForm, Shapes>>();

/** Computes the TypeScript shape of the values that the document accepts in the form. */
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

/** Shape from `type` and the keywords for single types. */
function ownShape(at: Subschema, schema: JsonObject, reader: ShapeReader): Shape {
  const names = typeof schema["type"] === "string" ? [schema["type"]] : textsUnder(schema, "type");
  const saysMore = [...objectKeywords, ...listKeywords].some(
    (keyword) => schema[keyword] !== undefined,
  );
  if (names.length === 0 && !saysMore) return unknown;
  const kinds = names.length > 0 ? names.flatMap((name) => typeParts(name, schema)) : everyKind;
  return union(
    kinds.map((part) => {
      if (part.kind === "object") return objectShape(at, schema, reader);
      return part.kind === "array" ? listShape(at, schema, reader) : only(part);
    }),
  );
}

function typeParts(type: string, schema: JsonObject): readonly Part[] {
  if (type === "object") return [anyObject];
  if (type === "array") return [anyArray];
  if (type === "string" && isInt64Text(schema)) return [{ kind: "scalar", type, isInt64: true }];
  // The metaschema allows no other names.
  return [{ kind: "scalar", type: type as "string" }];
}

function valueShapes(schema: JsonObject): readonly Shape[] {
  const values: readonly JsonValue[] = Array.isArray(schema["enum"]) ? schema["enum"] : [];
  return [
    ...(schema["enum"] === undefined ? [] : [union(values.map(shapeOfValue))]),
    ...(schema["const"] === undefined ? [] : [shapeOfValue(schema["const"])]),
  ];
}

/** Shapes of the schemas that apply to the same value. */
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

/** Removes the types that `not` excludes; TypeScript can't express more of `not`. */
function withoutExcluded(shape: Shape, { not }: JsonObject): Shape {
  if (not === true) return never;
  if (!isJsonObject(not)) return shape;
  const keywords = Object.keys(not);
  if (keywords.length === 0) return never;
  const names = typeof not["type"] === "string" ? [not["type"]] : textsUnder(not, "type");
  if (keywords.length > 1 || names.length === 0) return shape;
  return withoutKinds(shape, new Set(names.includes("number") ? [...names, "integer"] : names));
}

/** State of one walk over a document. */
interface ShapeReader {
  readonly root: JsonSchema;
  readonly form: SchemaForm;
  readonly context: IntersectContext;
  shapeOf(at: Subschema): Shape;
}

/** Keywords that apply to objects. */
const objectKeywords = ["properties", "required", "additionalProperties", "patternProperties"];

/** The objects that a schema's own keywords allow. */
function objectShape(at: Subschema, schema: JsonObject, reader: ShapeReader): Shape {
  const required = new Set(requiredNames(reader.root, schema, at.pointer, reader.form));
  const declared = childrenOf(at, reader.root)
    .filter((child) => child.keyword === "properties" && isPartOf(child, reader))
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

/** Checks if the property is sent. Properties that only the other side sets are not. */
function isPartOf({ schema }: ChildSchema, { form, root }: ShapeReader): boolean {
  return !isSent(form) || !isReadOnly(schema, root);
}

function propertyOf(
  child: ChildSchema,
  parent: Subschema,
  required: boolean,
  reader: ShapeReader,
): Property {
  const name = child.key ?? "";
  const description = isJsonObject(child.schema) ? child.schema["description"] : undefined;
  const value = fillsDefaults(reader.form)
    ? appliedDefaults(reader.root).byObject.get(parent.pointer)?.get(name)
    : undefined;
  const filled =
    value === undefined || reader.form !== "filled"
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

/** Shape of undeclared properties, and whether the schema mentions them explicitly. */
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

/** Applies `unevaluatedProperties` to objects: it opens them explicitly, or closes them. */
function withUnevaluated(shape: Shape, at: Subschema, reader: ShapeReader): Shape {
  if (shape.kind === "unknown" || !isJsonObject(at.schema)) return shape;
  const schema = schemaUnder(at.schema, "unevaluatedProperties");
  if (schema === undefined) return shape;
  if (schema === false) return closed(shape, at, reader);
  const opened = (object: ObjectPart): ObjectPart =>
    isNever(object.rest) ? object : { ...object, statesOthers: true };
  return { kind: "union", of: shape.of.flatMap((part) => ofObject(part, opened, reader) ?? []) };
}

/**
 * Closes objects for `unevaluatedProperties: false`. Allows every name that a schema for the same
 * value may allow.
 */
function closed(shape: Union, at: Subschema, reader: ShapeReader): Shape {
  const names = evaluatedNames(at, reader.root);
  if (names === undefined) return shape;
  const close = (object: ObjectPart) => closedObject(object, names);
  return { kind: "union", of: shape.of.flatMap((part) => ofObject(part, close, reader) ?? []) };
}

/** Changes an object, or a reference that leads to one object only; other parts stay. */
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

/** Keywords that apply to lists. */
const listKeywords = ["items", "prefixItems", "unevaluatedItems"];

/** Maximum length of a tuple. Longer ones become a list of all their item types. */
const longestTuple = 32;

/** The lists that a schema's own keywords allow. */
function listShape(at: Subschema, schema: JsonObject, reader: ShapeReader): Shape {
  const prefix = schemasUnder(schema, "prefixItems");
  const pointer = below(at.pointer, "items");
  const rest = reader.shapeOf({
    schema: schemaUnder(schema, "items") ?? restOfItems(schema),
    pointer,
  });
  if (prefix.length === 0) return only({ kind: "array", items: rest, pointer });
  const shapes = prefix.map((each, index) =>
    reader.shapeOf({ schema: each, pointer: below(at.pointer, "prefixItems", index) }),
  );
  if (shapes.length > longestTuple) return only({ kind: "array", items: union([...shapes, rest]) });
  const least = typeof schema["minItems"] === "number" ? schema["minItems"] : 0;
  const most = typeof schema["maxItems"] === "number" ? schema["maxItems"] : Infinity;
  const impossible = shapes.findIndex(isNever);
  const length = Math.min(shapes.length, most, impossible < 0 ? Infinity : impossible);
  if (length < Math.min(least, shapes.length)) return never;
  const elements = shapes
    .slice(0, length)
    .map((shape, index) => ({ shape, optional: index >= least }));
  return only({
    kind: "tuple",
    prefix: elements,
    rest: length < shapes.length || most <= length ? never : rest,
  });
}

/** `unevaluatedItems` closes a list only if no other keyword can have evaluated an item. */
function restOfItems(schema: JsonObject): JsonSchema {
  const others = ["$ref", "allOf", "anyOf", "oneOf", "if", "contains", "dependentSchemas", "not"];
  const isClosed =
    schema["unevaluatedItems"] === false && others.every((each) => schema[each] === undefined);
  return !isClosed;
}

/**
 * Property names that schemas for the same value may evaluate, and that `unevaluatedProperties`
 * therefore ignores. Undefined if a pattern, or a schema for all other names, is involved.
 */
function evaluatedNames(at: Subschema, root: JsonSchema): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  const seen = new Set<string>([at.pointer]);
  const waiting: Subschema[] = [at];
  for (const each of waiting) {
    const { schema } = each;
    if (!isJsonObject(schema)) continue;
    if (schema["patternProperties"] !== undefined || opensOthers(schema["additionalProperties"]))
      return undefined;
    if (each !== at && opensOthers(schema["unevaluatedProperties"])) return undefined;
    for (const [name] of schemaMapUnder(schema, "properties")) names.add(name);
    for (const child of childrenOf(each, root)) {
      if (!child.inPlace || seen.has(child.pointer)) continue;
      seen.add(child.pointer);
      waiting.push(child);
    }
  }
  return names;
}

function opensOthers(value: unknown): boolean {
  return value !== undefined && value !== false;
}
