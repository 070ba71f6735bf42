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
  const stated = values ?? [minimum, maximum];
  const beyond = stated.find(
    (each) => isNumeral(each) && Math.abs(Number(each)) >= 10 ** (precision - scale),
  );
  if (beyond === undefined) return { fit: "yes" };
  const reason = `may be ${String(beyond)}, and the column is \`numeric(${precision}, ${scale})\``;
  return { fit: "no", reason };
}

function isNumeral(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && /^[-+]?\d/.test(value));
}
