import type { CallIdentity } from "../../../../runtime/sink.js";
import type { Texts } from "../sealed.js";
import { traceparent } from "./trace.js";

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
