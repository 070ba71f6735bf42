/** Reads fields of a tool. A field of another type is a reason to leave the tool out. */
import { quote } from "../../core/names.js";
import type { Span } from "../../core/span.js";
import {
  type MapNode,
  roundedScalars,
  type SyntaxNode,
  textOf,
  valueOf,
} from "../../core/syntax-node.js";

/** Reports a reason why the entry can't become a tool. */
export type Fail = (span: Span, message: string, help?: string) => undefined;

/** Returns the value of a field; undefined if it is absent or null. */
export function given(node: MapNode, field: string): SyntaxNode | undefined {
  const value = valueOf(node, field);
  return value?.kind === "scalar" && value.value === null ? undefined : value;
}

export function textIn(node: MapNode, field: string, fail: Fail): string | undefined {
  const value = given(node, field);
  return value && (textOf(value) ?? fail(value.span, `${quote(field)} is not text`));
}

/** Returns the value, unless JavaScript would round a number in it. */
export function unrounded(value: SyntaxNode, fail: Fail): SyntaxNode | undefined {
  const [rounded] = roundedScalars(value);
  return rounded === undefined
    ? value
    : fail(
        rounded.span,
        "JavaScript can't hold this integer without rounding it",
        "write a smaller number, or text",
      );
}
