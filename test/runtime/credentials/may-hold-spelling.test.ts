import * as fc from "fast-check";
import { expect, it } from "vitest";
import { viewsOf } from "../../../src/runtime/credentials/escapes.js";
import {
  joinedSpellingsOf,
  mayHoldSpelling,
  spellingsOf,
} from "../../../src/runtime/credentials/secret-spellings.js";
import { unicodeCharacter, unicodeText } from "../../support/unicode-text.js";

const mayHold = (text: string, secret: string) =>
  mayHoldSpelling(
    Array.from(viewsOf(text), (view) => view.text),
    secret,
  );

/** Characters of a path or a query: as they are, or percent-encoded. */
const urlText = fc.string({
  unit: fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom(..."abcxyzABCXYZ0189-._~!$&'()*+,;=:@") },
    { weight: 1, arbitrary: unicodeCharacter.map(percentEncoded) },
  ),
});

function percentEncoded(character: string): string {
  const encoded = encodeURIComponent(character);
  return encoded === character ? `%${character.charCodeAt(0).toString(16)}` : encoded;
}

/** `fc.webUrl` without fast-check's table of all characters. */
const url = fc
  .tuple(fc.constantFrom("http", "https"), fc.domain(), fc.array(urlText), fc.option(urlText))
  .map(([scheme, host, path, query]) =>
    [`${scheme}://${[host, ...path].join("/")}`, ...(query === null ? [] : [query])].join("?"),
  );

const value = fc.oneof(
  unicodeText({ minLength: 4 }),
  fc.string({ minLength: 4, unit: "grapheme" }),
  fc.string({ minLength: 4 }),
  url,
  fc.constantFrom(
    "-----BEGIN CERTIFICATE-----\nabc\ndef\n-----END CERTIFICATE-----",
    "amqp://user:p%40ss%2Fword@host/vhost",
    "12345",
  ),
);

it("a text that contains a spelling of a value, even broken into lines, is always recognized", () => {
  fc.assert(
    fc.property(value, fc.string(), fc.nat(), (secret, around, at) => {
      for (const each of spellingsOf(secret))
        expect(mayHold(`${around}${each}${around}`, secret)).toBe(true);
      for (const each of [...spellingsOf(secret), ...joinedSpellingsOf(secret)]) {
        const cut = at % each.length;
        const broken = `${each.slice(0, cut)}\\n${each.slice(cut)}`;
        expect(mayHold(`${around}${broken}`, secret)).toBe(true);
        expect(mayHold(`${around}${each}`, secret)).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});

it("a short answer that has nothing of a value is known to hold none of its spellings", () => {
  const receipt = '{"status":"success","data":{"exchange":"orders","routing_key":"labels"}}';
  expect(mayHold(receipt, "Ada Lovelace")).toBe(false);
  expect(mayHold(receipt, "ada@example.com")).toBe(false);
});
