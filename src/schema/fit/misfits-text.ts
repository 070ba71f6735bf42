import type { JsonObject, JsonValue } from "../../core/json.js";
import { shown } from "../../core/names.js";
import { listedIn } from "./branch.js";
import { isChecked, isOfFormat } from "../formats.js";
import { isReadable, textKeywords } from "./keywords-to-state.js";
import type { FaultHere, Given } from "./misfit.js";
import { patternTest } from "../pattern/judge-pattern.js";
import { sizeMisfit } from "./misfits-size.js";
import { saidForm } from "../said-form.js";

/** Any text of one schema as a text of another: values, format, encoding, pattern, length. What a `pattern` promises is the author's word. */
export function textMisfit(given: JsonObject, wanted: JsonObject): FaultHere | undefined {
  const fault = formMisfit(given, wanted);
  return fault === undefined && given["pattern"] === undefined
    ? sizeMisfit(given, wanted, "text")
    : fault;
}

/** What text is taken, when that is more than its length. */
export function textWords(wanted: JsonObject): string | undefined {
  const { contentEncoding, pattern } = wanted;
  const format = formatOf(wanted);
  const values = listedIn(wanted);
  if (values !== undefined) return `takes ${listedWords(values)}`;
  const said = saidForm(wanted);
  if (said !== undefined) return `takes ${said.says}`;
  if (typeof format === "string") return `takes text of the format \`${format}\``;
  if (typeof contentEncoding === "string")
    return `takes text of the encoding \`${contentEncoding}\``;
  if (typeof pattern !== "string") return undefined;
  return isReadable(pattern) ? `takes text like \`${pattern}\`` : "takes text of another form";
}

/** A dozen of them. */
export function listedWords(values: readonly JsonValue[]): string {
  const words = values.slice(0, 12).map((each) => {
    const text = typeof each === "string" ? each : JSON.stringify(each);
    return `\`${shown(text)}\``;
  });
  return `${words.join(", ")}${values.length > 12 ? ", …" : ""}`;
}

/** One that nothing checks asks for nothing. */
function formatOf(wanted: JsonObject): JsonValue | undefined {
  const { format } = wanted;
  return typeof format === "string" && isChecked(format) ? format : saidForm(wanted)?.format;
}

function formMisfit(given: JsonObject, wanted: JsonObject): FaultHere | undefined {
  const { contentEncoding, pattern } = wanted;
  const format = formatOf(wanted);
  const values = listedIn(wanted);
  if (values !== undefined) return mayBeListed(given, values) ? undefined : anyText(given, wanted);
  if (typeof format === "string") return otherForm(given, wanted, "format", format);
  if (typeof contentEncoding === "string")
    return otherForm(given, wanted, "contentEncoding", contentEncoding);
  if (typeof pattern !== "string" || given["pattern"] !== undefined) return undefined;
  return anyText(given, wanted);
}

/** Whether a pattern may promise one of the values. */
function mayBeListed({ pattern }: JsonObject, values: readonly JsonValue[]): boolean {
  if (typeof pattern !== "string") return false;
  const test = patternTest(pattern);
  return values.some((each) => typeof each === "string" && test(each));
}

function otherForm(
  given: JsonObject,
  wanted: JsonObject,
  keyword: "format" | "contentEncoding",
  form: string,
): FaultHere | undefined {
  const own = given[keyword];
  if (own === form) return undefined;
  if (typeof own === "string" && isOfFormat(own, form)) return undefined;
  if (typeof own === "string") {
    const has = `has the ${keyword === "format" ? "format" : "encoding"} \`${own}\``;
    return { fit: "no", given: has, wanted: textWords(wanted) ?? "takes others" };
  }
  return given["pattern"] === undefined ? anyText(given, wanted) : undefined;
}

function anyText(given: JsonObject, wanted: JsonObject): FaultHere {
  const { format } = given;
  const what: Given =
    typeof format === "string"
      ? { given: `is text of the format \`${format}\`` }
      : { given: "may be any text", known: { kind: "any-text" } };
  const state = textKeywords(wanted);
  return {
    fit: "no",
    ...what,
    wanted: textWords(wanted) ?? "takes others",
    ...(state !== undefined && { state }),
  };
}
