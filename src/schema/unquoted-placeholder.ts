import { shown } from "../core/names.js";
import type { SyntaxNode } from "../core/syntax-node.js";

/** A placeholder without quotes, and the help for it. */
export interface UnquotedPlaceholder {
  /** The text between the braces. */
  readonly name: string;
  readonly message: string;
  readonly help: string;
}

/**
 * Detects a placeholder without quotes. YAML reads `who: {customer_id}` as a mapping with one empty
 * value, which is never intended for text.
 */
export function unquotedPlaceholder(node: SyntaxNode): UnquotedPlaceholder | undefined {
  const [only, ...others] = node.kind === "map" ? node.entries : [];
  if (only === undefined || others.length > 0) return undefined;
  const { key, value } = only;
  const isFlow = node.span.start < key.span.start;
  const isEmpty =
    value.kind === "scalar" && value.value === null && value.span.start >= value.span.end;
  if (!isFlow || !isEmpty) return undefined;
  const placeholder = `{${shown(key.value)}}`;
  return {
    name: key.value,
    message: `\`${placeholder}\` without quotes is a mapping with an empty value`,
    help: `write \`"${placeholder}"\``,
  };
}
