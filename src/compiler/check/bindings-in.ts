import type { MapNode, SyntaxNode } from "../../core/syntax-node.js";

/** A `binding:` as it is written, whether anything came of it or not. */
export interface WrittenBinding {
  readonly node: MapNode;
  /** The tool's name; undefined when the binding stands nowhere in a tool. */
  readonly tool: string | undefined;
}

/** Schemas describe values and hold none; whatever is called `binding` there is a property. */
export const schemaKeys = /^(parameters|params|returns|schema|.*_schema)$/;
const toolKeys = /^tools(_schema)?$/;

/** Every `binding:` of a document. */
export function bindingsIn(root: SyntaxNode | undefined): readonly WrittenBinding[] {
  return bindingsBelow(root, []);
}

/** @param owner the key that the node stands under, and the one above that */
function bindingsBelow(
  node: SyntaxNode | undefined,
  owner: readonly string[],
): readonly WrittenBinding[] {
  if (node?.kind !== "map") return [];
  const [tool, above = ""] = owner;
  return node.entries.flatMap(({ key, value }) => {
    if (key.value === "binding" && value.kind === "map") {
      return [{ node: value, tool: toolKeys.test(above) ? tool : undefined }];
    }
    const isNameOfTool = tool !== undefined && toolKeys.test(tool);
    const isSchema = schemaKeys.test(key.value) && !toolKeys.test(key.value);
    return isSchema && !isNameOfTool ? [] : bindingsBelow(value, [key.value, ...owner.slice(0, 1)]);
  });
}
