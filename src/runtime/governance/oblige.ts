/**
 * What obligations make of an answer. The answer itself is never changed: parts that stay are
 * shared.
 */
import { RE2JS } from "re2js";
import type { AnyResult } from "../result.js";
import type { Obligation } from "./policy.js";

/** What stands in place of a masked value, and of text that is redacted. */
export const obligedText = "***";

type Action = Obligation["action"];

export function oblige(result: AnyResult, action: Action): AnyResult {
  if (!("data" in result)) return result;
  if (action.do === "watermark") return { ...result, watermark: action.text } as AnyResult;
  return { ...result, data: changed(result.data, action.at, 0, action) } as AnyResult;
}

type DataAction = Exclude<Action, { readonly do: "watermark" }>;

/** @param path names of properties, and `*` for every item of a list, or property of an object */
function changed(
  value: unknown,
  path: readonly string[],
  depth: number,
  action: DataAction,
): unknown {
  const step = path[depth];
  if (step === undefined)
    return action.do === "redact" ? redacted(value, action.pattern) : obligedText;
  const isDropped = action.do === "drop" && depth === path.length - 1;
  const isMeant = (name: string): boolean => step === "*" || step === name;
  if (Array.isArray(value)) {
    if (step !== "*") return value;
    return isDropped ? [] : value.map((each) => changed(each, path, depth + 1, action));
  }
  if (typeof value !== "object" || value === null) return value;
  const entries: [string, unknown][] = Object.entries(value);
  // Own properties: one named `__proto__` stays one.
  if (isDropped) return Object.fromEntries(entries.filter(([name]) => !isMeant(name)));
  for (const entry of entries)
    if (isMeant(entry[0])) entry[1] = changed(entry[1], path, depth + 1, action);
  return Object.fromEntries(entries);
}

const patterns = new Map<string, RE2JS>();

function redacted(value: unknown, pattern: string): unknown {
  if (typeof value === "string") return compiled(pattern).matcher(value).replaceAll(obligedText);
  if (Array.isArray(value)) return value.map((each) => redacted(each, pattern));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, redacted(each, pattern)]),
  );
}

/**
 * RE2 takes a number of steps that is linear in the text; the compiler has checked that it takes
 * the pattern.
 */
function compiled(pattern: string): RE2JS {
  let known = patterns.get(pattern);
  if (known === undefined) patterns.set(pattern, (known = RE2JS.compile(pattern)));
  return known;
}
