/** Whether a policy decides by an argument, from Cedar's own JSON form of it. */
import type { JsonValue } from "../../json/json.js";

interface Conditions {
  readonly conditions: readonly { readonly body: JsonValue }[];
}

/**
 * Whether a policy reads the value at a place of the arguments, or one that holds it. To ask whether
 * it is there (`has`) is not to read it.
 *
 * @param place property names, outermost first
 */
export function readsArgument({ conditions }: Conditions, place: readonly string[]): boolean {
  const whole = ["args", ...place];
  return conditions.some(({ body }) =>
    readsIn(body).some((read) =>
      read.every((name, at) => at >= whole.length || name === whole[at]),
    ),
  );
}

/** What is read of the context, each by its property names. */
function readsIn(node: JsonValue): readonly (readonly string[])[] {
  if (typeof node !== "object" || node === null) return [];
  if (Array.isArray(node)) return node.flatMap((each: JsonValue) => readsIn(each));
  const path = pathOf(node);
  if (path !== undefined) return [path];
  return Object.entries(node).flatMap(([operator, operand]) => {
    // Whatever it holds is no expression.
    if (operator === "Value") return [];
    if (operator === "has" && pathOf(leftOf(operand)) !== undefined) return [];
    return readsIn(operand);
  });
}

/** The properties of the context, one below the other; undefined for any other expression. */
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
