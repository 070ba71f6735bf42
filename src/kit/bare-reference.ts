/**
 * The name of a credential in a text, without the braces of a reference; offsets are into the text.
 */
export interface BareReference {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Matches `$NAME` or `$(NAME)`, the form of shells and Makefiles, at the start of the text or after
 * a scheme (`https://`, `Bearer `).
 */
const bare =
  /^\s*(?<scheme>[a-z][a-z0-9+.-]{0,20}:\/\/|(?:bearer|basic|token)\s+)?(?<reference>\$(?:(?<name>[A-Za-z_]\w*)|\((?<inner>[A-Za-z_]\w*)\)))(?<rest>[/?#:@]|\s*$)/dis;

/**
 * Words at the end of an environment variable's name. Other capitals after a `$` may be text:
 * `$USD`.
 */
const credentialWord =
  /(^|_)(token|key|secret|password|passwd|pass|user|url|uri|host|origin|auth)$/i;

/** Finds the reference that the author most likely meant to write. */
export function bareReference(text: string): BareReference | undefined {
  const found = bare.exec(text);
  const { scheme, name, inner, rest } = found?.groups ?? {};
  const [start, end] = found?.indices?.groups?.["reference"] ?? [0, 0];
  const written = name ?? inner;
  if (written === undefined || written !== written.toUpperCase()) return undefined;
  const isLikely =
    scheme !== undefined ||
    rest?.trim() !== "" ||
    written.includes("_") ||
    credentialWord.test(written);
  return isLikely ? { name: written, start, end } : undefined;
}
