import { ts } from "ts-morph";

/** Shape of a generated module, without the texts that an author may choose. */
export interface ModuleShape {
  /**
   * Kinds of all nodes and all identifiers, in order. Author texts are replaced with `name` and
   * `text`.
   */
  readonly nodes: readonly string[];
  /** Number of occurrences of each string literal and property name. */
  readonly texts: ReadonlyMap<string, number>;
  /** Comments with a meaning for TypeScript: directives, references, documentation tags. */
  readonly orders: readonly string[];
}

/** @throws Error if the module has a syntax error */
export function shapeOf(path: string, text: string): ModuleShape {
  const file = ts.createSourceFile(
    path,
    text,
    ts.ScriptTarget.ESNext,
    true,
    ts.ScriptKind.TS,
  ) as ParsedFile;
  const fault = file.parseDiagnostics[0];
  if (fault !== undefined) {
    throw new Error(
      `${path}: ${ts.flattenDiagnosticMessageText(fault.messageText, " ")} at ${fault.start}`,
    );
  }
  const nodes: string[] = [];
  const texts = new Map<string, number>();
  const orders = ordersOf(file);
  const visit = (node: ts.Node): void => {
    orders.push(...ts.getJSDocTags(node).map((tag) => `@${tag.tagName.text}`));
    const own = textOf(node);
    if (own !== undefined) texts.set(own, (texts.get(own) ?? 0) + 1);
    nodes.push(own === undefined ? labelOf(node) : "text");
    // Dots and brackets count as the same, and so do bare and quoted names.
    if (own === undefined) ts.forEachChild(node, visit);
  };
  visit(file);
  return { nodes, texts, orders: [...new Set(orders)].toSorted() };
}

/** Parts of a parsed file that are not in TypeScript's public types. */
interface ParsedFile extends ts.SourceFile {
  readonly parseDiagnostics: readonly ts.DiagnosticWithLocation[];
  readonly commentDirectives?: readonly unknown[];
  readonly pragmas: ReadonlyMap<string, unknown>;
}

function ordersOf(file: ParsedFile): string[] {
  const references = [
    ...file.referencedFiles,
    ...file.typeReferenceDirectives,
    ...file.libReferenceDirectives,
  ];
  return [
    ...file.pragmas.keys(),
    ...(file.commentDirectives ?? []).map(() => "directive"),
    ...references.map(() => "reference"),
  ];
}

/**
 * Returns the text of a node that may contain author text. The form of a property's name doesn't
 * matter.
 */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node)) return node.text;
  if (ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal)) return node.literal.text;
  if (ts.isComputedPropertyName(node) && ts.isStringLiteral(node.expression))
    return node.expression.text;
  const parent = node.parent;
  if (!ts.isIdentifier(node) || parent === undefined) return undefined;
  const isName =
    ((ts.isPropertySignature(parent) || ts.isPropertyAssignment(parent)) && parent.name === node) ||
    (ts.isPropertyAccessExpression(parent) && parent.name === node);
  return isName ? node.text : undefined;
}

function labelOf(node: ts.Node): string {
  if (ts.isIdentifier(node)) return typeName.test(node.text) ? "type" : node.text;
  if (ts.isNumericLiteral(node)) return node.text;
  if (ts.isElementAccessExpression(node) && ts.isStringLiteral(node.argumentExpression)) {
    return ts.SyntaxKind[ts.SyntaxKind.PropertyAccessExpression] ?? "";
  }
  return ts.SyntaxKind[node.kind] ?? "";
}

/** Names of types end in words from the author's titles and keys. */
const typeName = /^(Send|Find)(Params|Arguments|Data)[A-Za-z0-9]*$/;
