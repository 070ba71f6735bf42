/** The places that take values of a plan, as `kit/sources/fit.ts` compares them. */
import { mismatchCodes } from "../../../kit/mismatch-codes.js";
import type { ReadSource, Target } from "../../../kit/sources/fit.js";
import type { SchemaPlace } from "../../../schema/certain-mismatches.js";
import type { PathValue } from "./model.js";

/** The place that takes a value: a parameter of a step's tool, or `returns` of the plan. */
export function targetOf(wanted: SchemaPlace, name: string, of: "returns" | "value"): Target {
  const { no, some } = mismatchCodes.plan[of];
  const codes = { no, some, literal: "plan/literal-mismatch" } as const;
  return { wanted, name, form: of === "value" ? "input" : "stated", codes };
}

export function sourceOf({ fallback, path, span, whenAbsent }: PathValue): ReadSource {
  return { text: path.text, span, fallback, dropsNull: whenAbsent !== undefined };
}
