import type { JsonObject } from "../../core/json.js";
import { bothKeywords } from "./both-keywords.js";
import { typeOf } from "./branch.js";
import { noText } from "./no-text.js";
import { noNumber } from "./number-range.js";

/** What leaves no text or number of a form that lists none, and the keyword that says it; undefined where there is one, or may be. */
export function noScalar(
  form: JsonObject,
): readonly [keyword: string, problem: string] | undefined {
  switch (typeOf(form)) {
    case "string":
      return noText(form);
    case "integer":
    case "number":
      return noNumber(form);
    default:
      return undefined;
  }
}

/** Whether no text, or no number, is of both forms. Integers are numbers here. From a form that has none by itself nothing follows. */
export function areScalarsApart(one: JsonObject, other: JsonObject): boolean {
  const isWhole = [one, other].some((each) => each["type"] === "integer");
  const both = { ...bothKeywords(one, other), ...(isWhole && { type: "integer" }) };
  return noScalar(both) !== undefined && [one, other].every((each) => noScalar(each) === undefined);
}
