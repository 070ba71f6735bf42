import type { Report } from "../core/report.js";
import type { SyntaxNode } from "../core/syntax-node.js";

/** Maximum number of values in one document, including referenced files. */
const maxValues = 20_000;
/**
 * Maximum depth of lists and mappings. Two or three levels make one level of the described values.
 */
const deepest = 100;

/**
 * Checks if a document is small enough to read by recursion, and reports if it isn't. Counts
 * expanded aliases, without expanding more than the limit.
 */
export function hasReadableSize(root: SyntaxNode, report: Report): boolean {
  const waiting: { readonly node: SyntaxNode; readonly depth: number }[] = [
    { node: root, depth: 0 },
  ];
  let values = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    values += 1;
    if (values > maxValues) return tooLarge(root, `has more than ${maxValues} values`, report);
    if (next.depth > deepest)
      return tooLarge(next.node, `is nested more than ${deepest} levels deep`, report);
    const depth = next.depth + 1;
    for (const node of childrenOf(next.node)) waiting.push({ node, depth });
  }
  return true;
}

function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  if (node.kind === "scalar") return [];
  return node.kind === "list" ? node.items : node.entries.map((each) => each.value);
}

function tooLarge(node: SyntaxNode, what: string, report: Report): false {
  report.add({ code: "schema/too-large", span: node.span, message: `the schema ${what}` });
  return false;
}
