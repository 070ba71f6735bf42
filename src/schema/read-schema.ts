/**
 * Reads an author's schema into one 2020-12 document, and checks it. Start reading this folder
 * here.
 *
 * - reading: `library.ts` (files and references), `dialect.ts`, `survey.ts`, `normalize.ts`. Files
 * that mean the same to every document are read once: `schema-files.ts`, and `apart-library.ts` for
 * the document that refers to them
 * - checking: `check-metaschema.ts` and `check-keywords.ts` while reading, then
 * `check-recursion.ts`, `check-possible.ts`, `check-defaults.ts`; the codes are in `diagnostics.ts`
 * - queries: `look-up.ts`, on the shapes of `shape-of-schema.ts`; `compare/compare.ts`;
 * `certain-mismatches.ts` for contradictions; `stated-facts.ts` for single keywords
 * - printing: `emit-types.ts` on `type-layout.ts`; `emit-validators.ts` on `ajv-instance.ts`, with
 * Ajv's private parts in `ajv-internals.ts`; `as-published.ts` for models
 * - patterns: `pattern/matcher.ts`; YAML against skillc's own schemas: `check-shape.ts`
 */
import { collectDiagnostics, type Report } from "../core/report.js";
import type { SchemaModel, SharedSchema } from "../core/skill-model.js";
import type { SyntaxNode } from "../core/syntax-node.js";
import { uncompilableDiagnostic } from "./ajv-instance.js";
import { checkDefaults } from "./check-defaults.js";
import { checkPossible } from "./check-possible.js";
import { checkRecursion } from "./check-recursion.js";
import { dialectOf } from "./dialect.js";
import { createApartLibrary } from "./apart-library.js";
import type { Dialect } from "./keywords.js";
import { createLibrary, type ReadSchemaFile } from "./library.js";
import { type Normalized, normalize } from "./normalize.js";
import type { SchemaFiles } from "./schema-files.js";
import { holdsInt64, withInt64Text } from "./int64-text.js";
import { withInt64Values } from "./int64-values.js";
import { hasReadableSize } from "./schema-size.js";
import { survey } from "./survey.js";

export interface ReadSchemaContext {
  /**
   * Returns the parsed tree of `./file.json`, relative to the skill's folder. Undefined, with a
   * report, if the file can't be read.
   */
  readonly readFile: ReadSchemaFile;
  readonly report: Report;
  /**
   * Files of shared schemas. Without them, a document contains copies of all referenced schemas.
   */
  readonly files?: SchemaFiles;
  /** Folder of the skill, relative to the project. Required with `files`. */
  readonly folder?: string;
  /** Form of values with `format: int64` and `uint64`; numbers if absent. */
  readonly int64?: "string";
  /**
   * Set for values that no caller passes. Their defaults are never filled in, and only inform
   * people.
   */
  readonly isAnswer?: true;
}

/**
 * Reads a JSON Schema document of draft-07, 2019-09 or 2020-12, and combines it with the files that
 * it refers to into one self-contained 2020-12 document. Reports every mistake. Undefined if a
 * mistake leaves no usable schema.
 */
export function readSchema(node: SyntaxNode, context: ReadSchemaContext): SchemaModel | undefined {
  const { report } = context;
  const errorsBefore = report.errorCount();
  if (!hasReadableSize(node, report)) return undefined;
  const dialect = dialectOf(node, "2020-12", report);
  if (dialect === undefined) return undefined;
  const read = readApart(node, dialect, context) ?? readTogether(node, dialect, context);
  if (report.errorCount() > errorsBefore) return undefined;
  const { shared, ...normalized } = int64Read(read(), node, dialect, context);
  const model: SchemaModel = {
    kind: "schema",
    span: node.span,
    ...normalized,
    ...(shared.length > 0 && { shared }),
  };
  if (!checkRecursion(model, report)) return undefined;
  try {
    checkDefaults(model, report, context.isAnswer !== true);
    return checkPossible(model, report) ? model : undefined;
  } catch (error) {
    report.add(uncompilableDiagnostic(error, model.span));
    return undefined;
  }
}

/** The rest of the work after the first checks of a document. */
type Reading = () => Normalized & { readonly shared: readonly SharedSchema[] };

/**
 * Converts the 64-bit integers of a document as its tool requires. Shared schemas contain them as
 * numbers.
 */
function int64Read(
  found: ReturnType<Reading>,
  node: SyntaxNode,
  dialect: Dialect,
  context: ReadSchemaContext,
): ReturnType<Reading> {
  if (context.int64 === undefined || !holdsInt64(found.schema)) return found;
  const own =
    found.shared.length === 0
      ? found
      : readTogether(node, dialect, { ...context, report: collectDiagnostics().report })();
  return { ...own, schema: withInt64Values(withInt64Text(own.schema)) };
}

/** Reads a document and copies the schemas that it refers to into it. */
function readTogether(
  node: SyntaxNode,
  dialect: Dialect,
  { readFile, report }: ReadSchemaContext,
): Reading {
  const library = createLibrary(readFile, report);
  library.adopt(node, { root: node, base: undefined, folder: ".", dialect, anchors: new Map() });
  const found = survey(node, library, report);
  return () => ({ ...normalize(node, found, library), shared: [] });
}

/**
 * Reads a document whose files can be read separately. Undefined, without a report, if the meaning
 * of a file depends on the document that refers to it.
 */
function readApart(
  node: SyntaxNode,
  dialect: Dialect,
  { files, folder, readFile, report }: ReadSchemaContext,
): Reading | undefined {
  if (files === undefined || folder === undefined) return undefined;
  const own = collectDiagnostics();
  const read = createApartLibrary({ files, folder, readFile, report: own.report });
  const { library } = read;
  library.adopt(node, { root: node, base: undefined, folder: ".", dialect, anchors: new Map() });
  const found = survey(node, library, own.report);
  const definitions = read.closureOf(found.targets.keys());
  if (definitions === undefined) return undefined;
  for (const each of own.diagnostics) report.add(each);
  return () => {
    const shared = new Map([...definitions].map(([at, each]) => [at, each.shared()]));
    return { ...normalize(node, found, library, shared), shared: [...shared.values()] };
  };
}
