/**
 * Schemas in files. Each file, and each schema in it that something refers to, is read once for all
 * documents.
 */
import { posix } from "node:path";
import type { UnratedDiagnostic } from "../core/diagnostic.js";
import { collectDiagnostics } from "../core/report.js";
import type { SharedSchema } from "../core/skill-model.js";
import { entryOf, type SyntaxNode, textOf } from "../core/syntax-node.js";
import { dialectOf } from "./dialect.js";
import type { Dialect } from "./keywords.js";
import { createIndex, type Library, type Resource, type SchemaIndex } from "./library.js";
import { normalizeBody } from "./normalize.js";
import { below, stepsOf } from "./pointer.js";
import { hasReadableSize } from "./schema-size.js";
import { nameShared, type SchemaPlace } from "./shared-names.js";
import { type Survey, survey } from "./survey.js";

/** The files of one project that contain shared schemas. */
export interface SchemaFiles {
  /** The tree of a file by its path in the project; undefined if there is no such file. */
  readonly tree: (path: string) => SyntaxNode | undefined;
  readonly placeOf: (path: string) => SchemaPlace;
  /** The files read so far, by tree. */
  readonly read: WeakMap<SyntaxNode, SchemaFile>;
}

/** A file of schemas. */
export interface SchemaFile {
  readonly root: SyntaxNode;
  /** Undefined if the file is not a schema; `diagnostics` has the reason. */
  readonly resource: Resource | undefined;
  readonly index: SchemaIndex;
  readonly diagnostics: readonly UnratedDiagnostic[];
  /** True if dynamic references may make its meaning depend on the referring document. */
  readonly isDynamic: boolean;
  /** Schemas in it that something refers to. */
  readonly definitions: Map<SyntaxNode, Definition>;
}

/** A schema of a file that something refers to. */
export interface Definition {
  readonly file: SchemaFile;
  /** Problems of the schema, without those of the schemas that it refers to. */
  readonly diagnostics: readonly UnratedDiagnostic[];
  /**
   * Other files that the schema refers to: paths in the project, with the first reference to each.
   */
  readonly files: ReadonlyMap<string, SyntaxNode>;
  /** True if a referenced schema depends on the referring document. */
  readonly isOpen: boolean;
  /** Schemas that this one refers to, by node. */
  readonly refersTo: () => ReadonlyMap<SyntaxNode, Definition>;
  /** Normalizes the schema. All referenced schemas must be valid. */
  readonly shared: () => SharedSchema;
}

/** Reads the file of a tree, once. */
export function schemaFile(root: SyntaxNode, { read }: SchemaFiles): SchemaFile {
  const known = read.get(root) ?? readFile(root);
  read.set(root, known);
  return known;
}

function readFile(root: SyntaxNode): SchemaFile {
  const { diagnostics, report } = collectDiagnostics();
  const index = createIndex();
  const dialect = hasReadableSize(root, report) ? dialectOf(root, "2020-12", report) : undefined;
  if (dialect !== undefined) {
    const folder = posix.dirname(root.span.file);
    index.add(root, { root, base: undefined, folder, dialect, anchors: new Map() });
  }
  const isDynamic = index.dynamicAnchors.size > 0 || [...index.resources.keys()].some(isRedirected);
  const resource = index.resources.get(root);
  return { root, resource, index, diagnostics, isDynamic, definitions: new Map() };
}

function isRedirected(node: SyntaxNode): boolean {
  return ["$dynamicRef", "$recursiveRef"].some((key) => entryOf(node, key) !== undefined);
}

/** Checks if a file means the same to a document of the dialect as to any other. */
export function isApart({ isDynamic, root }: SchemaFile, dialect: Dialect): boolean {
  // A file without `$schema` has the dialect of the document that refers to it.
  return !isDynamic && (dialect === "2020-12" || entryOf(root, "$schema") !== undefined);
}

/** The schema at a node of a file. */
export function definitionOf(node: SyntaxNode, file: SchemaFile, files: SchemaFiles): Definition {
  const known = file.definitions.get(node) ?? define(node, file, files);
  file.definitions.set(node, known);
  return known;
}

function define(node: SyntaxNode, file: SchemaFile, files: SchemaFiles): Definition {
  const { diagnostics, report } = collectDiagnostics();
  const others = new Map<string, SyntaxNode>();
  const reached = new Set<SchemaFile>([file]);
  let isOpen = false;
  const fileOf = (at: SyntaxNode) => [...reached].find(({ index }) => index.resources.has(at));
  const library: Library = {
    resourceOf: (at) => fileOf(at)?.index.resources.get(at),
    adopt(at, resource) {
      (fileOf(resource.root) ?? file).index.add(at, resource);
    },
    byId: (uri) => file.index.ids.get(uri),
    dynamicAnchors: () => 0,
    isShared: (at) => at !== node,
    file(path, _folder, from, dialect) {
      const normal = posix.normalize(path);
      if (!others.has(normal)) others.set(normal, from);
      const tree = files.tree(normal);
      if (tree === undefined) return undefined;
      const other = schemaFile(tree, files);
      if (!isApart(other, dialect)) isOpen = true;
      reached.add(other);
      return other.resource;
    },
  };
  const found = survey(node, library, report);
  // An identifier of another file is known only if that file was read.
  if (diagnostics.some(({ code }) => code === "schema/remote-ref")) isOpen = true;
  const target = (at: SyntaxNode) => definitionOf(at, fileOf(at) ?? file, files);
  let refersTo: ReadonlyMap<SyntaxNode, Definition> | undefined;
  let shared: SharedSchema | undefined;
  return {
    file,
    diagnostics,
    files: others,
    isOpen,
    refersTo: () =>
      (refersTo ??= new Map([...found.targets.keys()].map((each) => [each, target(each)]))),
    shared: () => (shared ??= normalizeDefinition({ node, file, found, library }, fileOf, files)),
  };
}

interface DefinitionSource {
  readonly node: SyntaxNode;
  readonly file: SchemaFile;
  readonly found: Survey;
  readonly library: Library;
}

function normalizeDefinition(
  { node, file, found, library }: DefinitionSource,
  fileOf: (at: SyntaxNode) => SchemaFile | undefined,
  files: SchemaFiles,
): SharedSchema {
  const named = (at: SyntaxNode) => namesOf(at, fileOf(at) ?? file, files);
  const nodes = [node, ...found.targets.keys()];
  const names = new Map(nodes.map((each) => [each, named(each).name]));
  const { places, schema } = normalizeBody(node, found, library, names);
  return { kind: "shared-schema", ...named(node), span: node.span, schema, places };
}

/** Returns names for the schema at a node, from the file, the place in the file, and the title. */
function namesOf(node: SyntaxNode, { root }: SchemaFile, { placeOf }: SchemaFiles) {
  const title = textOf(entryOf(node, "title")?.value);
  const pointer = pointerTo(node, root);
  return nameShared(placeOf(root.span.file), {
    pointer,
    title,
    isOneOfTwo: isOneOfTwo(pointer, root),
  });
}

/** Checks if another definition has the same name in another case. */
function isOneOfTwo(pointer: string, root: SyntaxNode): boolean {
  const [keyword = "", name = ""] = stepsOf(pointer) ?? [];
  const definitions = entryOf(root, keyword)?.value;
  if (definitions?.kind !== "map") return false;
  const alike = ({ key }: { readonly key: { readonly value: string } }) =>
    key.value.toLowerCase() === name.toLowerCase();
  return definitions.entries.filter(alike).length > 1;
}

const pointers = new WeakMap<SyntaxNode, ReadonlyMap<SyntaxNode, string>>();

function pointerTo(node: SyntaxNode, root: SyntaxNode): string {
  if (node === root) return "";
  const known = pointers.get(root) ?? pointersIn(root);
  pointers.set(root, known);
  return known.get(node) ?? "";
}

function pointersIn(root: SyntaxNode): ReadonlyMap<SyntaxNode, string> {
  const found = new Map<SyntaxNode, string>();
  const visit = (node: SyntaxNode, pointer: string): void => {
    if (found.has(node)) return;
    found.set(node, pointer);
    if (node.kind === "list")
      for (const [index, each] of node.items.entries()) visit(each, below(pointer, index));
    if (node.kind === "map")
      for (const { key, value } of node.entries) visit(value, below(pointer, key.value));
  };
  visit(root, "");
  return found;
}
