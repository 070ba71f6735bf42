import { type Code, code, join, literal, member, nothing } from "../../core/code.js";
import type { JsonValue } from "../../core/json.js";
import type { LinkedPathStep } from "../../core/value-path.js";

/** TypeScript widens a scalar to `string` or `number` before it looks at the tool's parameters. */
export function constantCode(value: JsonValue): Code {
  const isScalar = value !== null && typeof value !== "object";
  return isScalar ? code`${literal(value)} as const` : literal(value);
}

/** Code that reads a path below a value. */
export function pathCode(root: Code, [next, ...rest]: readonly LinkedPathStep[]): Code {
  if (next === undefined) return root;
  const { optional, step } = next;
  if (typeof step === "string") return pathCode(join([root, member(step, optional)]), rest);
  if (typeof step === "number")
    return pathCode(code`${root}${optional ? code`?.` : nothing}[${literal(step)}]`, rest);
  if (rest.length === 0) return root;
  const dot = optional ? code`?.` : code`.`;
  const inner = pathCode(code`each`, rest);
  const isFlat = rest.some((each) => typeof each.step === "object");
  return isFlat
    ? code`${root}${dot}flatMap((each) => ${inner} ?? [])`
    : code`${root}${dot}map((each) => ${inner})`;
}
