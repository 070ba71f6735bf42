/**
 * The way of an author's schema through this room: read into one document of 2020-12, and checked.
 *
 * - reading: `library.ts` (files and references), `dialect.ts`, `survey.ts`, `normalize.ts`
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
import type { Report } from "../core/report.js";
import type { SchemaModel } from "../core/skill-model.js";
import type { SyntaxNode } from "../core/syntax-node.js";
import { uncompilableDiagnostic } from "./ajv-instance.js";
import { checkDefaults } from "./check-defaults.js";
import { checkPossible } from "./check-possible.js";
import { checkRecursion } from "./check-recursion.js";
import { dialectOf } from "./dialect.js";
import { createLibrary, type ReadSchemaFile } from "./library.js";
import { normalize } from "./normalize.js";
import { hasReadableSize } from "./schema-size.js";
import { survey } from "./survey.js";

export interface ReadSchemaContext {
  /**
   * The parsed tree of a `./file.json` relative to the skill's folder. Reports itself when the file
   * can't be had.
   */
  readonly readFile: ReadSchemaFile;
  readonly report: Report;
}

/**
 * Reads one JSON Schema document, of draft-07, 2019-09 or 2020-12, and makes one self-contained
 * 2020-12 document of it and of the files that it refers to. Undefined when something is wrong that
 * leaves no schema to work with; all of it is reported.
 */
export function readSchema(
  node: SyntaxNode,
  { readFile, report }: ReadSchemaContext,
): SchemaModel | undefined {
  const errorsBefore = report.errorCount();
  if (!hasReadableSize(node, report)) return undefined;
  const dialect = dialectOf(node, "2020-12", report);
  if (dialect === undefined) return undefined;
  const library = createLibrary(readFile, report);
  library.adopt(node, { root: node, base: undefined, folder: ".", dialect, anchors: new Map() });
  const found = survey(node, library, report);
  if (report.errorCount() > errorsBefore) return undefined;
  const normalized = normalize(node, found, library);
  if (!checkRecursion(normalized, report)) return undefined;
  const model: SchemaModel = { kind: "schema", span: node.span, ...normalized };
  try {
    checkDefaults(model, report);
    return checkPossible(model, report) ? model : undefined;
  } catch (error) {
    report.add(uncompilableDiagnostic(error, model.span));
    return undefined;
  }
}
