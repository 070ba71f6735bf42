import { parseTemplate, type Report, type SyntaxNode, textNode } from "skillc/binding";
import { graphqlTemplates, type ValueModel } from "./model.js";

/** Reads a value of `variables` or `headers`: text as a template, other scalars as a literal. */
export function readValue(node: SyntaxNode, report: Report): ValueModel {
  const text = textNode(node);
  if (text !== undefined) {
    return { kind: "template", template: parseTemplate(text, graphqlTemplates, report) };
  }
  // The binding's schema allows only scalars.
  const value = node.kind === "scalar" ? node.value : null;
  return { kind: "literal", value, span: node.span };
}
