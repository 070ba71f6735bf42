/** Finds the tools of a hub manifest, whatever its form. The file may contain anything. */
import { parseTree } from "../../compiler/parse/parse-json.js";
import type { Report } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import { entryOf, type MapNode, type SyntaxNode, valueOf } from "../../core/syntax-node.js";
import { type ReadEntry, startOf } from "../tools/entry.js";
import { reportRepeats, reportTooMany } from "../tools/repeated-tools.js";
import type { FoundEntry, HubTool } from "./hub-tool.js";
import { readTool } from "./read-tool.js";

/** Keys under which a hub's answers hold the list of tools. */
const listKeys = ["tools", "items", "data"] as const;

/**
 * Reads the entries of a hub manifest: a tool, a list of tools, an object that holds such a list, or
 * tools by their names. Undefined, with an error in `report`, if it is none of these.
 */
export function readEntries(
  file: SourceFile,
  report: Report,
): readonly ReadEntry<HubTool>[] | undefined {
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
  if (reportTooMany(found.length, "the hub manifest has", tree.span, report)) return undefined;
  const ids = found.map(({ key, node }) => (key === undefined ? valueOf(node, "id") : undefined));
  return reportRepeats(ids, "id", report) ? undefined : found.map(readTool);
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
