import type { MapNode, SyntaxNode } from "../../core/syntax-node.js";

/** A `binding:` in the source, even if it is invalid. */
export interface WrittenBinding {
  readonly node: MapNode;
  /** Name of the tool; undefined if the binding is outside every tool. */
  readonly tool: string | undefined;
  /** The mapping that has the binding. */
  readonly owner: MapNode;
}

/** Keys with schemas. A `binding` inside a schema is a property. */
export const schemaKeys = /^(parameters|params|returns|schema|.*_schema)$/;
const toolKeys = /^tools(_schema)?$/;

/** Lists every `binding:` of a document. */
export function bindingsIn(root: SyntaxNode | undefined): readonly WrittenBinding[] {
  return bindingsBelow(root, []);
}

/** @param owner key of the node, and the key above */
function bindingsBelow(
  node: SyntaxNode | undefined,
  owner: readonly string[],
): readonly WrittenBinding[] {
  if (node?.kind !== "map") return [];
  const [tool, above = ""] = owner;
  return node.entries.flatMap(({ key, value }) => {
    if (key.value === "binding" && value.kind === "map") {
      return [{ node: value, tool: toolKeys.test(above) ? tool : undefined, owner: node }];
    }
    const isNameOfTool = tool !== undefined && toolKeys.test(tool);
    const isSchema = schemaKeys.test(key.value) && !toolKeys.test(key.value);
    return isSchema && !isNameOfTool ? [] : bindingsBelow(value, [key.value, ...owner.slice(0, 1)]);
  });
}
