import type { UnratedDiagnostic } from "../../core/diagnostic.js";
import { collectDiagnostics, type Report } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import type { SyntaxNode } from "../../core/syntax-node.js";
import { parseTree } from "./parse-json.js";

/** Tree of a file with its diagnostics, as plain data that threads can exchange. */
export interface ParsedFile {
  readonly tree: SyntaxNode | undefined;
  readonly diagnostics: readonly UnratedDiagnostic[];
}

export function parseFile(file: SourceFile): ParsedFile {
  const { diagnostics, report } = collectDiagnostics();
  return { tree: parseTree(file, report), diagnostics };
}

/** Reports the diagnostics, and returns the tree. */
export function treeIn(
  { diagnostics, tree }: ParsedFile,
  report: Pick<Report, "add">,
): SyntaxNode | undefined {
  for (const each of diagnostics) report.add(each);
  return tree;
}
