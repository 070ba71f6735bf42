import { posix } from "node:path";
import type { Report } from "../core/report.js";
import type { SyntaxNode } from "../core/syntax-node.js";
import { createIndex, type Library, type ReadSchemaFile } from "./library.js";
import {
  type Definition,
  definitionOf,
  isApart,
  type SchemaFile,
  schemaFile,
  type SchemaFiles,
} from "./schema-files.js";

interface ApartReading {
  readonly files: SchemaFiles;
  /** Folder of the skill, relative to the project. */
  readonly folder: string;
  readonly readFile: ReadSchemaFile;
  readonly report: Report;
}

export interface ApartLibrary {
  readonly library: Library;
  /**
   * The shared schemas among `targets`, and all schemas that they refer to; reports their mistakes.
   * Undefined if one of them depends on the document that refers to it.
   */
  closureOf(targets: Iterable<SyntaxNode>): ReadonlyMap<SyntaxNode, Definition> | undefined;
}

/** Creates a library that reads a document's own schemas. It reads files separately. */
export function createApartLibrary(reading: ApartReading): ApartLibrary {
  const { files, folder, readFile, report } = reading;
  const own = createIndex();
  const read = new Map<string, SchemaFile | undefined>();
  let isApartWhole = true;

  const open = (path: string, from: SyntaxNode): SchemaFile | undefined => {
    if (read.has(path)) return read.get(path);
    const tree = readFile(path, from);
    const file = tree && schemaFile(tree, files);
    // Record for each skill that its output depends on the file's name.
    if (tree !== undefined) files.placeOf(tree.span.file);
    read.set(path, file);
    for (const each of file?.diagnostics ?? []) report.add(each);
    return file;
  };
  const fileOf = (node: SyntaxNode): SchemaFile | undefined => {
    for (const file of read.values()) if (file?.index.resources.has(node)) return file;
    return undefined;
  };
  const library: Library = {
    resourceOf: (node) => own.resources.get(node) ?? fileOf(node)?.index.resources.get(node),
    adopt(node, resource) {
      (fileOf(resource.root)?.index ?? own).add(node, resource);
    },
    byId: (uri) =>
      own.ids.get(uri) ??
      [...read.values()].map((file) => file?.index.ids.get(uri)).find((each) => each !== undefined),
    dynamicAnchors: (name) => own.dynamicAnchors.get(name) ?? 0,
    isShared: (node) => !own.resources.has(node) && fileOf(node) !== undefined,
    file(path, _folder, from, dialect) {
      const file = open(path, from);
      if (file !== undefined && !isApart(file, dialect)) isApartWhole = false;
      return file?.resource;
    },
  };
  return {
    library,
    closureOf(targets) {
      const found = new Map<SyntaxNode, Definition>();
      for (const node of targets) {
        const file = library.isShared(node) ? fileOf(node) : undefined;
        if (file !== undefined) found.set(node, definitionOf(node, file, files));
      }
      const reported = new Set<string>();
      for (const [, definition] of found) {
        if (definition.isOpen) isApartWhole = false;
        if (!isApartWhole) return undefined;
        for (const each of definition.diagnostics) report.add(each);
        for (const [path, from] of definition.files) {
          if (reported.has(path)) continue;
          reported.add(path);
          open(fromSkill(path, folder), from);
        }
        for (const [node, each] of definition.refersTo()) found.set(node, each);
      }
      return isApartWhole ? found : undefined;
    },
  };
}

/** Path of a project file from the skill's folder. */
function fromSkill(path: string, folder: string): string {
  const relative = posix.relative(folder, path);
  return relative.startsWith("..") ? relative : `./${relative}`;
}
