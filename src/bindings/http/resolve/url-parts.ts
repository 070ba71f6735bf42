import { spanWithin } from "../../../core/syntax-node.js";
import type { LiteralPart, TextNode, TextPart } from "../../../kit/text-template.js";

/** A part of a URL's text. */
export type UrlTextPart = TextPart<"caller">;

/**
 * Cuts the parts at the first literal `separator`, which belongs to neither side; `after` is
 * undefined when it isn't there.
 */
export function cut(
  node: TextNode,
  parts: readonly UrlTextPart[],
  separator: string,
): { readonly before: readonly UrlTextPart[]; readonly after?: readonly UrlTextPart[] } {
  for (const [index, part] of parts.entries()) {
    const found = part.kind === "literal" ? part.text.indexOf(separator) : -1;
    if (part.kind !== "literal" || found === -1) continue;
    const before = sliceLiteral(node, part, 0, found);
    const after = sliceLiteral(node, part, found + separator.length, part.text.length);
    return {
      before: [...parts.slice(0, index), ...before],
      after: [...after, ...parts.slice(index + 1)],
    };
  }
  return { before: parts };
}

/** Splits the parts at literal separators, into one list more than there are separators. */
export function split(
  node: TextNode,
  parts: readonly UrlTextPart[],
  separator: string,
): readonly (readonly UrlTextPart[])[] {
  const lists: UrlTextPart[][] = [[]];
  for (const part of parts) {
    if (part.kind !== "literal") {
      lists.at(-1)?.push(part);
      continue;
    }
    let from = 0;
    for (const [index, text] of part.text.split(separator).entries()) {
      if (index > 0) lists.push([]);
      lists.at(-1)?.push(...sliceLiteral(node, part, from, from + text.length));
      from += text.length + separator.length;
    }
  }
  return lists;
}

/** The parts from that offset of the scalar's value on. */
export function partsFrom(
  node: TextNode,
  parts: readonly UrlTextPart[],
  offset: number,
): readonly UrlTextPart[] {
  return parts.flatMap((part): readonly UrlTextPart[] => {
    if (part.start >= offset) return [part];
    if (part.end <= offset || part.kind !== "literal") return [];
    return sliceLiteral(node, part, offset - part.start, part.text.length);
  });
}

function sliceLiteral(
  node: TextNode,
  part: LiteralPart,
  from: number,
  to: number,
): readonly LiteralPart[] {
  if (from === to) return [];
  const start = part.start + from;
  const end = to === part.text.length ? part.end : part.start + to;
  const text = part.text.slice(from, to);
  return [{ kind: "literal", text, start, end, span: spanWithin(node, start, end) }];
}

/** The literal text before the first placeholder. */
export function leadingText(parts: readonly UrlTextPart[]): string {
  const end = parts.findIndex((part) => part.kind !== "literal");
  return textOfLiterals(end === -1 ? parts : parts.slice(0, end));
}

/** Joins the text of all literals. */
export function textOfLiterals(parts: readonly UrlTextPart[]): string {
  return parts.map((part) => (part.kind === "literal" ? part.text : "")).join("");
}

/** The span from the first part to the last; if there are no parts, an empty one at `otherwise`. */
export function spanOf(node: TextNode, parts: readonly UrlTextPart[], otherwise: number) {
  const start = parts[0]?.start ?? otherwise;
  return spanWithin(node, start, parts.at(-1)?.end ?? start);
}
