/** Finds out from Cedar's JSON form whether a policy reads an argument. */
import type { JsonValue } from "../../json/json.js";

interface Conditions {
  readonly conditions: readonly { readonly body: JsonValue }[];
}

/**
 * Returns whether a policy reads the value at a path of the arguments, or a value that contains it.
 * `has` only tests for presence, so it doesn't count.
 *
 * @param place property names, outermost first
 */
export function readsArgument(conditions: Conditions, place: readonly string[]): boolean {
  return readsContext(conditions, ["args", ...place]);
}

/** Returns the same for any value of the context. */
export function readsContext({ conditions }: Conditions, whole: readonly string[]): boolean {
  return conditions.some(({ body }) =>
    readsIn(body).some((read) =>
      read.every((name, at) => at >= whole.length || name === whole[at]),
    ),
  );
}

/** Returns the paths of the context that an expression reads. */
function readsIn(node: JsonValue): readonly (readonly string[])[] {
  if (typeof node !== "object" || node === null) return [];
  if (Array.isArray(node)) return node.flatMap((each: JsonValue) => readsIn(each));
  const path = pathOf(node);
  if (path !== undefined) return [path];
  return Object.entries(node).flatMap(([operator, operand]) => {
    // A literal contains no expression.
    if (operator === "Value") return [];
    if (operator === "has" && pathOf(leftOf(operand)) !== undefined) return [];
    return readsIn(operand);
  });
}

/** Returns the path of an access to the context; undefined for other expressions. */
function pathOf(node: JsonValue | undefined): readonly string[] | undefined {
  if (typeof node !== "object" || node === null || !("Var" in node || "." in node))
    return undefined;
  if ("Var" in node) return node["Var"] === "context" ? [] : undefined;
  const access = node["."] as { readonly attr?: JsonValue }; // as Cedar prints it
  const before = pathOf(leftOf(node["."]));
  return before && [...before, String(access.attr)];
}

function leftOf(operand: JsonValue | undefined): JsonValue | undefined {
  return (operand as { readonly left?: JsonValue } | undefined)?.left; // as Cedar prints it
}
