/**
 * From places in UTF-8, as Cedar tells them, to offsets into a text. One of them may stand within a
 * character where what told it is wrong; it is taken for the character's beginning then.
 */
export function textOffset(text: string, byte: number): number {
  let bytes = 0;
  for (let offset = 0; offset < text.length;) {
    const point = text.codePointAt(offset) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (bytes > byte) return offset;
    offset += point < 0x10000 ? 1 : 2;
  }
  return text.length;
}
