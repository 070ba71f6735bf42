import type { CallIdentity } from "../../../runtime/executor.js";
import type { Outgoing } from "./broker.js";
import type { Texts } from "./sealed.js";
import { traceparent } from "./traceparent.js";

/** Adds our own headers to the author's, except those that the author set. */
export function withOwnHeaders(publication: Texts, { id, toolId }: CallIdentity): Texts {
  const { headers: given = [], idempotencyKey, target } = publication;
  const headers = [...given];
  const add = (name: string, value: string) => {
    if (!given.some((each) => isSet(each, name))) headers.push([name, value]);
  };
  add("correlation_id", id);
  add("source", toolId);
  const parent = traceparent();
  if (parent !== undefined) add("traceparent", parent);
  return { target, headers, idempotencyKey };
}

/** A header whose parameter is absent doesn't count. */
function isSet([name, value]: NonNullable<Texts["headers"]>[number], own: string): boolean {
  return value !== undefined && value !== null && name.toLowerCase() === own;
}

/** Returns the value of a header, whatever the case of its name. @param name in lower case */
export function headerNamed(headers: Outgoing["headers"], name: string): string | undefined {
  return headers.find(([each]) => each.length === name.length && each.toLowerCase() === name)?.[1];
}

/** Returns the author's content type, or else that of the encoding. */
export function contentTypeOf(
  headers: Outgoing["headers"],
  encode: { readonly contentType: string },
): string {
  return headerNamed(headers, "content-type") ?? encode.contentType;
}
