import type { JsonObject } from "../../core/json.js";

/** The least or the greatest number that a schema allows. */
export interface Bound {
  readonly at: number;
  /** Whether the number itself is left out. */
  readonly isOpen: boolean;
  readonly keyword: string;
}

/** The tighter of the two keywords; of integers, an open bound is one further in. */
export function boundOf(schema: JsonObject, side: 1 | -1): Bound | undefined {
  const [closedName, openName] =
    side === 1
      ? (["maximum", "exclusiveMaximum"] as const)
      : (["minimum", "exclusiveMinimum"] as const);
  const [closed, open] = [schema[closedName], schema[openName]];
  const bounds: Bound[] = [];
  if (typeof closed === "number") bounds.push({ at: closed, isOpen: false, keyword: closedName });
  if (typeof open === "number")
    bounds.push({ ...inward(open, side, schema["type"] === "integer"), keyword: openName });
  return bounds.toSorted((a, b) => side * (a.at - b.at) || Number(b.isOpen) - Number(a.isOpen))[0];
}

function inward(open: number, side: 1 | -1, isInteger: boolean): Omit<Bound, "keyword"> {
  if (!isInteger) return { at: open, isOpen: true };
  return { at: side === 1 ? Math.ceil(open) - 1 : Math.floor(open) + 1, isOpen: false };
}

/** What leaves no number between the bounds of a form, and the keyword that says it; undefined where there is one, or may be. */
export function noNumber(
  form: JsonObject,
): readonly [keyword: string, problem: string] | undefined {
  const [low, high] = [boundOf(form, -1), boundOf(form, 1)];
  if (low === undefined || high === undefined) return undefined;
  const range = `between ${told(low, form)} and ${told(high, form)}`;
  if (low.at > high.at || (low.at === high.at && (low.isOpen || high.isOpen)))
    return [
      low.keyword,
      `there is no ${form["type"] === "integer" ? "integer" : "number"} ${range}`,
    ];
  const { multipleOf: step, type } = form;
  if (type === "integer" && Math.ceil(low.at) > Math.floor(high.at))
    return [low.keyword, `there is no integer ${range}`];
  if (typeof step !== "number" || (type === "integer" && !Number.isInteger(step))) return undefined;
  return hasMultiple(step, low, high)
    ? undefined
    : ["multipleOf", `there is no multiple of ${step} ${range}`];
}

function told({ keyword }: Bound, form: JsonObject): string {
  return `\`${keyword}\` (${String(form[keyword])})`;
}

/** Whether one of the multiples around the lower bound is in the range, or so near to it that it may be taken for one. */
function hasMultiple(step: number, low: Bound, high: Bound): boolean {
  if (high.at - low.at > step) return true;
  const first = Math.floor(low.at / step);
  if (!Number.isSafeInteger(first)) return true;
  return [first - 1, first, first + 1, first + 2].some((times) => {
    const multiple = times * step;
    const near = Math.abs(multiple) * 1e-9;
    return (
      multiple >= low.at - near &&
      multiple <= high.at + near &&
      !(low.isOpen && multiple === low.at) &&
      !(high.isOpen && multiple === high.at)
    );
  });
}
