import type { Scalar } from "../../../runtime/values/text.js";

/**
 * Reserved characters (RFC 3986, 2.2) that don't affect the URL around them. In a path these are
 * all except those that end it. In a query's value they are all except those that end the value, or
 * that servers decode differently.
 */
const harmless = {
  path: /%(?:3A|2F|40|24|26|2B|2C|3B|3D)/g,
  query: /%(?:3A|2F|3F|40|24|2C|3D)/g,
} as const;

/**
 * Encodes a value as a part of a URL.
 *
 * @param reserved the place whose harmless characters stay unencoded; if left out, all are encoded
 * @throws URIError for text that is not well-formed Unicode
 */
export function percentEncoded(value: Scalar, reserved?: keyof typeof harmless): string {
  const encoded = encodeURIComponent(value);
  return reserved === undefined ? encoded : encoded.replace(harmless[reserved], decodeURIComponent);
}
