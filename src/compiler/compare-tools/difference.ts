import type { JsonValue } from "../../core/json.js";
import { changeRules, type ChangeRuleName, type Verdict } from "./rules.js";

/** One difference of a tool or a skill. Plain data: `skillc compare --json` prints it. */
export interface Difference {
  /** Key of the catalog: `input_schema`, `governance.scopes`. */
  readonly field: string;
  /** JSON Pointer of the changed value, below the field; empty for the whole field. */
  readonly at: string;
  readonly rule: ChangeRuleName;
  readonly verdict: Verdict;
  /** Description of the change: `was optional, and is now required`. */
  readonly what: string;
}

/** A difference of one field, before the field's name is added. */
export type FieldDifference = Pick<Difference, "at" | "rule" | "what">;

/** Compares the values of one field; a value is undefined if a catalog lacks it. */
export type CompareField = (
  old: JsonValue | undefined,
  now: JsonValue | undefined,
) => readonly FieldDifference[];

export function fieldDifference(rule: ChangeRuleName, what: string, at = ""): FieldDifference {
  return { at, rule, what };
}

export function differenceOf(field: string, { at, rule, what }: FieldDifference): Difference {
  return { field, at, rule, verdict: changeRules[rule].verdict, what };
}
