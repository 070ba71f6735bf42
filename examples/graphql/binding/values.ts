import { parseTemplate, type Report, type SyntaxNode, textNode } from "skillc/binding";
import { graphqlTemplates, type ValueModel } from "./model.js";

/** A value of `variables` or `headers`: a template if it is text, itself otherwise. */
export function readValue(node: SyntaxNode, report: Report): ValueModel {
  const text = textNode(node);
  if (text !== undefined) {
    return { kind: "template", template: parseTemplate(text, graphqlTemplates, report) };
  }
  // The binding's schema lets nothing but scalars through.
  const value = node.kind === "scalar" ? node.value : null;
  return { kind: "literal", value, span: node.span };
}
