/** Finds the definitions in files. The files may contain anything. */
import { parseTree } from "../../compiler/parse/parse-json.js";
import type { Report } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import { entryOf, type SyntaxNode, textOf, valueOf } from "../../core/syntax-node.js";
import { type ReadEntry, startOf } from "../tools/entry.js";
import { reportRepeats, reportTooMany } from "../tools/repeated-tools.js";
import type { AgentTool } from "./definition.js";
import { readDefinition } from "./read-definition.js";

/**
 * Reads the definitions of all files. Undefined, with an error in `report`, if one of the files has
 * none, because the import would then remove its tools.
 */
export function readDefinitions(
  files: readonly SourceFile[],
  report: Report,
): readonly ReadEntry<AgentTool>[] | undefined {
  const errors = report.errorCount();
  const nodes = files.flatMap((file) => definitionsIn(file, report));
  const [first] = nodes;
  if (first === undefined || report.errorCount() > errors) return undefined;
  if (reportTooMany(nodes.length, "the files have", first.span, report)) return undefined;
  const names = nodes.map((each) => valueOf(each, "name"));
  if (reportRepeats(names, "name", report)) return undefined;
  return nodes.map((node, index) =>
    readDefinition({ node, position: index + 1, span: startOf(node.span) }),
  );
}

function definitionsIn(file: SourceFile, report: Report): readonly SyntaxNode[] {
  const errors = report.errorCount();
  const tree = parseTree(file, report);
  if (tree === undefined || report.errorCount() > errors) return [];
  const nodes = tree.kind === "list" ? tree.items : [tree];
  // One entry must look like a definition, so that another JSON file is not taken for some.
  if (nodes.some(isDefinition)) return nodes;
  report.add({
    code: "import/unknown-format",
    span: startOf(tree.span),
    message:
      tree.kind === "list" && nodes.length === 0
        ? "the file has no tool definitions"
        : "this is not a tool definition",
    help: "a tool definition has a `name`, and a list under `parameters`; a file has one definition, or a list of them",
  });
  return [];
}

function isDefinition(node: SyntaxNode): boolean {
  const says = ["parameters", "output_schema", "category"];
  return (
    textOf(valueOf(node, "name")) !== undefined &&
    says.some((key) => entryOf(node, key) !== undefined)
  );
}
