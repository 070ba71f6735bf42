import type { JsonObject, JsonValue } from "../core/json.js";
import { listedIn } from "./branches.js";
import type { FaultHere } from "./misfit.js";
import { sizeMisfit } from "./misfits-size.js";

/** Any text of one schema as a text of another: values, format, encoding, pattern, length. What a `pattern` promises is the author's word. */
export function textMisfit(given: JsonObject, wanted: JsonObject): FaultHere | undefined {
  const fault = formMisfit(given, wanted);
  return fault === undefined && given["pattern"] === undefined
    ? sizeMisfit(given, wanted, "text")
    : fault;
}

/** What text is taken, when that is more than its length. */
export function textWords(wanted: JsonObject): string | undefined {
  const { contentEncoding, format, pattern } = wanted;
  const values = listedIn(wanted);
  if (values !== undefined) return `takes ${listedWords(values)}`;
  if (typeof format === "string") return `takes text of the format \`${format}\``;
  if (typeof contentEncoding === "string")
    return `takes text of the encoding \`${contentEncoding}\``;
  if (typeof pattern !== "string") return undefined;
  return isReadable(pattern) ? `takes text like \`${pattern}\`` : "takes text of another form";
}

/** Longer ones help nobody. */
function isReadable(pattern: string): boolean {
  return pattern.length <= 60;
}

/** A dozen of them. */
export function listedWords(values: readonly JsonValue[]): string {
  const shown = values.slice(0, 12).map((each) => `\`${String(each)}\``);
  return `${shown.join(", ")}${values.length > 12 ? ", …" : ""}`;
}

function formMisfit(given: JsonObject, wanted: JsonObject): FaultHere | undefined {
  const { contentEncoding, format, pattern } = wanted;
  const values = listedIn(wanted);
  if (values !== undefined)
    return anyText(given, wanted, `enum: [${values.map(asYaml).join(", ")}]`);
  if (typeof format === "string") return otherForm(given, wanted, "format", format);
  if (typeof contentEncoding === "string")
    return otherForm(given, wanted, "contentEncoding", contentEncoding);
  if (typeof pattern !== "string" || given["pattern"] !== undefined) return undefined;
  const write = isReadable(pattern) ? `pattern: '${pattern.replaceAll("'", "''")}'` : undefined;
  return anyText(given, wanted, write);
}

/** Plain where YAML reads nothing else into it. */
function asYaml(value: JsonValue): string {
  return typeof value === "string" &&
    /^[A-Za-z_][\w.-]*$/.test(value) &&
    !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(value)
    ? value
    : JSON.stringify(value);
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
  return given["pattern"] === undefined ? anyText(given, wanted, `${keyword}: ${form}`) : undefined;
}

function anyText(given: JsonObject, wanted: JsonObject, write: string | undefined): FaultHere {
  const { format } = given;
  const what =
    typeof format === "string" ? `is text of the format \`${format}\`` : "may be any text";
  return {
    fit: "no",
    given: what,
    wanted: textWords(wanted) ?? "takes others",
    ...(write !== undefined && { help: `write \`${write}\`` }),
  };
}
