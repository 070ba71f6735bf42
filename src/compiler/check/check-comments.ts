import type { KindRegistry } from "../../bindings/registry.js";
import type { Diagnostic, UnratedDiagnostic } from "../../core/diagnostic.js";
import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { SkillSyntax } from "../../core/skill-syntax.js";
import type { SourceFile } from "../../core/source-file.js";
import type { Span } from "../../core/span.js";
import {
  type MapNode,
  type ScalarNode,
  spanWithin,
  textOf,
  valueOf,
} from "../../core/syntax-node.js";
import { bindingsIn } from "./bindings-in.js";

interface CommentContext {
  readonly kinds: KindRegistry;
  readonly syntax: SkillSyntax;
  /** Every file that contains nodes of the skill. */
  readonly sources: readonly SourceFile[];
  readonly report: Report;
}

/**
 * Reports comments that YAML extends. A comment that ends with its line must end there in the file
 * too. If YAML folds the line break to a space, the comment also contains the next line, for
 * example a `WHERE`. Broken bindings are checked too, because such a comment may be the cause.
 */
export async function checkComments({
  kinds,
  report,
  sources,
  syntax,
}: CommentContext): Promise<void> {
  const textOfFile = new Map(sources.map(({ path, text }) => [path, text]));
  for (const root of [syntax.frontMatter, syntax.metadata?.root]) {
    for (const { node, tool } of bindingsIn(root)) {
      const within = tool === undefined ? report : report.within({ tool });
      for (const diagnostic of await swallowedIn(node, kinds, textOfFile)) within.add(diagnostic);
    }
  }
}

/**
 * Drops diagnostics of binding kinds for tools with such a comment, because the kinds read another
 * text than the author intended.
 */
export function withoutConsequences(
  diagnostics: readonly Diagnostic[],
  types: readonly string[],
): readonly Diagnostic[] {
  const cut = diagnostics.filter(({ code }) => code === FOLDED);
  const isConsequence = ({ code, skill, tool }: Diagnostic) =>
    types.includes(code.split("/")[0] ?? "") &&
    cut.some((each) => each.skill === skill && each.tool === tool);
  return cut.length === 0 ? diagnostics : diagnostics.filter((each) => !isConsequence(each));
}

const FOLDED = "binding/folded-comment";

async function swallowedIn(
  binding: MapNode,
  kinds: KindRegistry,
  textOfFile: ReadonlyMap<string, string>,
): Promise<readonly UnratedDiagnostic[]> {
  const { lineComments = {} } = kinds.find(textOf(valueOf(binding, "type")) ?? "") ?? {};
  const found: UnratedDiagnostic[] = [];
  for (const [key, commentsIn] of Object.entries(lineComments)) {
    const node = valueOf(binding, key);
    const text = textOf(node);
    // Without an origin, a comment can't be located in the text.
    if (node?.kind !== "scalar" || text === undefined || node.origin === undefined) continue;
    for (const { end, start } of await commentsIn(text)) {
      const span = spanWithin(node, start, end);
      const diagnostic = swallowed(key, node, span, textOfFile.get(span.file) ?? "");
      if (diagnostic !== undefined) found.push(diagnostic);
    }
  }
  return found;
}

/** @param comment span of the comment, with the text that it cuts off */
function swallowed(
  key: string,
  { span: whole }: ScalarNode,
  comment: Span,
  file: string,
): UnratedDiagnostic | undefined {
  const written = file.slice(comment.start, comment.end);
  const own = /^[^\r\n]*/.exec(written)?.[0] ?? "";
  if (own.length === written.length) return undefined;
  const rest = comment.start + written.length - written.slice(own.length).trimStart().length;
  // In double quotes, a `\\` at the end of a line removes the line break.
  const shown = own.replace(/\\$/, "").trimEnd();
  const header = /^[>|][^\r\n]*/.exec(file.slice(whole.start, whole.end))?.[0];
  return {
    code: FOLDED,
    span: { ...comment, end: comment.start + shown.length },
    message: "the comment continues on the next line: YAML replaces the line break by a space here",
    help: `write ${quote(`${key}: |`)}${header === undefined ? " with the text below it" : ` instead of ${quote(header)}`}: it keeps line breaks`,
    related: [{ span: { ...comment, start: rest }, message: "so this is part of the comment" }],
  };
}
