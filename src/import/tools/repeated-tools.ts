/** Reports faults for which a source is rejected as a whole. */
import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { Span } from "../../core/span.js";
import { type SyntaxNode, textOf } from "../../core/syntax-node.js";
import { startOf } from "./entry.js";

/** Maximum number of tools. A skill with more is of no use to a model. */
const maxTools = 1000;

/**
 * Reports ids that several tools have. Only the author of the source knows which of the tools is
 * right.
 *
 * @param ids nodes with the ids; undefined for a tool whose id is no node of its own
 * @param noun word of the source for the id
 */
export function reportRepeats(
  ids: readonly (SyntaxNode | undefined)[],
  noun: string,
  report: Report,
): boolean {
  const first = new Map<string, Span>();
  let hasRepeats = false;
  for (const id of ids) {
    const text = textOf(id);
    if (text === undefined || id === undefined) continue;
    const before = first.get(text);
    if (before === undefined) {
      first.set(text, id.span);
      continue;
    }
    hasRepeats = true;
    report.add({
      code: "import/repeated-tool",
      span: id.span,
      message: `two tools have the ${noun} ${quote(text)}`,
      help: `remove one of them, or give it another ${noun}`,
      related: [{ span: before, message: "the other one" }],
    });
  }
  return hasRepeats;
}

/** @param what the source, with its article: `the hub manifest has` */
export function reportTooMany(count: number, what: string, span: Span, report: Report): boolean {
  if (count <= maxTools) return false;
  report.add({
    code: "import/too-large",
    span: startOf(span),
    message: `${what} ${count} tools; an import takes at most ${maxTools}`,
    help: "divide the tools into several imports",
  });
  return true;
}
