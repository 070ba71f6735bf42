import type { CallIdentity } from "../../../runtime/executor.js";
import type { Outgoing } from "./broker.js";
import type { Texts } from "./sealed.js";
import { traceparent } from "./traceparent.js";

/** The author's headers, then those that the author did not set. */
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

/** One whose parameter is absent is none. */
function isSet([name, value]: NonNullable<Texts["headers"]>[number], own: string): boolean {
  return value !== undefined && value !== null && name.toLowerCase() === own;
}

/** The value of a header, however its name is spelt. @param name in lower case */
export function headerNamed(headers: Outgoing["headers"], name: string): string | undefined {
  return headers.find(([each]) => each.length === name.length && each.toLowerCase() === name)?.[1];
}

/** The author's content type, or else the encoding's own. */
export function contentTypeOf(
  headers: Outgoing["headers"],
  encode: { readonly contentType: string },
): string {
  return headerNamed(headers, "content-type") ?? encode.contentType;
}
