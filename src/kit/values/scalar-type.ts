import { type Code, code, join } from "../../core/code.js";
import { type JsonType, lookUp } from "../../schema/look-up.js";
import type { Reachable } from "./access.js";

/**
 * Type annotation for a value whose declared type is `unknown`: one below an optional property
 * named like a member of `Object.prototype`, because TypeScript assumes that every object has that
 * member. Undefined if the declared type is more precise, or if the schema allows values other than
 * scalars and lists of scalars.
 */
export function typeToState(from: Reachable, path: readonly string[]): Code | undefined {
  if (!isHidden(from, path)) return undefined;
  const facts = lookUp(from.schema, path, from.form);
  const names = namesOf(facts.types.filter((type) => type !== "array"));
  const items = facts.types.includes("array")
    ? namesOf(lookUp(from.schema, [...path, 0], from.form).types)
    : [];
  if (names === undefined || items === undefined) return undefined;
  const item = items.length === 1 ? union(items) : code`(${union(items)})`;
  const list = items.length === 0 ? [] : [code`readonly ${item}[]`];
  return union([...names, ...list, ...(facts.presence === "always" ? [] : [code`undefined`])]);
}

/** Checks if the path is below such a property. */
export function isHidden(from: Reachable, path: readonly string[]): boolean {
  return path.some(
    (name, index) =>
      name !== "__proto__" &&
      name in Object.prototype &&
      lookUp(from.schema, path.slice(0, index + 1), from.form).presence !== "always",
  );
}

function union(types: readonly Code[]): Code {
  return join(types, code` | `);
}

/** Undefined if a type is not a scalar. */
function namesOf(types: readonly JsonType[]): readonly Code[] | undefined {
  const names = types.map((type) => scalars.get(type));
  return names.every((name) => name !== undefined) ? [...new Set(names)] : undefined;
}

const number = code`number`;
const scalars: ReadonlyMap<JsonType, Code> = new Map([
  ["string", code`string`],
  ["number", number],
  ["integer", number],
  ["boolean", code`boolean`],
  ["null", code`null`],
]);
