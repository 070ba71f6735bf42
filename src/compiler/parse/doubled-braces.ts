import { isMap, isScalar, type ParsedNode } from "yaml";

/** The name in a placeholder as other template languages have it, unquoted: `{{q}}`, which YAML reads as a mapping for a key. */
export function nameInDoubledBraces(node: ParsedNode): string | undefined {
  const inner = onlyKey(node);
  const name = inner === undefined ? undefined : onlyKey(inner);
  return isScalar(name) && typeof name.value === "string" ? name.value : undefined;
}

/** The key of a mapping in braces that has one key, and no value. */
function onlyKey(node: ParsedNode): ParsedNode | undefined {
  if (!isMap(node) || node.flow !== true) return undefined;
  const [only, ...others] = node.items;
  if (only === undefined || others.length > 0) return undefined;
  const isEmpty = only.value === null || (isScalar(only.value) && only.value.source === "");
  return isEmpty ? only.key : undefined;
}
