/**
 * What obligations make of an answer. The answer itself is never changed: parts that stay are
 * shared.
 */
import { RE2JS } from "re2js";
import { deepestJson } from "../json/json.js";
import type { AnyResult } from "../result.js";
import type { Obligation } from "./policy.js";

/** What stands in place of a masked value, and of text that is redacted. */
const obligedText = "***";

type Action = Obligation["action"];

/** @throws TooDeep for data that nest deeper than JSON may here, on the way to what is changed */
export function oblige(result: AnyResult, action: Action): AnyResult {
  if (!("data" in result)) return result;
  if (action.do === "watermark") return { ...result, watermark: action.text } as AnyResult;
  return { ...result, data: changed(result.data, action.at, 0, action) } as AnyResult;
}

type DataAction = Exclude<Action, { readonly do: "watermark" }>;

/** An obligation can't be met: the answer has more levels than JSON may have here. */
export class TooDeep extends Error {
  override readonly name = "TooDeep";
}

/** @param path names of properties, and `*` for every item of a list, or property of an object */
function changed(
  value: unknown,
  path: readonly string[],
  depth: number,
  action: DataAction,
): unknown {
  requireLevel(depth);
  const step = path[depth];
  // Of bytes there are no parts, and no text: those that something must be hidden in are hidden.
  if (ArrayBuffer.isView(value))
    return action.do === "drop" || step !== undefined ? value : obligedText;
  if (step === undefined)
    return action.do === "redact" ? redacted(value, depth, action.pattern) : obligedText;
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

function redacted(value: unknown, depth: number, pattern: string): unknown {
  requireLevel(depth);
  if (typeof value === "string") return compiled(pattern).matcher(value).replaceAll(obligedText);
  if (ArrayBuffer.isView(value)) return obligedText;
  if (Array.isArray(value)) return value.map((each) => redacted(each, depth + 1, pattern));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, redacted(each, depth + 1, pattern)]),
  );
}

/** Bodies of HTTP have no more; what a handler gives may, or hold itself. */
function requireLevel(depth: number): void {
  if (depth > deepestJson) throw new TooDeep();
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
