import type { Report } from "../core/report.js";
import { entryOf, textOf, type SyntaxNode } from "../core/syntax-node.js";
import type { Dialect } from "./keywords.js";
import { didYouMean } from "./suggestion.js";

/** The identifiers of the dialects' metaschemas. */
export const metaschemas: Readonly<Record<Dialect, string>> = {
  "draft-07": "http://json-schema.org/draft-07/schema#",
  "2019-09": "https://json-schema.org/draft/2019-09/schema",
  "2020-12": "https://json-schema.org/draft/2020-12/schema",
};

const dialects: readonly Dialect[] = ["draft-07", "2019-09", "2020-12"];

/**
 * Returns the dialect that a document declares in `$schema`, or else `fallback`. Undefined, with a
 * report, if the document declares an unknown dialect.
 *
 * @param fallback dialect without `$schema`: 2020-12, or that of the referring document
 */
export function dialectOf(
  node: SyntaxNode,
  fallback: Dialect,
  report: Report,
): Dialect | undefined {
  const declared = entryOf(node, "$schema");
  if (declared === undefined) return fallback;
  const written = textOf(declared.value);
  const found = dialects.find((each) => same(metaschemas[each], written ?? ""));
  if (found !== undefined) return found;
  const known = dialects.map((each) => metaschemas[each]);
  report.add({
    code: "schema/unknown-dialect",
    span: declared.value.span,
    message:
      written === undefined
        ? "`$schema` is not text"
        : `\`${written}\` is not a dialect that skillc reads`,
    help:
      didYouMean(written ?? "", known) ??
      `use one of ${known.map((each) => `\`${each}\``).join(", ")}`,
  });
  return undefined;
}

function same(a: string, b: string): boolean {
  return bare(a) === bare(b);
}

/** Removes an empty fragment and replaces `http`, both of which are common and harmless. */
function bare(uri: string): string {
  return uri.replace(/^https?:/, "").replace(/#$/, "");
}
