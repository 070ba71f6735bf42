import { fullFormats } from "ajv-formats/dist/formats.js";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { acceptor } from "../../src/schema/compare/values.js";
import { formats as runtimeFormats } from "../../src/runtime/validation/formats.js";
import { formatNames, isOfFormat, looksOf, shortestOf } from "../../src/schema/formats.js";

const takes = (format: string) => {
  const schema = { type: "string", format };
  return acceptor({ schema, root: schema });
};

const examples = [
  ..."2026-01-01 10:11:12Z 10:11:12 2026-01-01T10:11:12Z 2026-01-01T10:11:12 P1D a:b a:/ ftp://a.bc".split(
    " ",
  ),
  ..."a@b.c a 1.2.3.4 :: 123e4567-e89b-12d3-a456-426614174000 # #/a 0 0#".split(" "),
  ..."http://a@b.c:80/p?q#f urn:uuid:123e4567-e89b-12d3-a456-426614174000 23:59:60+00:00".split(
    " ",
  ),
];

/** Texts near those of a format. */
const texts = fc
  .tuple(fc.constantFrom(...examples), fc.nat(60), fc.nat(2), fc.string({ maxLength: 2 }))
  .map(([text, at, length, other]) => text.slice(0, at) + other + text.slice(at + length));

const formats = formatNames.map((name) => ({ name, takes: takes(name) }));

describe("the facts about formats", () => {
  test("agree with the expressions on lengths and on formats that include others", () => {
    fc.assert(
      fc.property(fc.oneof(texts, fc.constantFrom("", ...examples)), (text) => {
        const names = formats.filter((each) => each.takes(text)).map(({ name }) => name);
        for (const name of names) {
          expect([name, text, [...text].length >= shortestOf(name)]).toEqual([name, text, true]);
          expect([name, text]).toEqual([name, expect.stringMatching(looksOf(name) ?? "")]);
          const wider = formatNames.filter((each) => isOfFormat(name, each));
          expect([name, text, names]).toEqual([name, text, expect.arrayContaining(wider)]);
        }
      }),
      { numRuns: 3000 },
    );
  });

  test("include the length of the shortest text", () => {
    const said = formats.filter(({ name }) => shortestOf(name) > 0);
    const found = said.map(({ name, takes: isTaken }) => [
      name,
      Math.min(...examples.filter(isTaken).map((each) => each.length)),
    ]);
    expect(found).toEqual(said.map(({ name }) => [name, shortestOf(name)]));
  });
});

test.each([
  ["date", "2026-01-02"],
  ["time", "10:11:12.5Z"],
  ["iso-time", "10:11:12"],
  ["date-time", "2026-01-02t10:11:12+01:00"],
  ["date-time", "1985-04-12T00:59:59.999999999999999Z"],
  ["date-time", "1998-12-31T23:59:60.999999999999999999999Z"],
  ["time", "00:59:59.9999999999999999999999+01:00"],
  ["iso-time", "00:59:59.9999999999999999"],
  ["iso-date-time", "1985-04-12T00:59:59.9999999999999999"],
  ["iso-date-time", "2026-01-02 10:11:12"],
  ["duration", "P1Y2M3DT4H"],
  ["duration", "P3W"],
  ["email", "a+b@example.co.uk"],
  ["hostname", "a-b.example.com."],
  ["ipv4", "192.168.0.1"],
  ["ipv6", "::"],
  ["ipv6", "1:2:3:4:5:6:7:8"],
  ["ipv6", "::ffff:192.168.0.1"],
  ["uri", "urn:isbn:1"],
  ["url", "HTTP://example.com/a"],
  ["uuid", "URN:UUID:A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11"],
  ["json-pointer", ""],
  ["json-pointer", "/a/0"],
  ["json-pointer-uri-fragment", "#/a"],
  ["relative-json-pointer", "1/a"],
  ["relative-json-pointer", "0#"],
])("a text of the format %s matches the facts about it: %s", (format, text) => {
  expect(takes(format)(text)).toBe(true);
  expect(new RegExp(looksOf(format) ?? "$^", "u").test(text)).toBe(true);
});

test.each([
  ["date-time", "2026-01-02 10:11:12Z"],
  ["date-time", "2026-01-02\t10:11:12Z"],
  ["date-time", "2026-01-02T10:11:60Z"],
  ["date-time", "2026-01-02T10:11:12.Z"],
  ["date-time", "2026-01-02T10:11.5:12Z"],
  ["date-time", "2026-01-02T10:11:12.5"],
  ["time", "10:11.5:12Z"],
  ["time", "10:11:60.5Z"],
])("a text does not have the format %s: %s", (format, text) => {
  expect(takes(format)(text)).toBe(false);
});

test("a date and time is valid by ajv-formats in any spelling", () => {
  const isDateTime = runtimeFormats["date-time"]?.validate as (text: string) => boolean;
  const { validate } = fullFormats["date-time"] as { readonly validate: (text: string) => boolean };
  const two = fc.nat(99).map((each) => String(each).padStart(2, "0"));
  const zone = fc.oneof(
    fc.constantFrom("Z", "z", ""),
    fc.tuple(fc.constantFrom("+", "-"), two, two).map(([sign, h, m]) => `${sign}${h}:${m}`),
  );
  fc.assert(
    fc.property(two, two, fc.tuple(two, two, two), zone, (month, day, time, at) => {
      const text = `2026-${month}-${day}T${time.join(":")}${at}`;
      expect([text, isDateTime(text)]).toEqual([text, validate(text)]);
    }),
    { numRuns: 3000 },
  );
});
