/** A parameter of a tool, and what it is called. */
import type { JsonSchema } from "../../../core/json.js";

/** One parameter of a tool. */
export interface ToolParameter {
  /** Its name in the tool; `wire` is what the API calls it. */
  readonly name: string;
  readonly wire: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  /** Set if the `default` of its schema is sent when a caller leaves it out. */
  readonly sendsDefault?: true;
}

/** Names that mean something else where a binding refers to a parameter, or that no object has. */
const taken: ReadonlySet<string> = new Set(["caller", "__proto__"]);

/**
 * The name of a parameter, or the nearest to it that a reference and a model can hold. Of two that
 * are called alike the path's comes first, then those of query, headers, cookies and body; the
 * others say where they stand.
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

/** Model APIs take names of at most 64 characters. */
const longestName = 50;
