import * as fc from "fast-check";
import { expect, it } from "vitest";
import { decodeUtf8 } from "../../../src/compiler/read/read-file.js";
import { unicodeText } from "../../support/unicode-text.js";

it("returns every text unchanged", () => {
  const texts = unicodeText().map((text) => `\ufeff${text}`);
  const property = fc.property(texts, (text) => {
    expect(decodeUtf8(Buffer.from(text))).toEqual({ kind: "text", text });
  });
  fc.assert(property);
});

it("finds the first byte that is wrong, wherever it is", () => {
  const property = fc.property(
    unicodeText(),
    fc.constantFrom([0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xe2, 0x82]),
    unicodeText(),
    (before, wrong, after) => {
      const start = Buffer.from(before);
      const rest = Buffer.from(`A${after}`);
      const decoded = decodeUtf8(Buffer.concat([start, Buffer.from(wrong), rest]));
      expect(decoded).toMatchObject({ kind: "invalid", offset: before.length });
      const byte = decoded.kind === "invalid" ? decoded.byte : -1;
      expect(byte).toBeGreaterThanOrEqual(start.length);
      expect(byte).toBeLessThanOrEqual(start.length + wrong.length);
    },
  );
  fc.assert(property);
});

it("finds a character that is cut off at the end", () => {
  expect(decodeUtf8(new Uint8Array([0x61, 0xe2, 0x82]))).toMatchObject({
    kind: "invalid",
    offset: 1,
  });
});
