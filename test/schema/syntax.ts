import type { JsonValue } from "../../src/core/json.js";
import type { MapEntry, SyntaxNode } from "../../src/core/syntax-node.js";

/** A value as JSON text, and its syntax tree with spans. */
export interface Written {
  readonly text: string;
  readonly node: SyntaxNode;
}

/** Prints a value as one line of JSON, with the syntax tree that a parser would return. */
export function write(value: JsonValue, file = "skills/demo/SKILL.md"): Written {
  let text = "";
  const put = (piece: string) => {
    const start = text.length;
    text += piece;
    return { file, start, end: text.length };
  };
  const scalar = (each: string | number | boolean | null) => {
    return { kind: "scalar" as const, span: put(JSON.stringify(each)), value: each };
  };
  const visit = (each: JsonValue): SyntaxNode => {
    if (typeof each !== "object" || each === null) return scalar(each);
    const start = text.length;
    if (Array.isArray(each)) {
      put("[");
      const items = each.map((item: JsonValue, index) => {
        if (index > 0) put(", ");
        return visit(item);
      });
      put("]");
      return { kind: "list", span: { file, start, end: text.length }, items };
    }
    put("{");
    const entries = Object.entries(each).map(([name, item], index): MapEntry => {
      if (index > 0) put(", ");
      const key = { kind: "scalar" as const, span: put(JSON.stringify(name)), value: name };
      put(": ");
      return { key, value: visit(item) };
    });
    put("}");
    return { kind: "map", span: { file, start, end: text.length }, entries };
  };
  const node = visit(value);
  return { text, node };
}
