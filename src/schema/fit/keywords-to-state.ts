import type { JsonObject, JsonValue } from "../../core/json.js";
import { type Branch, listedIn, typeOf } from "./branch.js";
import { isChecked } from "../formats.js";
import { saidForm } from "../said-form.js";

/** Longer patterns help nobody. */
const longestPattern = 60;

/** Whether a pattern is short enough to be read, and copied. */
export function isReadable(pattern: string): boolean {
  return pattern.length <= longestPattern;
}

/** What a schema would say, so that its texts are those that are wanted: none when that can't be said in a few words. */
export function textKeywords(wanted: JsonObject): JsonObject | undefined {
  const { contentEncoding, format, maxLength, minLength, pattern } = wanted;
  const values = listedIn(wanted);
  if (values !== undefined) return { enum: values };
  if (typeof format === "string" && isChecked(format)) return { format };
  if (typeof contentEncoding === "string")
    return { contentEncoding, ...numbers({ minLength, maxLength }) };
  const said = saidForm(wanted);
  if (said?.format !== undefined) return { format: said.format };
  const short = said?.pattern ?? pattern;
  return typeof short === "string" && isReadable(short) ? { pattern: short } : undefined;
}

function numbers(keywords: { readonly [name: string]: JsonValue | undefined }): JsonObject {
  const stated = Object.entries(keywords).filter(([, value]) => typeof value === "number");
  // What is not a number was left out.
  return Object.fromEntries(stated) as JsonObject;
}

/** What a schema would say of scalars of one of these forms; of several, only when one of them is no null. */
export function scalarKeywords(forms: readonly Branch[]): JsonObject | undefined {
  const [first, ...others] = forms.filter((each) => typeOf(each) !== "null");
  if (first === undefined || first === true || !areOne([first, ...others])) return undefined;
  switch (typeOf(first)) {
    case "string": {
      const keywords = textKeywords(first);
      if (keywords?.["enum"] !== undefined) return keywords;
      return first["pattern"] === undefined || keywords !== undefined
        ? { type: "string", ...keywords }
        : undefined;
    }
    case "integer":
    case "number":
    case "boolean":
      return { type: typeOf(first) ?? "boolean" };
    default:
      return undefined;
  }
}

/** A `long` may be a number, and its digits. */
function areOne([first, ...others]: readonly Branch[]): boolean {
  const says = (form: Branch | undefined) =>
    form === undefined || form === true ? undefined : saidForm(form)?.says;
  return others.every((each) => says(each) !== undefined && says(each) === says(first));
}
