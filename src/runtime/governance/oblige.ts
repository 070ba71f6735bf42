/** Applies obligations to answers. It makes copies, which share unchanged parts with the answer. */
import { RE2JS } from "re2js";
import { deepestJson } from "../json/json.js";
import type { AnyResult } from "../result.js";
import {
  type AnyObligationKind,
  type ObligationAction,
  obligationKinds,
} from "./obligations/obligation-action.js";
import {
  type EffectContext,
  type ObligedCall,
  obligedText,
  type PropertyKind,
  type ValueKind,
} from "./obligations/obligation-kind.js";

/**
 * Applies one obligation to an answer.
 *
 * @throws TooDeep if the data nest deeper than JSON may here
 */
export function oblige(
  result: AnyResult,
  action: ObligationAction,
  call: ObligedCall = {},
): AnyResult {
  if (!("data" in result)) return result;
  const kind: AnyObligationKind = obligationKinds[action.do];
  const context = { ...call, replaceAll, requireLevel };
  // The action has the values of its kind's keys, because both come from the same registry.
  if (kind.changes === "answer") return kind.effect(result, action as never, context);
  const change: Change = { kind, action: action as PlacedAction, context };
  return { ...result, data: changed(result.data, 0, change) } as AnyResult;
}

type PlacedAction = Extract<ObligationAction, { readonly at: unknown }>;

interface Change {
  readonly kind: ValueKind | PropertyKind;
  readonly action: PlacedAction;
  readonly context: EffectContext;
}

/**
 * The error of an answer with more levels than JSON may have here, to which an obligation can't be
 * applied.
 */
export class TooDeep extends Error {
  override readonly name = "TooDeep";
}

/**
 * Applies a change along a path of property names; `*` stands for every item of a list or property
 * of an object.
 */
function changed(value: unknown, depth: number, change: Change): unknown {
  requireLevel(depth);
  const { action, context, kind } = change;
  const step = action.at[depth];
  if (step === undefined)
    return kind.changes === "value" ? kind.effect(value, action, context, depth) : obligedText;
  // Bytes have no parts.
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value) && step !== "*") return value;
  const isMeant = (name: string): boolean => step === "*" || step === name;
  if (kind.changes === "property" && depth === action.at.length - 1)
    return kind.effect(value, isMeant, action, context);
  if (Array.isArray(value)) return value.map((each) => changed(each, depth + 1, change));
  const entries: [string, unknown][] = Object.entries(value);
  for (const entry of entries)
    if (isMeant(entry[0])) entry[1] = changed(entry[1], depth + 1, change);
  // `fromEntries` keeps an own property named `__proto__`.
  return Object.fromEntries(entries);
}

const patterns = new Map<string, RE2JS>();

/**
 * Replaces matches. RE2 takes time linear in the text. The compiler has checked that RE2 accepts
 * the pattern.
 */
function replaceAll(text: string, pattern: string, by: string): string {
  let known = patterns.get(pattern);
  if (known === undefined) patterns.set(pattern, (known = RE2JS.compile(pattern)));
  return known.matcher(text).replaceAll(by);
}

/**
 * Checks the depth. HTTP bodies have no more levels, but a handler's data may, or may contain
 * themselves.
 */
function requireLevel(depth: number): void {
  if (depth > deepestJson) throw new TooDeep();
}
