import { visible } from "./visible.js";

/** One word of a POSIX shell, whatever is in it: the text may come from somebody else. */
export function quotedForShell(text: string): string {
  const plain = visible(text);
  return /^[\w./:@=-]+$/.test(plain) ? plain : `'${plain.replaceAll("'", "'\\''")}'`;
}
