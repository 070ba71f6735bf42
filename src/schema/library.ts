import type { Report } from "../core/report.js";
import { entryOf, type SyntaxNode, textOf } from "../core/syntax-node.js";
import { dialectOf } from "./dialect.js";
import type { Dialect } from "./keywords.js";
import { hasReadableSize } from "./schema-size.js";
import { siblingsIgnored, sourceSubschemas } from "./source-subschemas.js";

/**
 * Returns the parsed tree of a file, by its path relative to the skill's folder. Undefined, with a
 * report, if the file can't be read.
 */
export type ReadSchemaFile = (path: string, from: SyntaxNode) => SyntaxNode | undefined;

/**
 * A schema with its own base URI: a document, or a part with an `$id`. `#/…` starts at its root.
 */
export interface Resource {
  readonly root: SyntaxNode;
  /** The absolute URI of its `$id`, if it has one. */
  readonly base: string | undefined;
  /**
   * Folder of the file, relative to the skill's folder: `.` or `schemas`. For a shared file,
   * relative to the project.
   */
  readonly folder: string;
  readonly dialect: Dialect;
  readonly anchors: Map<string, SyntaxNode>;
}

/** Index of all documents in reach. It grows while references are followed. */
export interface Library {
  /** Returns the resource of a schema; undefined for a node in no known place of a schema. */
  resourceOf(node: SyntaxNode): Resource | undefined;
  /** Indexes a schema that was found in an unexpected place, as part of `resource`. */
  adopt(node: SyntaxNode, resource: Resource): void;
  byId(uri: string): Resource | undefined;
  file(path: string, folder: string, from: SyntaxNode, dialect: Dialect): Resource | undefined;
  /** Checks if the schema is in a file that is read apart from the documents that refer to it. */
  isShared(node: SyntaxNode): boolean;
  /** Number of schemas that declare the dynamic anchor; `""` stands for `$recursiveAnchor`. */
  dynamicAnchors(name: string): number;
}

export function createLibrary(readFile: ReadSchemaFile, report: Report): Library {
  const index = createIndex();
  const files = new Map<string, Resource | undefined>();

  const load = (
    path: string,
    folder: string,
    from: SyntaxNode,
    fallback: Dialect,
  ): Resource | undefined => {
    const root = readFile(path, from);
    if (root === undefined || !hasReadableSize(root, report)) return undefined;
    const dialect = dialectOf(root, fallback, report);
    if (dialect === undefined) return undefined;
    index.add(root, { root, base: undefined, folder, dialect, anchors: new Map() });
    return index.resources.get(root);
  };

  return {
    resourceOf: (node) => index.resources.get(node),
    adopt: index.add,
    byId: (uri) => index.ids.get(uri),
    dynamicAnchors: (name) => index.dynamicAnchors.get(name) ?? 0,
    isShared: () => false,
    file(path, folder, from, dialect) {
      if (!files.has(path)) files.set(path, load(path, folder, from, dialect));
      return files.get(path);
    },
  };
}

/** Schemas of documents by identifiers and anchors. */
export interface SchemaIndex {
  readonly resources: ReadonlyMap<SyntaxNode, Resource>;
  readonly ids: ReadonlyMap<string, Resource>;
  /** Number of schemas that declare each anchor. */
  readonly dynamicAnchors: ReadonlyMap<string, number>;
  /** Adds a schema and its nested schemas, as part of the surrounding resource. */
  add(node: SyntaxNode, outer: Resource): void;
}

export function createIndex(): SchemaIndex {
  const resources = new Map<SyntaxNode, Resource>();
  const ids = new Map<string, Resource>();
  const dynamic = new Map<string, number>();
  const add = (node: SyntaxNode, outer: Resource): void => {
    if (resources.has(node)) return;
    const resource = resourceAt(node, outer);
    resources.set(node, resource);
    if (resource !== outer && resource.base !== undefined) ids.set(resource.base, resource);
    for (const name of anchorsOf(node, resource.dialect)) resource.anchors.set(name, node);
    for (const name of dynamicAnchorsOf(node)) dynamic.set(name, (dynamic.get(name) ?? 0) + 1);
    for (const inner of sourceSubschemas(node, resource.dialect)) add(inner, resource);
  };
  return { resources, ids, dynamicAnchors: dynamic, add };
}

/** Returns the resource that starts at the node, or the surrounding one. */
function resourceAt(node: SyntaxNode, outer: Resource): Resource {
  const id = textOf(entryOf(node, "$id")?.value);
  if (id === undefined || id.startsWith("#") || node.kind !== "map") return outer;
  if (siblingsIgnored(node, outer.dialect)) return outer;
  const base = absoluteUri(id, outer.base);
  // The address is unknown, but the resource has its own anchors.
  if (base === undefined && node !== outer.root) return { ...outer, anchors: new Map() };
  return { ...outer, root: node, base, anchors: new Map() };
}

/** The URI without its fragment; undefined if it is relative and has no base. */
export function absoluteUri(uri: string, base: string | undefined): string | undefined {
  try {
    const resolved = new URL(uri, base);
    resolved.hash = "";
    return resolved.href;
  } catch {
    return undefined;
  }
}

function anchorsOf(node: SyntaxNode, dialect: Dialect): readonly string[] {
  const names = ["$anchor", "$dynamicAnchor"].map((key) => textOf(entryOf(node, key)?.value));
  const id = textOf(entryOf(node, "$id")?.value);
  if (dialect === "draft-07") return id?.startsWith("#") ? [id.slice(1)] : [];
  return names.filter((each) => each !== undefined);
}

function dynamicAnchorsOf(node: SyntaxNode): readonly string[] {
  const name = textOf(entryOf(node, "$dynamicAnchor")?.value);
  const recursive = entryOf(node, "$recursiveAnchor")?.value;
  const isRecursive = recursive?.kind === "scalar" && recursive.value === true;
  return [...(name === undefined ? [] : [name]), ...(isRecursive ? [""] : [])];
}
