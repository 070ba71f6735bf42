/** A parameter of a tool, and its name. */
import type { JsonSchema } from "../../../core/json.js";

/** One parameter of a tool. */
export interface ToolParameter {
  /** Name in the tool; `wire` is the name in the API. */
  readonly name: string;
  readonly wire: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  /** Set if the `default` of its schema is sent when a caller leaves it out. */
  readonly sendsDefault?: true;
}

/** Names with another meaning in a binding's references, or that objects can't have. */
const taken: ReadonlySet<string> = new Set(["caller", "__proto__"]);

/**
 * The parameter's name, or the nearest name that references and models accept. In a conflict, the
 * order is path, query, headers, cookies, body; later ones get their place as a prefix.
 */
export function freeName(wire: string, where: string, names: Set<string>): string {
  const plain = wire
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^A-Za-z0-9_-]+/g, "_")
    .slice(0, longestName);
  const trimmed = /[^A-Za-z0-9_-]/.test(wire) ? plain.replace(/^_+|_+$/g, "") : plain;
  const isFree = (name: string): boolean => name !== "" && !taken.has(name) && !names.has(name);
  const own = `${where}_${trimmed.replace(/^_+|_+$/g, "") || "value"}`;
  let name = isFree(trimmed) ? trimmed : own;
  for (let number = 2; !isFree(name); number += 1) name = `${own}_${number}`;
  names.add(name);
  return name;
}

/** Maximum length of a name. Model APIs accept at most 64 characters. */
const longestName = 50;
