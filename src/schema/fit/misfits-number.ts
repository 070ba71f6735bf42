import type { JsonObject } from "../../core/json.js";
import { isMultipleOf } from "../../runtime/multiple-of.js";
import type { FaultHere } from "./misfit.js";
import { areScalarsApart } from "./no-scalar.js";
import { type Bound, boundOf } from "./number-range.js";

/** Numbers of one schema as numbers of another: the bounds. */
export function numberMisfit(given: JsonObject, wanted: JsonObject): FaultHere | undefined {
  const [lowest, highest] = [boundOf(given, -1), boundOf(given, 1)];
  const [least, most] = [boundOf(wanted, -1), boundOf(wanted, 1)];
  const range = rangeWords(wanted);
  const isApart = areScalarsApart(given, wanted);
  if (isApart && lowest !== undefined && isBeyond(lowest, most, 1))
    return { fit: "no", given: `is ${lowest.at} at least`, wanted: range };
  if (isApart && highest !== undefined && isBeyond(highest, least, -1))
    return { fit: "no", given: `is ${highest.at} at most`, wanted: range };
  const beyond = [
    ...(lowest !== undefined && isBeyond(lowest, least, -1) ? [lowest.at] : []),
    ...(highest !== undefined && isBeyond(highest, most, 1) ? [highest.at] : []),
  ];
  if (beyond.length > 0)
    return { fit: isApart ? "no" : "some", given: `may be ${beyond[0]}`, wanted: range };
  const bounds = [
    ...(lowest === undefined ? written(least, "minimum", "exclusiveMinimum") : []),
    ...(highest === undefined ? written(most, "maximum", "exclusiveMaximum") : []),
  ];
  if (bounds.length === 0) return undefined;
  const what = given["type"] === "integer" ? "may be any integer" : "may be any number";
  return {
    fit: isApart ? "no" : "unsure",
    given: what,
    wanted: range,
    state: Object.fromEntries(bounds),
  };
}

/** Numbers of one schema as multiples of what another names. */
export function multipleMisfit(given: JsonObject, wanted: JsonObject): FaultHere | undefined {
  const { multipleOf: step } = wanted;
  const { multipleOf: own, type } = given;
  if (typeof step !== "number") return undefined;
  const known = [own, type === "integer" ? 1 : undefined].filter((each) => each !== undefined);
  if (known.some((each) => typeof each === "number" && isMultipleOf(each, step))) return undefined;
  return {
    fit: areScalarsApart(given, wanted) ? "no" : "unsure",
    given: type === "integer" ? "may be any integer" : "may be any number",
    wanted: `takes multiples of ${step}`,
    state: { multipleOf: step },
  };
}

/** What multiples are taken, when the number is none. */
export function multipleWords(
  { multipleOf: step }: JsonObject,
  number: number,
): string | undefined {
  return typeof step === "number" && !isMultipleOf(number, step)
    ? `takes multiples of ${step}`
    : undefined;
}

/** What numbers are taken: `holds 1 to 9`. */
function rangeWords(wanted: JsonObject): string {
  const [least, most] = [boundOf(wanted, -1), boundOf(wanted, 1)];
  if (least === undefined && most === undefined) return "takes others";
  if (most === undefined) return `holds ${words(least, "more than")} and more`;
  if (least === undefined) return `holds ${words(most, "less than")} and less`;
  return `holds ${words(least, "more than")} to ${words(most, "less than")}`;
}

function words(bound: Bound | undefined, open: string): string {
  return bound === undefined ? "" : `${bound.isOpen ? `${open} ` : ""}${bound.at}`;
}

function isBeyond(own: Bound, limit: Bound | undefined, side: 1 | -1): boolean {
  if (limit === undefined) return false;
  if (own.at === limit.at) return limit.isOpen && !own.isOpen;
  return side * (own.at - limit.at) > 0;
}

/** Bounds that every number of JavaScript, or every integer that one holds exactly, is within, are no news. */
function written(
  bound: Bound | undefined,
  closed: string,
  open: string,
): readonly (readonly [keyword: string, at: number])[] {
  if (bound === undefined || Math.abs(bound.at) >= Number.MAX_SAFE_INTEGER) return [];
  return [[bound.isOpen ? open : closed, bound.at]];
}
