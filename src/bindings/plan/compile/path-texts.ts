/** Finds the texts of a plan that are paths, and no values, before anything else is known of it. */
import { type MapNode, type SyntaxNode, textOf, valueOf } from "../../../core/syntax-node.js";
import { readPath } from "../../../kit/sources/source-path.js";

/**
 * Returns the texts in places of paths that begin with a parameter, a step, an item, the state or the
 * caller. Any other text could be a value that its author took for a source.
 *
 * @param owner the mapping of the tool
 */
export function pathTexts(binding: MapNode, owner: MapNode): readonly SyntaxNode[] {
  const parameters = new Set(
    [owner, valueOf(valueOf(owner, "parameters"), "properties")].flatMap(keysOf),
  );
  return sourcesOf(binding).flatMap((node) => {
    const text = textOf(node);
    const path = text === undefined ? undefined : readPath(text);
    if (path === undefined || "code" in path) return [];
    const isKnown = path.root.from !== "params" || parameters.has(String(path.steps[0]));
    return isKnown ? [node] : [];
  });
}

function keysOf(node: SyntaxNode | undefined): readonly string[] {
  return node?.kind === "map" ? node.entries.map(({ key }) => key.value) : [];
}

/** Values in places of sources; of the long form, its path. */
function sourcesOf(binding: MapNode): readonly SyntaxNode[] {
  const steps = valueOf(binding, "steps");
  const output = valueOf(binding, "output");
  const sources = [
    ...(steps?.kind === "list" ? steps.items : []).flatMap((step) => [
      valueOf(step, "for_each"),
      valueOf(valueOf(step, "when"), "source"),
      ...valuesOf(valueOf(step, "bindings")),
    ]),
    output,
    ...valuesOf(output),
  ];
  return sources.flatMap((each) => (each === undefined ? [] : [valueOf(each, "source") ?? each]));
}

function valuesOf(node: SyntaxNode | undefined): readonly SyntaxNode[] {
  return node?.kind === "map" ? node.entries.map(({ value }) => value) : [];
}
