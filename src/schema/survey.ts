import type { Report } from "../core/report.js";
import { type MapEntry, type MapNode, type SyntaxNode, textOf } from "../core/syntax-node.js";
import { checkKeywords } from "./check-keywords.js";
import { checkRequired } from "./check-required.js";
import { checkMetaschema } from "./check-metaschema.js";
import type { Library, Resource } from "./library.js";
import { resolveReference, type TextNode } from "./resolve-reference.js";
import { sourceSubschemas, subschemasInPlace } from "./source-subschemas.js";
import { reportUnknownKeywords, type UnknownKeyword, unknownKeywords } from "./unknown-keywords.js";

/** Results of a first walk over a document and all schemas that it refers to. */
export interface Survey {
  /** The schemas that a schema's references lead to. */
  readonly references: ReadonlyMap<SyntaxNode, readonly SyntaxNode[]>;
  /** Every schema that something refers to, in order of first mention, with a name for it. */
  readonly targets: ReadonlyMap<SyntaxNode, string>;
}

/** Follows every reference from `root`, checking each schema on the way once. */
export function survey(root: SyntaxNode, library: Library, report: Report): Survey {
  const references = new Map<SyntaxNode, readonly SyntaxNode[]>();
  const targets = new Map<SyntaxNode, string>();
  const seen = new Set<SyntaxNode>();
  const waiting: SyntaxNode[] = [root];
  /** Schemas that describe a value together with the surrounding schema. */
  const parts = new Set<SyntaxNode>();
  const unknown: UnknownKeyword[] = [];

  const follow = (entry: MapEntry, resource: Resource): readonly SyntaxNode[] => {
    const reference = entry.value;
    if (!isText(reference) || !isStatic(entry.key.value, reference, library, report)) return [];
    const target = resolveReference(reference, resource, library, report);
    if (target === undefined) return [];
    if (!seen.has(target.node)) library.adopt(target.node, target.resource);
    if (!targets.has(target.node)) targets.set(target.node, nameForReference(reference.value));
    if (!library.isShared(target.node)) waiting.push(target.node);
    return [target.node];
  };

  const visit = (node: SyntaxNode): void => {
    const resource = library.resourceOf(node);
    if (seen.has(node) || resource === undefined) return;
    seen.add(node);
    if (node.kind !== "map") return;
    checkKeywords(node, resource.dialect, report);
    unknown.push(...unknownKeywords(node, resource.dialect));
    if (!parts.has(node)) checkRequired(node, resource.dialect, report);
    for (const part of subschemasInPlace(node, resource.dialect)) parts.add(part);
    const found = referencesIn(node, resource).flatMap((entry) => follow(entry, resource));
    if (found.length > 0) references.set(node, found);
    for (const inner of sourceSubschemas(node, resource.dialect)) visit(inner);
  };

  for (const node of waiting) {
    const dialect = library.resourceOf(node)?.dialect;
    if (seen.has(node) || dialect === undefined) continue;
    if (checkMetaschema(node, dialect, report)) visit(node);
  }
  reportUnknownKeywords(unknown, report);
  return { references, targets };
}

function referencesIn(node: MapNode, { dialect }: Resource): readonly MapEntry[] {
  const keys =
    dialect === "draft-07"
      ? ["$ref"]
      : dialect === "2019-09"
        ? ["$ref", "$recursiveRef"]
        : ["$ref", "$dynamicRef"];
  return node.entries.filter((each) => keys.includes(each.key.value));
}

/** A dynamic reference with a single candidate means the same as a plain one. */
function isStatic(key: string, reference: TextNode, library: Library, report: Report): boolean {
  if (key === "$ref") return true;
  const anchor =
    key === "$recursiveRef" ? "" : reference.value.slice(reference.value.indexOf("#") + 1);
  if (library.dynamicAnchors(anchor) <= 1) return true;
  report.add({
    code: "schema/unsupported",
    span: reference.span,
    message: `\`${key}\` has more than one schema to choose from`,
    help: "use `$ref` to name the schema that you mean",
  });
  return false;
}

function isText(node: SyntaxNode): node is TextNode {
  return textOf(node) !== undefined;
}

/** Derives a name from a reference: `line` from `#/$defs/line`, `order` from `./order.json`. */
function nameForReference(reference: string): string {
  const [file = "", fragment = ""] = reference.split("#", 2);
  const last = fragment.split("/").at(-1);
  if (last) return last;
  return (
    file
      .split("/")
      .at(-1)
      ?.replace(/\.[^.]*$/, "") || "root"
  );
}
