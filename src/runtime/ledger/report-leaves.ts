import type { JsonValue } from "../json.js";

/** One value inside a call's parameters. */
export interface Leaf {
  readonly path: string;
  readonly type: "string" | "number" | "boolean" | "null" | "array" | "object";
  /** As JSON, cut at 120 characters. */
  readonly value: string;
  /** A number's value, or how many items an array has. */
  readonly number?: number;
}

const longestValue = 120;
const longestPath = 200;
const deepest = 12;
/** Of one call. */
const mostLeaves = 2000;

/** Visits scalars, empty objects, and arrays with how many items they have. What is deeper or more than a reader could use is not visited. */
export function visitLeaves(value: JsonValue, visit: (leaf: Leaf) => void): void {
  let left = mostLeaves;
  function walk(each: JsonValue, path: string, depth: number): void {
    if (left <= 0) return;
    const name = path === "" ? "(all)" : path.slice(0, longestPath);
    if (Array.isArray(each)) {
      left -= 1;
      visit({
        path: name,
        type: "array",
        value: `${each.length} ${each.length === 1 ? "item" : "items"}`,
        number: each.length,
      });
      if (depth < deepest) for (const item of each) walk(item, `${path}[]`, depth + 1);
      return;
    }
    const entries = typeof each === "object" && each !== null ? Object.entries(each) : [];
    if (entries.length > 0 && depth < deepest) {
      for (const [key, inner] of entries) walk(inner, join(path, key), depth + 1);
      return;
    }
    left -= 1;
    visit(leafOf(name, each));
  }
  walk(value, "", 0);
}

function join(path: string, key: string): string {
  const plain = /^[\w-]{1,100}$/.test(key);
  const step = plain ? key : `[${JSON.stringify(key.slice(0, longestPath))}]`;
  return path === "" || !plain ? `${path}${step}` : `${path}.${step}`;
}

function leafOf(path: string, value: JsonValue): Leaf {
  if (typeof value === "number")
    return { path, type: "number", value: String(value), number: value };
  if (typeof value === "string")
    return { path, type: "string", value: cut(JSON.stringify(value.slice(0, longestValue + 1))) };
  if (typeof value === "boolean") return { path, type: "boolean", value: String(value) };
  if (value === null) return { path, type: "null", value: "null" };
  return { path, type: "object", value: "{…}" };
}

function cut(json: string): string {
  return json.length <= longestValue ? json : `${json.slice(0, longestValue - 1)}…`;
}
