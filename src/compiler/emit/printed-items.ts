import type { Style } from "../../core/style.js";

/**
 * How items of a document's own lists were printed: the catalog has an item for each skill, and is
 * printed whenever one of them changes. What an item holds is then not even looked at.
 */
const printed = new WeakMap<object, Map<string, string>>();

const keyOf = (style: Style): string => JSON.stringify(style);

/** @param style of JSON */
export function printedItem(item: object, style: Style): string | undefined {
  return printed.get(item)?.get(keyOf(style));
}

/** @param text over several lines, so that it doesn't depend on what stands around it */
export function rememberItem(item: object, style: Style, text: string): void {
  const known = printed.get(item) ?? new Map<string, string>();
  known.set(keyOf(style), text);
  printed.set(item, known);
}
