import type { JsonValue } from "../../core/json.js";
import { changeRules, type ChangeRuleName, type Verdict } from "./rules.js";

/** One difference of a tool or a skill. Plain data: `skillc compare --json` prints it. */
export interface Difference {
  /** The key of the catalog: `input_schema`, `governance.scopes`. */
  readonly field: string;
  /** JSON Pointer of the value that it is about, below the field; empty for all of it. */
  readonly at: string;
  readonly rule: ChangeRuleName;
  readonly verdict: Verdict;
  /** What has changed there, in words: `was optional, and is required now`. */
  readonly what: string;
}

/** What is found of one field, before it is known which. */
export type Found = Pick<Difference, "at" | "rule" | "what">;

/** A comparison of one field's values; what a catalog doesn't have is undefined. */
export type CompareField = (
  old: JsonValue | undefined,
  now: JsonValue | undefined,
) => readonly Found[];

export function found(rule: ChangeRuleName, what: string, at = ""): Found {
  return { at, rule, what };
}

export function differenceOf(field: string, { at, rule, what }: Found): Difference {
  return { field, at, rule, verdict: changeRules[rule].verdict, what };
}
