/**
 * Policies as far as they can be decided without a call's arguments: what is left of them permits
 * whatever some arguments may be permitted, and forbids what is forbidden with any.
 */
import type { JsonValue } from "../../json/json.js";

type Entity = { readonly type: string; readonly id: string };
type EntityJson = Entity | { readonly __entity: Entity };

/** Cedar's own JSON form of a policy, as much of it as is looked at. */
export interface PolicyJson {
  readonly effect: "permit" | "forbid";
  readonly action: {
    readonly op: string;
    readonly entity?: EntityJson;
    readonly entities?: readonly EntityJson[];
  };
  readonly conditions: readonly { readonly kind: "when" | "unless"; readonly body: JsonValue }[];
}

/**
 * @returns undefined for one that may forbid only by the arguments
 */
export function withoutArguments<Policy extends PolicyJson>(policy: Policy): Policy | undefined {
  const conditions = policy.conditions.filter(({ body }) => !asksForArguments(body));
  if (conditions.length === policy.conditions.length) return policy;
  return policy.effect === "forbid" ? undefined : { ...policy, conditions };
}

/** Whether an expression needs `context.args`, or the context as a whole. */
function asksForArguments(expression: JsonValue): boolean {
  if (typeof expression !== "object" || expression === null) return false;
  if (Array.isArray(expression)) return expression.some(asksForArguments);
  return Object.entries(expression).some(([operator, operand]) => {
    // Whatever it holds is no expression.
    if (operator === "Value") return false;
    if (operator === "Var") return operand === "context";
    const attribute = attributeOfContext(operator, operand);
    return attribute === undefined ? asksForArguments(operand) : attribute === "args";
  });
}

/** The name in `context.name` and `context has name`. */
function attributeOfContext(operator: string, operand: JsonValue): string | undefined {
  if (operator !== "." && operator !== "has") return undefined;
  const { attr, left } = operand as { readonly attr?: JsonValue; readonly left?: JsonValue }; // as Cedar prints both
  const isContext = typeof left === "object" && left !== null && "Var" in left;
  return isContext && left["Var"] === "context" && typeof attr === "string" ? attr : undefined;
}
