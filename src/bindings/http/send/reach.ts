import { type HttpReach, httpReach } from "../../../runtime/sink.js";
import { isCredential } from "../../../runtime/values/text.js";
import { baseOfSetting } from "./base-url.js";
import { placeholder } from "./openers.js";
import type { OpenRequest, SealedRequest } from "./sealed-request.js";

/**
 * Where a request goes.
 *
 * @param open the value of a setting; left out, the origin is its name. The origin is empty where the value is no URL: nothing is sent then
 */
export function reachOf(
  { method, url: { base, rest } }: SealedRequest,
  open?: (name: string) => string,
): HttpReach {
  // The path comes first, as text; credentials stand in the query alone.
  const [first] = rest;
  const path = typeof first === "string" ? withoutQuery(first) : "";
  if (!isCredential(base)) return httpReach(method, base.origin, path);
  if (open === undefined) return httpReach(method, placeholder(base), path);
  const known = baseOfSetting(open(base.name));
  const whole = `${known?.path ?? ""}${path}`;
  const absolute = whole.startsWith("/") ? whole : `/${whole}`;
  return httpReach(method, known?.origin ?? "", absolute);
}

/** Where a request that was opened goes. */
export function openReachOf({ method, origin, path }: OpenRequest): HttpReach {
  return httpReach(method, origin, withoutQuery(path));
}

function withoutQuery(path: string): string {
  const end = path.indexOf("?");
  return end === -1 ? path : path.slice(0, end);
}
