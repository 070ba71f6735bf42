/**
 * Reduces policies to what can be decided without a call's arguments. The reduced policies permit a
 * call if some arguments may be permitted, and forbid it if it is forbidden with all arguments.
 */
import type { JsonValue } from "../../json/json.js";

type Entity = { readonly type: string; readonly id: string };
type EntityJson = Entity | { readonly __entity: Entity };

/** The parts of Cedar's JSON form of a policy that are used here. */
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
 * Removes conditions on arguments.
 *
 * @returns undefined for a `forbid` policy with conditions on arguments
 */
export function withoutArguments<Policy extends PolicyJson>(policy: Policy): Policy | undefined {
  const conditions = policy.conditions.filter(({ body }) => !asksForArguments(body));
  if (conditions.length === policy.conditions.length) return policy;
  return policy.effect === "forbid" ? undefined : { ...policy, conditions };
}

/** Attributes of the context that depend on a call's arguments. */
const ofArguments: ReadonlySet<string> = new Set(["args", "paths", "within"]);

/** Returns whether an expression uses such an attribute, or the whole context. */
function asksForArguments(expression: JsonValue): boolean {
  if (typeof expression !== "object" || expression === null) return false;
  if (Array.isArray(expression)) return expression.some(asksForArguments);
  return Object.entries(expression).some(([operator, operand]) => {
    // A literal contains no expression.
    if (operator === "Value") return false;
    if (operator === "Var") return operand === "context";
    const attribute = attributeOfContext(operator, operand);
    return attribute === undefined ? asksForArguments(operand) : ofArguments.has(attribute);
  });
}

/** Returns the name in `context.name` or `context has name`. */
function attributeOfContext(operator: string, operand: JsonValue): string | undefined {
  if (operator !== "." && operator !== "has") return undefined;
  const { attr, left } = operand as { readonly attr?: JsonValue; readonly left?: JsonValue }; // as Cedar prints both
  const isContext = typeof left === "object" && left !== null && "Var" in left;
  return isContext && left["Var"] === "context" && typeof attr === "string" ? attr : undefined;
}
