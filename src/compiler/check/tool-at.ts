import type { SkillSyntax } from "../../core/skill-syntax.js";
import type { Span } from "../../core/span.js";
import { entryOf, type MapEntry, valueOf } from "../../core/syntax-node.js";

/** A tool's name, and the span of its declaration. */
interface ToolPlace {
  readonly tool: string;
  readonly span: Span;
}

/**
 * Returns a function that names the tool around a span; undefined outside of all tools. Broken
 * tools count too.
 */
export function toolAt(syntax: SkillSyntax): (span: Span) => string | undefined {
  const { frontMatter, metadata } = syntax;
  const places = [frontMatter, valueOf(frontMatter, "metadata"), metadata?.root]
    .flatMap((each) => [entryOf(each, "tools_schema"), entryOf(each, "tools")])
    .flatMap((entry) => (entry?.value.kind === "map" ? entry.value.entries : []))
    .map(placeOf);
  return (span) => places.find((each) => contains(each.span, span))?.tool;
}

function placeOf({ key, value }: MapEntry): ToolPlace {
  return { tool: key.value, span: { ...key.span, end: value.span.end } };
}

function contains(outer: Span, inner: Span): boolean {
  return outer.file === inner.file && outer.start <= inner.start && inner.end <= outer.end;
}
