import { isJsonObject, type JsonSchema, type JsonValue, setOwn } from "../core/json.js";
import type { SharedSchema } from "../core/skill-model.js";
import type { Span } from "../core/span.js";
import { entryOf, type MapNode, type SyntaxNode, toJson } from "../core/syntax-node.js";
import { annotations, isExtension, keywordIn } from "./keywords.js";
import type { Library, Resource } from "./library.js";
import { below } from "./pointer.js";
import { siblingsIgnored } from "./source-subschemas.js";
import type { Survey } from "./survey.js";

export interface Normalized {
  readonly schema: JsonSchema;
  readonly places: { readonly [pointer: string]: Span };
}

/**
 * Converts a schema to one 2020-12 document. Every `$ref` is `#` or `#/$defs/<plain name>`,
 * referenced schemas are in the root's `$defs`, older spellings are replaced, and unknown keys
 * other than extensions are removed.
 *
 * @param shared schemas of separate files that the document refers to, directly or not; they are
 * added to its definitions unchanged
 */
export function normalize(
  root: SyntaxNode,
  found: Survey,
  library: Library,
  shared: ReadonlyMap<SyntaxNode, Pick<SharedSchema, "name" | "schema">> = new Map(),
): Normalized {
  const names = nameTargets(root, found, shared);
  const writer: Writer = { names, places: {}, found, library };
  const schema = bodyOf(root, "", writer);
  const definitions: Record<string, JsonValue> = {};
  for (const [node, name] of writer.names) {
    if (node !== root && !shared.has(node))
      definitions[name] = bodyOf(node, below("", "$defs", name), writer);
  }
  for (const each of shared.values()) definitions[each.name] = each.schema;
  const { places } = writer;
  if (Object.keys(definitions).length === 0 || typeof schema === "boolean")
    return { schema, places };
  return { schema: { ...schema, $defs: definitions }, places };
}

/**
 * Converts one schema of a file, for use in all documents.
 *
 * @param names names of the schema and of all schemas that it refers to
 */
export function normalizeBody(
  node: SyntaxNode,
  found: Survey,
  library: Library,
  names: ReadonlyMap<SyntaxNode, string>,
): Normalized {
  const writer: Writer = { names, places: {}, found, library };
  return { schema: bodyOf(node, "", writer), places: writer.places };
}

interface Writer {
  readonly names: ReadonlyMap<SyntaxNode, string>;
  /** Filled during the conversion. */
  readonly places: Record<string, Span>;
  readonly found: Survey;
  readonly library: Library;
}

/** Converts a nested schema: to a reference if something else refers to it too. */
function normalizedSchema(node: SyntaxNode, pointer: string, writer: Writer): JsonSchema {
  const name = writer.names.get(node);
  writer.places[pointer] = node.span;
  return name === undefined ? bodyOf(node, pointer, writer) : { $ref: refTo(name) };
}

function bodyOf(node: SyntaxNode, pointer: string, writer: Writer): JsonSchema {
  writer.places[pointer] = node.span;
  const resource = writer.library.resourceOf(node);
  if (node.kind !== "map" || resource === undefined)
    return node.kind === "scalar" && node.value !== false;
  const schema: Record<string, JsonValue> = {};
  addReferences(schema, node, pointer, writer);
  for (const { key, value } of countingEntries(node, resource)) {
    addKeyword(schema, { name: key.value, value, node, pointer, resource }, writer);
  }
  return schema;
}

function addReferences(
  schema: Record<string, JsonValue>,
  node: MapNode,
  pointer: string,
  writer: Writer,
): void {
  const targets = writer.found.references.get(node) ?? [];
  const [first, ...others] = targets.map((each) => refTo(writer.names.get(each) ?? ""));
  if (first !== undefined) schema["$ref"] = first;
  if (others.length > 0) schema["allOf"] = others.map(($ref) => ({ $ref }));
  const written = entryOf(node, "$ref")?.value;
  if (written !== undefined) writer.places[below(pointer, "$ref")] = written.span;
}

interface KeywordSite {
  readonly name: string;
  readonly value: SyntaxNode;
  readonly node: MapNode;
  readonly pointer: string;
  readonly resource: Resource;
}

function addKeyword(schema: Record<string, JsonValue>, at: KeywordSite, writer: Writer): void {
  addPlaces(at, writer);
  for (const [name, value] of rewritten(at)) {
    const before = Object.hasOwn(schema, name) ? schema[name] : undefined;
    // If `allOf` has a second dynamic reference already, the author's own list follows it.
    const offset = Array.isArray(before) ? before.length : 0;
    const printed = valueOf(name, value, below(at.pointer, name), offset, writer);
    setOwn(schema, name, joined(before, printed));
  }
}

/** Keywords that a diagnostic may point at on their own. */
const pointedAt: ReadonlySet<string> = new Set(
  [
    "default type const enum oneOf multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength",
    "minItems maxItems minContains maxContains minProperties maxProperties",
  ].flatMap((line) => line.split(" ")),
);

function addPlaces({ name, value, pointer }: KeywordSite, { places }: Writer): void {
  if (pointedAt.has(name)) places[below(pointer, name)] = value.span;
  if ((name !== "required" && name !== "enum") || value.kind !== "list") return;
  for (const [index, each] of value.items.entries())
    places[below(pointer, name, index)] = each.span;
}

function valueOf(
  name: string,
  value: SyntaxNode,
  pointer: string,
  offset: number,
  writer: Writer,
): JsonValue {
  const shape = keywordIn("2020-12", name)?.shape;
  if (shape === "schema" || shape === "items") return normalizedSchema(value, pointer, writer);
  if (shape === "schema-list" && value.kind === "list") {
    return value.items.map((each, index) =>
      normalizedSchema(each, below(pointer, index + offset), writer),
    );
  }
  if (shape !== "schema-map" || value.kind !== "map") return toJson(value);
  const object: Record<string, JsonValue> = {};
  for (const { key, value: each } of value.entries) {
    setOwn(object, key.value, normalizedSchema(each, below(pointer, key.value), writer));
  }
  return object;
}

/** Merges two values of one keyword: `dependencies` may state the same as `dependentRequired`. */
function joined(before: JsonValue | undefined, after: JsonValue): JsonValue {
  if (Array.isArray(before) && Array.isArray(after)) return [...before, ...after];
  if (!isJsonObject(before) || !isJsonObject(after)) return after;
  const object: Record<string, JsonValue> = {};
  for (const [key, value] of [...Object.entries(before), ...Object.entries(after)])
    setOwn(object, key, value);
  return object;
}

function refTo(name: string): string {
  return name === "" ? "#" : `#/$defs/${name}`;
}

/** Gives each referenced schema a plain, unique name. The root's name is empty. */
function nameTargets(
  root: SyntaxNode,
  { targets }: Survey,
  shared: ReadonlyMap<SyntaxNode, Pick<SharedSchema, "name">>,
): ReadonlyMap<SyntaxNode, string> {
  const names = new Map<SyntaxNode, string>();
  const taken = new Set<string>();
  for (const [node, wish] of targets) {
    const apart = shared.get(node);
    if (apart !== undefined) {
      names.set(node, apart.name);
      continue;
    }
    const plain = wish.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, 60);
    const stem = plain === "" || plain === "__proto__" ? "schema" : plain;
    let name = stem;
    for (let count = 2; taken.has(name); count += 1) name = `${stem}_${count}`;
    taken.add(name);
    names.set(node, node === root ? "" : name);
  }
  return names;
}

/**
 * Returns the entries with a meaning in the normalized document, without references and
 * definitions. Others add those.
 */
function countingEntries(node: MapNode, { dialect }: Resource): MapNode["entries"] {
  const dropped = new Set([
    "$schema",
    "$id",
    "$anchor",
    "$dynamicAnchor",
    "$vocabulary",
    "$comment",
    "$defs",
    "definitions",
  ]);
  const references = new Set(["$ref", "$dynamicRef", "$recursiveRef", "$recursiveAnchor"]);
  const onlyAnnotations = siblingsIgnored(node, dialect);
  return node.entries.filter(({ key: { value: name } }) => {
    if (dropped.has(name) || references.has(name)) return false;
    if (onlyAnnotations) return isExtension(name) || (annotations.has(name) && name !== "default");
    return isExtension(name) || keywordIn(dialect, name) !== undefined;
  });
}

/** Rewrites a keyword to 2020-12: to no keyword, to one, or to two if it was split. */
function rewritten(at: KeywordSite): readonly (readonly [string, SyntaxNode])[] {
  const { name, value, node } = at;
  if (name === "dependencies" && value.kind === "map") return splitDependencies(value);
  if (at.resource.dialect === "2020-12") return [[name, value]];
  if (name === "additionalItems") {
    return entryOf(node, "items")?.value.kind === "list" ? [["items", value]] : [];
  }
  if (name === "items" && value.kind === "list")
    return value.items.length > 0 ? [["prefixItems", value]] : [];
  return [[name, value]];
}

function splitDependencies(node: MapNode): readonly (readonly [string, SyntaxNode])[] {
  const lists = node.entries.filter((each) => each.value.kind === "list");
  const schemas = node.entries.filter((each) => each.value.kind !== "list");
  return [
    ...(lists.length > 0 ? [["dependentRequired", { ...node, entries: lists }] as const] : []),
    ...(schemas.length > 0 ? [["dependentSchemas", { ...node, entries: schemas }] as const] : []),
  ];
}
