import type { TextTemplate } from "../text-template.js";
import type { ValueNode } from "./model.js";

/** Every template of a value, in the author's order. */
export function templatesBelow<Root extends string>(
  node: ValueNode<Root>,
): readonly TextTemplate<Root>[] {
  if (node.kind === "list") return node.items.flatMap((item) => templatesBelow(item));
  if (node.kind === "map") return node.entries.flatMap(({ value }) => templatesBelow(value));
  return node.kind === "template" ? [node.template] : [];
}
