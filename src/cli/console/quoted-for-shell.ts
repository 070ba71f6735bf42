import { visible } from "./visible.js";

/** Quotes a text as one word of a POSIX shell. The text may be untrusted. */
export function quotedForShell(text: string): string {
  const plain = visible(text);
  return /^[\w./:@=-]+$/.test(plain) ? plain : `'${plain.replaceAll("'", "'\\''")}'`;
}
