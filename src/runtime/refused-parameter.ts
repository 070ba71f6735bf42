import type { SchemaProblem } from "./errors.js";
import { onlyPlace, placeNotJson } from "./find-parameter.js";
import type { RefusedValue } from "./refused-value.js";

/** The problem of a refused value, with the pointer of the parameter where only one can be meant. */
export function refusedProblem(refused: RefusedValue, params: unknown): SchemaProblem {
  const { isCause, keyword, message } = refused;
  const found = isCause && onlyPlace(params, isCause);
  const place = keyword === "json" ? placeNotJson(params) : found;
  return { pointer: refused.pointer === "" ? (place ?? "") : refused.pointer, keyword, message };
}

/** What no validator looks at may be any value of JavaScript: it fails where JSON is written. */
export function notJson(params: unknown): SchemaProblem | undefined {
  const pointer = placeNotJson(params);
  return pointer === undefined ? undefined : { pointer, keyword: "json", message: "is not JSON" };
}
