/** Decides which parameters, and which of their values, a request can contain. */
import { hasDotSegment } from "@skillc/runtime/internal/http";
import { sentPath } from "../fragments.js";
import type { Operation, Parameter } from "../model.js";
import { itemsIn, under } from "../read/parts.js";
import type { DraftContext } from "./draft-context.js";

/** Reason why HTTP or a binding can't send a name there. */
export function whyUnsendable({
  in: where,
  name,
}: Pick<Parameter, "in" | "name">): string | undefined {
  if (where === "path") return undefined;
  if (where === "query")
    return /[{}]|\p{Cs}/u.test(name) ? "its name contains a brace or invalid Unicode" : undefined;
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return `its name is not valid for a ${where}`;
  return where === "header" && connection.test(name)
    ? "the HTTP connection sets this header"
    : undefined;
}

const connection =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|proxy-connection|te|trailer|upgrade|expect)$/i;

/**
 * Reason why the request has the parameter without the caller's help. Omitting it is no loss, even
 * if it is required.
 *
 * @param written parameters of the request so far; this one is added
 */
export function whyGiven({ in: where, name }: Parameter, written: Set<string>): string | undefined {
  if (where === "header" && connection.test(name)) return "the HTTP connection sets this header";
  // Case makes no difference in header names.
  const key = `${where} ${where === "header" ? name.toLowerCase() : name}`;
  if (!written.has(key)) return void written.add(key);
  return where === "header" ? "another header has the same name" : "the path already contains it";
}

export function namesInQuery(operation: Operation): readonly string[] {
  const [, query = ""] = sentPath(operation).split("?");
  return [...new URLSearchParams(query).keys()].map((name) => `query ${name}`);
}

/** Reason why none of the parameter's listed values can be sent. */
export function whyNoText(
  { in: where, schema }: Parameter,
  { components }: DraftContext,
): string | undefined {
  const found = schema && components.resolve(schema);
  const values = itemsIn(under(found, "enum")).map(({ value }) => value);
  const fits = values.some((value) => typeof value !== "string" || isSendable(where, value));
  return values.length === 0 || fits ? undefined : `a ${where} can't contain any of its values`;
}

/**
 * Checks if a text can be sent there. Headers accept the characters that HTTP allows. Path segments
 * must not be empty or lead elsewhere.
 */
export function isSendable(where: Parameter["in"], text: string): boolean {
  if (where === "path")
    return text !== "" && !hasDotSegment(encodeURIComponent(text.toWellFormed()));
  return where !== "header" || /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}
