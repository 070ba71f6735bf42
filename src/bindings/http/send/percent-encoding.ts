import type { Scalar } from "../../../runtime/values/text.js";

/**
 * Reserved characters (RFC 3986, 2.2) that change nothing of a URL around them: in a path all but
 * those that end it or are none of it, in a query's value all but those that end the value, or that
 * servers read as more than themselves.
 */
const harmless = {
  path: /%(?:3A|2F|40|24|26|2B|2C|3B|3D)/g,
  query: /%(?:3A|2F|3F|40|24|2C|3D)/g,
} as const;

/**
 * A value as a part of a URL.
 *
 * @param reserved where the characters are kept that are harmless there; left out, none is
 * @throws URIError for text that is not well-formed Unicode
 */
export function percentEncoded(value: Scalar, reserved?: keyof typeof harmless): string {
  const encoded = encodeURIComponent(value);
  return reserved === undefined ? encoded : encoded.replace(harmless[reserved], decodeURIComponent);
}
