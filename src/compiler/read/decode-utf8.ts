export type Decoded =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "invalid";
      /** The first byte, from 0, that makes the text invalid. */
      readonly byte: number;
      /** UTF-16 offset of the same place, in the text before it. */
      readonly offset: number;
    };

/** The bytes as text, byte order mark kept. */
export function decodeUtf8(bytes: Uint8Array): Decoded {
  const text = decodePrefix(bytes, false);
  if (text !== undefined) return { kind: "text", text };
  const byte = firstInvalidByte(bytes);
  return {
    kind: "invalid",
    byte,
    offset: decodePrefix(bytes.subarray(0, byte), true)?.length ?? 0,
  };
}

/** The longest start of the bytes that can be the start of a text: halving works, since a longer start is no better than a shorter. */
function firstInvalidByte(bytes: Uint8Array): number {
  let good = 0;
  let bad = bytes.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (decodePrefix(bytes.subarray(0, middle), true) === undefined) bad = middle;
    else good = middle;
  }
  return good;
}

/** Undefined when the bytes are not UTF-8; with `unfinished`, a character may be cut off at their end. */
function decodePrefix(bytes: Uint8Array, unfinished: boolean): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, {
      stream: unfinished,
    });
  } catch {
    return undefined;
  }
}
