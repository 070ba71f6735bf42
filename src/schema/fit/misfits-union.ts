import { type Branch, typeOf } from "./branch.js";
import { scalarKeywords } from "./keywords-to-state.js";
import type { JsonType } from "../look-up.js";
import type { Given, Misfit } from "./misfit.js";
import { saidForm } from "../said-form.js";
import { someTypes } from "../type-words.js";

/** One that certainly doesn't fit weighs more than any number of others. */
const weights = { no: 1_000_000, some: 1000, unsure: 1 };

/** What keeps a value from the form that comes nearest: the one that was meant. */
export function nearest(found: readonly (readonly Misfit[])[]): readonly Misfit[] | undefined {
  const weight = (each: readonly Misfit[]) =>
    each.reduce((sum, misfit) => sum + weights[misfit.fit], 0);
  const [first, ...others] = found.toSorted((a, b) => weight(a) - weight(b));
  return first && besideOthers(first, others);
}

/** Where properties are missing, any of the forms may have been meant that miss properties too, and have no other fault. */
function besideOthers(
  [first, ...rest]: readonly Misfit[],
  forms: readonly (readonly Misfit[])[],
): readonly Misfit[] {
  if (first === undefined) return [];
  if (!isMissingHere(first)) return [first, ...rest];
  const others = forms.filter((each) => each.length > 0 && each.every(isMissingHere));
  if (others.length === 0) return [first, ...rest];
  const names = others.map((each) => each.map(({ path }) => String(path[0])));
  return [{ ...first, others: names }, ...rest];
}

function isMissingHere({ kind, path }: Misfit): boolean {
  return kind === "missing" && path.length === 1;
}

export function otherType(
  given: Given,
  wanted: readonly Branch[],
  fit: Misfit["fit"] = "no",
): Misfit {
  const words = [...new Set(wanted.flatMap((each) => wordsOf(each) ?? []))];
  const takes = words.length === 0 ? "takes no value" : `takes ${words.join(" or ")}`;
  const { type, ...others } = scalarKeywords(wanted) ?? {};
  const isSaid = wanted.some((each) => each !== true && saidForm(each) !== undefined);
  // A type alone was said already.
  const saysMore = Object.keys(others).length > 0 || (type !== undefined && isSaid);
  const state = { ...(type !== undefined && { type }), ...others };
  const misfit = { path: [], kind: "value", fit, ...given, wanted: takes } as const;
  return saysMore ? { ...misfit, state } : misfit;
}

function wordsOf(form: Branch): string | undefined {
  const type = typeOf(form);
  if (form === true || type === undefined) return undefined;
  const isText = type === "string" || type === "integer";
  return (isText ? saidForm(form)?.says : undefined) ?? someTypes([type]);
}

/** What may be given, where nothing more is known than its type. */
export function whatOf(given: Branch): Given {
  const type = statedType(given);
  if (type === undefined) return { given: "may be anything" };
  const words = someTypes([type]);
  return { given: `may be ${words}`, known: { kind: "type", words } };
}

/** What a schema only describes, were it an object, may be anything. */
export function statedType(given: Branch): JsonType | undefined {
  return given !== true && given["type"] !== undefined ? typeOf(given) : undefined;
}
