const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const mediaType = new RegExp(`^${token}/${token}(?:[ \\t]*;[\\t\\x20-\\x7e]*)?$`);

/** Returns whether a text is a media type (RFC 9110, 8.3.1) and can be used in a header. */
export function isWellFormedMediaType(text: string): boolean {
  return mediaType.test(text);
}
