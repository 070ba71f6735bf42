/** Offsets that PostgreSQL gives for a text, as UTF-16 units of it. Both clamp to the text. */
export interface Offsets {
  /** From an offset in UTF-8 bytes. */
  ofByte(byte: number): number;
  /** From an offset in code points. */
  ofCodePoint(point: number): number;
}

/** A lone surrogate counts as the three bytes of the replacement character that UTF-8 has for it. */
export function readOffsets(text: string): Offsets {
  return isAscii(text) ? { ofByte: clampTo(text), ofCodePoint: clampTo(text) } : tabulate(text);
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

function clampTo(text: string): (offset: number) => number {
  return (offset) => Math.max(0, Math.min(offset, text.length));
}

function tabulate(text: string): Offsets {
  const bytes = new Uint32Array(Buffer.byteLength(text) + 1).fill(text.length);
  const points: number[] = [];
  let byte = 0;
  let unit = 0;
  for (const character of text) {
    const next = byte + Buffer.byteLength(character);
    bytes.fill(unit, byte, next);
    points.push(unit);
    byte = next;
    unit += character.length;
  }
  return {
    ofByte: (offset) => bytes[Math.max(0, offset)] ?? text.length,
    ofCodePoint: (point) => points[Math.max(0, point)] ?? text.length,
  };
}
