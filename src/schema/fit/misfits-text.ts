import type { JsonObject, JsonValue } from "../../core/json.js";
import { shown } from "../../core/names.js";
import { listedIn } from "./branches.js";
import { isKnownFormat } from "../formats.js";
import { isReadable, textKeywords } from "./keywords-to-state.js";
import type { FaultHere } from "./misfit.js";
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
  return typeof format === "string" && isKnownFormat(format) ? format : saidForm(wanted)?.format;
}

function formMisfit(given: JsonObject, wanted: JsonObject): FaultHere | undefined {
  const { contentEncoding, pattern } = wanted;
  const format = formatOf(wanted);
  if (listedIn(wanted) !== undefined) return anyText(given, wanted);
  if (typeof format === "string") return otherForm(given, wanted, "format", format);
  if (typeof contentEncoding === "string")
    return otherForm(given, wanted, "contentEncoding", contentEncoding);
  if (typeof pattern !== "string" || given["pattern"] !== undefined) return undefined;
  return anyText(given, wanted);
}

function otherForm(
  given: JsonObject,
  wanted: JsonObject,
  keyword: "format" | "contentEncoding",
  form: string,
): FaultHere | undefined {
  const own = given[keyword];
  if (own === form) return undefined;
  if (typeof own === "string") {
    const has = `has the ${keyword === "format" ? "format" : "encoding"} \`${own}\``;
    return { fit: "no", given: has, wanted: textWords(wanted) ?? "takes others" };
  }
  return given["pattern"] === undefined ? anyText(given, wanted) : undefined;
}

function anyText(given: JsonObject, wanted: JsonObject): FaultHere {
  const { format } = given;
  const what =
    typeof format === "string" ? `is text of the format \`${format}\`` : "may be any text";
  const state = textKeywords(wanted);
  return {
    fit: "no",
    given: what,
    wanted: textWords(wanted) ?? "takes others",
    ...(state !== undefined && { state }),
  };
}
