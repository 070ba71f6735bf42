import type { JsonObject, JsonValue } from "../../core/json.js";
import { shown } from "../../core/names.js";
import { acceptor } from "./accepts-value.js";
import { listedIn } from "./branch.js";
import { isChecked, isOfFormat } from "../formats.js";
import { isReadable, textKeywords } from "./keywords-to-state.js";
import type { FaultHere, Given } from "./misfit.js";
import { patternTest } from "../pattern/judge-pattern.js";
import { sizeMisfit } from "./misfits-size.js";
import { areScalarsApart } from "./no-scalar.js";
import { haveCommonText } from "../pattern/common-text.js";
import { madeTextOf, patternOfText } from "../made-text.js";
import { saidForm } from "../said-form.js";

/** Any text of one schema as a text of another: values, format, encoding, pattern, length. What a `pattern` promises is the author's word. */
export function textMisfit(given: JsonObject, wanted: JsonObject): FaultHere | undefined {
  const fault = formMisfit(given, wanted);
  if (fault !== undefined) return fault;
  const size = sizeMisfit(given, wanted, "text");
  if (size === undefined) return undefined;
  if (areScalarsApart(given, wanted)) return { ...size, fit: "no" };
  return given["pattern"] === undefined ? size : undefined;
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
  if (typeof pattern !== "string") return undefined;
  return given["pattern"] === undefined || areScalarsApart(given, wanted)
    ? anyText(given, wanted)
    : undefined;
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
    const fit = areScalarsApart(given, wanted) ? "no" : "some";
    return { fit, given: has, wanted: textWords(wanted) ?? "takes others" };
  }
  return given["pattern"] === undefined || areScalarsApart(given, wanted)
    ? anyText(given, wanted)
    : undefined;
}

/** Whether some text that is given is one that is wanted, as far as is known. */
function canBeWanted(given: JsonObject, wanted: JsonObject): boolean {
  const values = listedIn(wanted);
  if (values === undefined) return !areScalarsApart(given, wanted);
  const isGiven = acceptor({ schema: ownKeywords(given), root: true });
  const made = madeTextOf(given);
  return values.some(
    (each) =>
      typeof each === "string" &&
      isGiven(each) &&
      (made === undefined || haveCommonText(made, patternOfText(each))),
  );
}

const ofText = new Set(["type", "minLength", "maxLength", "pattern", "format"]);

/** What a form says of texts by keywords that refer to nothing. */
function ownKeywords(form: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(form).filter(([name]) => ofText.has(name)));
}

function whichText({ format, pattern }: JsonObject): Given {
  if (typeof format === "string") return { given: `is text of the format \`${format}\`` };
  if (typeof pattern === "string")
    return {
      given: isReadable(pattern) ? `is text like \`${pattern}\`` : "is text of another form",
    };
  return { given: "may be any text", known: { kind: "any-text" } };
}

function anyText(given: JsonObject, wanted: JsonObject): FaultHere {
  const state = textKeywords(wanted);
  return {
    fit: canBeWanted(given, wanted) ? "some" : "no",
    ...whichText(given),
    wanted: textWords(wanted) ?? "takes others",
    ...(state !== undefined && { state }),
  };
}
