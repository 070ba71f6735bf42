import type { StatedFacts } from "../../../schema/stated-facts.js";
import type { Fit } from "./fit.js";

/** Whether the numbers that a schema names itself, its bounds or its values, are within `numeric(precision, scale)`. What it does not bound is not asked after. */
export function fitsDigits(
  { items, maximum, minimum, values }: StatedFacts,
  { precision, scale }: { readonly precision: number; readonly scale: number },
): Fit {
  if (items !== undefined) {
    const found = fitsDigits(items, { precision, scale });
    if (found.fit === "yes") return found;
    return { ...found, reason: `has items of which each ${found.reason}` };
  }
  const limit = 10 ** (precision - scale);
  const isBeyond = (each: unknown) => isNumeral(each) && Math.abs(Number(each)) >= limit;
  const beyond = (values ?? [minimum, maximum]).find(isBeyond);
  if (beyond === undefined) return { fit: "yes" };
  const isNone =
    values?.every((each) => each === null || isBeyond(each)) ??
    ((minimum !== undefined && minimum >= limit) || (maximum !== undefined && maximum <= -limit));
  const reason = `may be ${String(beyond)}, and the column is \`numeric(${precision}, ${scale})\``;
  return { fit: isNone ? "no" : "some", reason };
}

function isNumeral(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && /^[-+]?\d/.test(value));
}
