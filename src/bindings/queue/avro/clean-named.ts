import { quote } from "../../../core/names.js";
import { type MapNode, type SyntaxNode, textOf, valueOf } from "../../../core/syntax-node.js";
import { didYouMean } from "../../../schema/suggestion.js";
import {
  cleanNames,
  type CleanContext as Context,
  type CleanObject,
  fault,
  simpleName,
} from "./clean-part.js";

/** The bytes of a `fixed`. */
export function cleanSize(node: MapNode, context: Context): number | undefined {
  const value = valueOf(node, "size");
  const size = value?.kind === "scalar" ? value.value : undefined;
  if (typeof size === "number" && size === (size | 0) && size >= 0) return size;
  return fault(value ?? node, "a `fixed` has a `size`, a whole number of bytes", context);
}

/** The library looks symbols up in an object that inherits these. */
const inherited: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** An enum, without its `type`. */
export function cleanEnum(node: MapNode, context: Context): CleanObject {
  const names = cleanNames(node, context);
  const symbols = valueOf(node, "symbols");
  if (symbols?.kind !== "list" || symbols.items.length === 0) {
    fault(symbols ?? node, "an enum has `symbols`, a list of names", context);
    return names;
  }
  const texts = new Set<string>();
  for (const symbol of symbols.items) texts.add(cleanSymbol(symbol, texts, context));
  const initial = valueOf(node, "default");
  if (initial !== undefined && !texts.has(textOf(initial) ?? "")) {
    const help = didYouMean(textOf(initial) ?? "", [...texts]);
    fault(initial, "the enum's `default` is none of its symbols", context, help);
  }
  return { ...names, symbols: [...texts] };
}

function cleanSymbol(node: SyntaxNode, before: ReadonlySet<string>, context: Context): string {
  const text = textOf(node) ?? "";
  if (!simpleName.test(text) || inherited.has(text)) {
    const help = "symbols are letters, digits and `_`, and start with no digit";
    const message =
      textOf(node) === undefined ? "a symbol is a name" : `${quote(text)} can't be a symbol`;
    fault(node, message, context, inherited.has(text) ? "the library has no room for it" : help);
  } else if (before.has(text)) fault(node, `the symbol ${quote(text)} stands twice`, context);
  return text;
}
