/**
 * The way of an author's schema through this room: read into one document of 2020-12, and checked.
 *
 * - reading: `library.ts` (files and references), `dialect.ts`, `survey.ts`, `normalize.ts`; files
 *   that mean the same to all who refer to them are read once: `schema-files.ts`, and
 *   `apart-library.ts` for the document that refers to them
 * - checking: `check-metaschema.ts` and `check-keywords.ts` while reading, then
 *   `check-recursion.ts`, `check-possible.ts`, `check-defaults.ts`; the codes are in
 *   `diagnostics.ts`
 * - asking: `look-up.ts`, on the shapes of `shape-of-schema.ts`; `compare/compare.ts` and, of
 *   places that have nothing in common, `certain-mismatches.ts`; `stated-facts.ts` on single
 *   keywords
 * - printing: `emit-types.ts` on `type-layout.ts`; `emit-validators.ts` on `ajv-instance.ts`, with
 *   what is private in Ajv in `ajv-internals.ts`; `as-published.ts` for models
 * - patterns: `pattern/matcher.ts`; trees of YAML against a schema of ours: `check-shape.ts`
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
   * The parsed tree of a `./file.json` relative to the skill's folder. Reports itself when the file
   * can't be had.
   */
  readonly readFile: ReadSchemaFile;
  readonly report: Report;
  /** Files whose schemas are shared; without them a document holds a copy of all it refers to. */
  readonly files?: SchemaFiles;
  /** The skill's, relative to the project; with `files`. */
  readonly folder?: string;
  /** How `format: int64` and `uint64` travel; as numbers when not given. */
  readonly int64?: "string";
  /** Set for what no caller gives: no default is filled in there, and one is a word to people. */
  readonly isAnswer?: true;
}

/**
 * Reads one JSON Schema document, of draft-07, 2019-09 or 2020-12, and makes one self-contained
 * 2020-12 document of it and of the files that it refers to. Undefined when something is wrong that
 * leaves no schema to work with; all of it is reported.
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

/** What a document says, once it is known to be sound. */
type Reading = () => Normalized & { readonly shared: readonly SharedSchema[] };

/** A document with integers of 64 bits as its tool has them. Shared schemas have them as numbers. */
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

/** A document that is read with all that it refers to, as if that stood in it. */
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
 * A document whose files are read for themselves. Undefined, with nothing reported, when what one
 * of them says depends on who refers to it.
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
