import type { JSONSchema } from "json-schema-to-typescript";
import { isJsonObject } from "../core/json.js";
import type { SchemaModel } from "../core/skill-model.js";
import { pascalCase } from "./pascal-case.js";
import { sharedByName } from "./place-at.js";
import { printedRest, printedShape } from "./printed-shape.js";
import type { Shapes } from "./shape-of-schema.js";
import {
  isNever,
  type ObjectPart,
  only,
  type Part,
  type Property,
  type Shape,
  type TuplePart,
  unknown,
} from "./shape.js";
import { targetOf } from "./schema-tree.js";

export interface LayoutRequest {
  readonly name: string;
  readonly shapes: Shapes;
  readonly model: SchemaModel;
  /** Types of shared schemas in their own modules, by name in `$defs`. */
  readonly imports: ReadonlyMap<string, ImportedType>;
  /** Name of the schema in `$defs`, if it is a shared schema. */
  readonly itself: string | undefined;
}

/** A type of another module. */
export interface ImportedType {
  /** Specifier in the importing module: `./schemas/line.js`. */
  readonly module: string;
  readonly name: string;
}

/**
 * A JSON Schema made from shapes, from which json-schema-to-typescript prints types that reject no
 * valid value. The library assumes that `properties` implies an object and that a default implies a
 * type. It ignores `prefixItems`, `if` and `unevaluatedProperties`. So the layout states each type
 * explicitly: `type`, `enum`, `anyOf`, `allOf` of references, `properties`, `items`.
 *
 * All author text is replaced by tokens, which are plain identifiers, so that no name, key, value
 * or comment has a meaning to the library. Five types have no such schema and are written as
 * `tsType`: a tuple with optional elements, an empty object, an object of anything, a type of
 * another module, and a reference to a type of anything. The library would replace the union around
 * the last one with it.
 */
export interface Layout {
  readonly schema: JSONSchema;
  /** Author texts by token: `T3Z`, `K3Z`, `V3Z`, `D3Z` and `I3Z` stand for the entry at index 3. */
  readonly tokens: readonly Token[];
}

export type Token =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "key"; readonly name: string }
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  | { readonly kind: "doc"; readonly text: string }
  | { readonly kind: "import"; readonly type: ImportedType };

/**
 * Name of an interface with a property for each declaration, by which the library finds the
 * declarations.
 */
export const wrapper = "Declarations";

const letters = { name: "T", key: "K", literal: "V", doc: "D", import: "I" } as const;

export function layOut({ name, shapes, model, imports, itself }: LayoutRequest): Layout {
  const { schema: document } = model;
  const description = isJsonObject(document) ? textOrNone(document["description"]) : undefined;
  const writer: Writer = {
    root: name,
    shapes,
    model,
    imports,
    names: createTypeNames(name),
    tokens: [],
    declared: new Map(),
    definitions: {},
    waiting: [],
  };
  const rootToken = token({ kind: "name", name }, writer);
  writer.declared.set("", rootToken);
  if (itself !== undefined) writer.declared.set(`/$defs/${itself}`, rootToken);
  writer.definitions[rootToken] = {
    ...bodyOf(shapes.root, name, writer),
    ...documented(description, writer),
  };
  for (const next of writer.waiting) next();
  const { definitions, tokens } = writer;
  const properties = Object.fromEntries(
    Object.keys(definitions).map((name) => [name, referenceTo(name)]),
  );
  return {
    schema: {
      title: wrapper,
      type: "object",
      properties,
      additionalProperties: false,
      definitions,
    },
    tokens,
  };
}

interface Writer {
  readonly root: string;
  readonly shapes: Shapes;
  readonly model: SchemaModel;
  readonly imports: ReadonlyMap<string, ImportedType>;
  readonly names: TypeNames;
  readonly tokens: Token[];
  /** Names of declarations, by the pointer of their schema. */
  readonly declared: Map<string, string>;
  readonly definitions: Record<string, JSONSchema>;
  /** Lays out the waiting declarations after the schema that mentions them. */
  readonly waiting: (() => void)[];
}

function token(entry: Token, { tokens }: Writer): string {
  return `${letters[entry.kind]}${tokens.push(entry) - 1}Z`;
}

function declare(
  typeName: string,
  shape: () => Shape,
  doc: string | undefined,
  writer: Writer,
): string {
  const written = token({ kind: "name", name: typeName }, writer);
  // Delays the layout, because the declaration may mention itself.
  writer.waiting.push(() => {
    writer.definitions[written] = {
      ...bodyOf(shape(), typeName, writer),
      ...documented(doc, writer),
    };
  });
  return written;
}

function documented(text: string | undefined, writer: Writer): JSONSchema {
  return text === undefined || text.trim() === ""
    ? {}
    : { description: token({ kind: "doc", text }, writer) };
}

function referenceTo(name: string): JSONSchema {
  return { $ref: `#/definitions/${name}` };
}

/** Name of a type from another module; undefined if this module declares the type. */
function importedName(pointer: string, writer: Writer): string | undefined {
  if (writer.declared.has(pointer)) return undefined;
  const type = writer.imports.get(pointer.slice("/$defs/".length));
  return type && token({ kind: "import", type }, writer);
}

/** Name of the declaration for a referenced schema. */
function declaredName(pointer: string, writer: Writer): string {
  const known = writer.declared.get(pointer);
  if (known !== undefined) return known;
  const { title, doc, name } = definitionAt(writer, pointer);
  const chosen = writer.names.choose(name ?? title ?? "Root");
  const written = declare(chosen, () => writer.shapes.expand(pointer) ?? unknown, doc, writer);
  writer.declared.set(pointer, written);
  return written;
}

function bodyOf(shape: Shape, place: string, writer: Writer): JSONSchema {
  const single = shape.kind === "union" && shape.of.length === 1 ? shape.of[0] : undefined;
  return single?.kind === "object"
    ? objectSchema(single, place, writer)
    : apart(laidOutSchema(shape, place, writer));
}

/**
 * Wraps a reference, which the library would otherwise resolve. The schema can then have its own
 * name or comment.
 */
function apart(schema: JSONSchema): JSONSchema {
  return schema.$ref === undefined ? schema : { anyOf: [schema] };
}

function laidOutSchema(shape: Shape, place: string, writer: Writer): JSONSchema {
  if (shape.kind === "unknown") return { type: "any" };
  const [first, ...others] = shape.of;
  if (first === undefined) return { enum: [] };
  if (others.length === 0) return partOf(first, place, writer);
  return { anyOf: shape.of.map((part) => partOf(part, place, writer)) };
}

function partOf(part: Part, place: string, writer: Writer): JSONSchema {
  switch (part.kind) {
    case "scalar":
      return { type: part.type };
    case "literal":
      return { const: token({ kind: "literal", value: part.value }, writer) };
    case "array":
      return { type: "array", items: laidOutSchema(part.items, `${place}Item`, writer) };
    case "tuple":
      return tupleSchema(part, place, writer);
    case "object":
      // An object with an author's name gets a declaration.
      return part.title === undefined
        ? objectSchema(part, place, writer)
        : referenceTo(
            declare(writer.names.choose(part.title), () => only(part), undefined, writer),
          );
    case "ref": {
      const other = importedName(part.to, writer);
      if (other !== undefined) return { tsType: other };
      const name = declaredName(part.to, writer);
      const isAnything = writer.shapes.expand(part.to)?.kind === "unknown";
      return isAnything ? { tsType: name } : referenceTo(name);
    }
    case "both":
      return { allOf: part.of.map((each) => partOf(each, place, writer)) };
  }
}

function objectSchema(part: ObjectPart, place: string, writer: Writer): JSONSchema {
  if (part.properties.length === 0 && part.rest.kind === "unknown")
    return { tsType: "{ [k: string]: unknown }" };
  if (part.properties.length === 0 && isNever(part.rest))
    return { tsType: "Record<string, never>" };
  const required: string[] = [];
  const properties: Record<string, JSONSchema> = {};
  for (const each of part.properties) {
    const key = token({ kind: "key", name: each.name }, writer);
    if (each.required) required.push(key);
    const type = laidOutSchema(printedShape(each), `${place}${each.name}`, writer);
    const doc = documented(documentation(each), writer);
    properties[key] = doc.description === undefined ? type : { ...apart(type), ...doc };
  }
  return {
    type: "object",
    properties,
    required,
    additionalProperties: indexSignature(part, place, writer),
  };
}

function indexSignature(part: ObjectPart, place: string, writer: Writer): boolean | JSONSchema {
  const printed = printedRest(part);
  if (isNever(printed)) return false;
  return printed.kind === "unknown" ? true : laidOutSchema(printed, `${place}Value`, writer);
}

/** The library ignores `minItems` by setting, so it treats every element as required. */
function tupleSchema(part: TuplePart, place: string, writer: Writer): JSONSchema {
  const { prefix, rest } = part;
  if (prefix.some(({ optional }) => optional)) return { tsType: tupleText(part, place, writer) };
  return {
    type: "array",
    items: prefix.map(({ shape }, index) =>
      laidOutSchema(shape, `${place}Item${index + 1}`, writer),
    ),
    additionalItems: isNever(rest) ? false : laidOutSchema(rest, `${place}Rest`, writer),
  };
}

function tupleText({ prefix, rest }: TuplePart, place: string, writer: Writer): string {
  const elements = prefix.map(
    ({ shape, optional }, index) =>
      `${inline(shape, `${place}Item${index + 1}`, writer)}${optional ? "?" : ""}`,
  );
  const others = isNever(rest) ? [] : [`...(${inline(rest, `${place}Rest`, writer)})[]`];
  return `[${[...elements, ...others].join(", ")}]`;
}

/** Prints a type in a few words: the type itself, or the name of a new declaration. */
function inline(shape: Shape, place: string, writer: Writer): string {
  const { root, names } = writer;
  const words = place.startsWith(root) ? place.slice(root.length) : place;
  return shortText(shape, writer) ?? declare(names.choose(words), () => shape, undefined, writer);
}

function shortText(shape: Shape, writer: Writer): string | undefined {
  if (shape.kind === "unknown") return "unknown";
  if (shape.of.length === 0) return "never";
  if (shape.of.length > 4) return undefined;
  const parts = shape.of.map((part) => shortPart(part, writer));
  if (parts.includes(undefined)) return undefined;
  return parts.length === 1 ? parts[0] : `(${parts.join(" | ")})`;
}

function shortPart(part: Part, writer: Writer): string | undefined {
  if (part.kind === "scalar") return part.type === "integer" ? "number" : part.type;
  if (part.kind === "literal") return token({ kind: "literal", value: part.value }, writer);
  if (part.kind === "ref") return importedName(part.to, writer) ?? declaredName(part.to, writer);
  const items = part.kind === "array" ? shortText(part.items, writer) : undefined;
  return items === undefined ? undefined : `${items}[]`;
}

function documentation({ description, default: value }: Property): string | undefined {
  const shown = value === undefined ? undefined : `Default: ${JSON.stringify(value)}`;
  return (
    [description, shown].filter((each) => each !== undefined && each.trim() !== "").join("\n\n") ||
    undefined
  );
}

function definitionAt(
  { model: { schema: document, shared = [] } }: Writer,
  pointer: string,
): { readonly title?: string; readonly doc?: string; readonly name?: string } {
  const key = pointer === "" ? undefined : pointer.slice("/$defs/".length);
  const { schema } = targetOf(document, key === undefined ? "#" : `#/$defs/${key}`);
  const text = (keyword: string) =>
    isJsonObject(schema) ? textOrNone(schema[keyword]) : undefined;
  const [title, doc] = [text("title"), text("description")];
  const name = key === undefined ? undefined : (sharedByName(shared).get(key)?.shortName ?? key);
  return {
    ...(name === undefined ? {} : { name }),
    ...(title === undefined ? {} : { title }),
    ...(doc === undefined ? {} : { doc }),
  };
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

interface TypeNames {
  /**
   * Returns an unused name: the root's name and the words of `wish` that an identifier may contain.
   */
  choose(wish: string): string;
}

function createTypeNames(root: string): TypeNames {
  const taken = new Set([root]);
  return {
    choose(wish) {
      const stem = `${root}${pascalCase(wish)}`;
      let name = stem === root ? `${root}Value` : stem;
      for (let count = 2; taken.has(name); count += 1) name = `${stem}${count}`;
      taken.add(name);
      return name;
    },
  };
}
