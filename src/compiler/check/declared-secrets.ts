import type { KindRegistry } from "../../bindings/registry.js";
import { block } from "../../core/skill-syntax.js";
import { type MapNode, type SyntaxNode, textOf, valueOf } from "../../core/syntax-node.js";

/**
 * Returns the values of a binding that its kind declares as secrets, each with a description. If no
 * kind has the binding's type, all kinds are asked, so that a misspelt type hides no secret.
 */
export function declaredSecrets(
  node: MapNode,
  kinds: KindRegistry,
): ReadonlyMap<SyntaxNode, string> {
  const kind = kinds.find(textOf(valueOf(node, "type")) ?? "");
  const asked = kind === undefined ? kinds.all : [kind];
  const secrets = asked.flatMap((each) => each.secrets?.(node) ?? []);
  return new Map(secrets.map((each) => [each.node, each.name]));
}

/**
 * Returns the texts of a binding that name other values, such as `step_login.output.token`. They are
 * no values themselves.
 *
 * @param owner the mapping that has the binding
 */
export function declaredPaths(
  node: MapNode,
  owner: MapNode,
  kinds: KindRegistry,
): ReadonlySet<SyntaxNode> {
  const kind = kinds.find(textOf(valueOf(node, "type")) ?? "");
  return new Set(kind?.paths?.(node, owner) ?? []);
}

/**
 * Returns the keys of bindings that a document sets for all tools of a skill, in the form of
 * bindings without a type.
 */
export function skillBindings(
  root: SyntaxNode | undefined,
  kinds: KindRegistry,
): readonly MapNode[] {
  const keys = new Set(kinds.all.flatMap(({ skillKeys = [] }) => skillKeys));
  return [root, valueOf(root, block)].flatMap((each) =>
    each?.kind === "map"
      ? each.entries
          .filter(({ key }) => keys.has(key.value))
          .map((entry) => ({ ...each, entries: [entry] }))
      : [],
  );
}
