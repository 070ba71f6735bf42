import type { Outgoing } from "../broker.js";

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
