/** Finds the tools of a hub manifest, whatever its form. The file may contain anything. */
import { parseTree } from "../../compiler/parse/parse-json.js";
import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import type { Span } from "../../core/span.js";
import { entryOf, type MapNode, type SyntaxNode, textOf, valueOf } from "../../core/syntax-node.js";
import type { FoundEntry, ReadEntry } from "./hub-tool.js";
import { readTool } from "./read-tool.js";

/** Keys under which a hub's answers hold the list of tools. */
const listKeys = ["tools", "items", "data"] as const;

/** Maximum number of tools. A skill with more is of no use to a model. */
const maxTools = 1000;

/**
 * Reads the entries of a hub manifest: a tool, a list of tools, an object that holds such a list, or
 * tools by their names. Undefined, with an error in `report`, if it is none of these.
 */
export function readEntries(file: SourceFile, report: Report): readonly ReadEntry[] | undefined {
  const errors = report.errorCount();
  const tree = parseTree(file, report);
  if (tree === undefined || report.errorCount() > errors) return undefined;
  const found = entriesIn(tree);
  if (found === undefined || found.length === 0) {
    report.add({
      code: "import/unknown-format",
      span: startOf(tree.span),
      message: found === undefined ? "this is not a hub manifest" : "the hub manifest has no tools",
      help: "a hub manifest is a tool with `id` and `command`, a list of such tools, an object with the list under `tools`, or `{ name: { cmd } }`",
    });
    return undefined;
  }
  if (found.length > maxTools) {
    report.add({
      code: "import/too-large",
      span: startOf(tree.span),
      message: `the hub manifest has ${found.length} tools; an import takes at most ${maxTools}`,
      help: "divide the hub manifest into several files",
    });
    return undefined;
  }
  return reportRepeats(found, report) ? undefined : found.map(readTool);
}

function entriesIn(node: SyntaxNode): readonly FoundEntry[] | undefined {
  if (node.kind === "list")
    return node.items.map((each, index) => ({
      node: each,
      position: index + 1,
      span: startOf(each.span),
    }));
  if (node.kind !== "map") return undefined;
  if (isTool(node) && entryOf(node, "id") !== undefined)
    return [{ node, position: 1, span: startOf(node.span) }];
  for (const key of listKeys) {
    const held = valueOf(node, key);
    if (held?.kind === "list" || (held?.kind === "map" && !isTool(held))) return entriesIn(held);
  }
  // One entry must look like a tool, so that another JSON file is not taken for a hub manifest.
  if (!node.entries.some(({ value }) => isTool(value)))
    return node.entries.length === 0 ? [] : undefined;
  return node.entries.map(({ key, value }, index) => ({
    key: key.value,
    node: value,
    position: index + 1,
    span: key.span,
  }));
}

function isTool(node: SyntaxNode): node is MapNode {
  return ["command", "cmd"].some((key) => entryOf(node, key) !== undefined);
}

/** Reports ids that several tools have, because only the hub knows which of them is right. */
function reportRepeats(entries: readonly FoundEntry[], report: Report): boolean {
  const first = new Map<string, Span>();
  let hasRepeats = false;
  for (const { key, node } of entries) {
    const id = key === undefined ? valueOf(node, "id") : undefined;
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
      message: `two tools have the id ${quote(text)}`,
      help: "remove one of them, or give it another id",
      related: [{ span: before, message: "the other one" }],
    });
  }
  return hasRepeats;
}

function startOf(span: Span): Span {
  return { ...span, end: Math.min(span.end, span.start + 1) };
}
