import type { JsonValue } from "../../core/json.js";
import { quote } from "../../core/names.js";
import { type CompareField, type FieldDifference, fieldDifference } from "./difference.js";
import type { ChangeRuleName } from "./rules.js";

/** Returns the texts of a list; empty if the value is no list. */
export function listedTexts(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/** Returns the entries of the second list that the first one lacks. */
export function added(old: readonly string[], now: readonly string[]): readonly string[] {
  return now.filter((each) => !old.includes(each));
}

/** Compares lists of texts without regard to order. */
export function compareLists(more: ChangeRuleName, less: ChangeRuleName): CompareField {
  return (old, now): readonly FieldDifference[] => {
    const [before, after] = [listedTexts(old), listedTexts(now)];
    return [
      ...added(before, after).map((each) => fieldDifference(more, `${quote(each)} is new`)),
      ...added(after, before).map((each) => fieldDifference(less, `${quote(each)} is gone`)),
    ];
  };
}

/**
 * Compares lists that restrict. A missing or empty list allows everything, so its first entry is a
 * restriction.
 */
export function compareNarrowing(wider: ChangeRuleName, narrower: ChangeRuleName): CompareField {
  return (old, now): readonly FieldDifference[] => {
    const [before, after] = [listedTexts(old), listedTexts(now)];
    if (before.length === 0 && after.length > 0)
      return [
        fieldDifference(
          narrower,
          `is now only ${after.map(quote).join(", ")}, and was unrestricted`,
        ),
      ];
    if (before.length > 0 && after.length === 0)
      return [
        fieldDifference(wider, `is now unrestricted, and was only ${before.map(quote).join(", ")}`),
      ];
    return compareLists(wider, narrower)(old, now);
  };
}
