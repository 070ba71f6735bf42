/**
 * Converts UTF-8 byte offsets, as Cedar reports them, to offsets in a text. An offset inside a
 * character becomes the character's start.
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
