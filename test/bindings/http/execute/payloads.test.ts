import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { HttpRequest } from "../../../../src/bindings/http/contract.js";
import {
  credential,
  fieldParts,
  filePart,
  form,
  multipart,
  raw,
  text,
} from "../../../../src/bindings/http/execute.js";
import { GivenFile } from "../../../../src/runtime/files/tool-file.js";
import { RefusedValue } from "../../../../src/runtime/call/refused-value.js";
import { pointerStep } from "../../../../src/runtime/json/pointer.js";
import { runs } from "../../../support/runs.js";
import { attempt, call, prepare, serve } from "./support.js";

const record = (body: HttpRequest["body"]) =>
  prepare({ method: "POST", request: () => ({ url: ["https://a.example/"], body }) }).describe();

/** Sends a body, and returns the request that the server receives. */
async function sent(body: HttpRequest["body"], credentials?: Record<string, string>) {
  const server = await serve();
  const request = () => ({ url: [server.url], body });
  await call({ method: "POST", request }, attempt(credentials));
  const [received] = server.received;
  return { type: received?.headers["content-type"], body: received?.body };
}

describe("part of a multipart body", () => {
  const bytes = Buffer.from("x");
  const named = (name: string) =>
    multipart([
      filePart("f", new GivenFile({ pointer: "/f", most: 9 }, { name }, { kind: "bytes", bytes })),
    ]);

  it.each([
    ["a\0.png", "a%00.png"],
    ["a\\", "a%5C"],
    ["a\\\\", "a\\%5C"],
    ["a\\b.png", "a\\b.png"],
    ['a"\r\n\t\x7f', "a%22%0D%0A%09%7F"],
    ["grün 50%.png", "grün 50%.png"],
  ])("escapes the file name %j, so that nothing ends its quotes", async (name, written) => {
    const { body } = await sent(named(name));
    expect(body).toContain(`name="f"; filename="${written}"\r\n`);
  });
});

describe("further parts", () => {
  const further = (fields: object | null | undefined, taken: readonly string[] = []) =>
    multipart([fieldParts(fields, taken)]);

  it("sends scalars as text, and nested values as JSON", async () => {
    const fields = { a: "x", n: 1, list: [true, null, "y"], o: { p: 1 }, deep: [{ q: 1 }, "z"] };
    const { body } = await sent(further({ ...fields, none: null, absent: undefined, empty: [] }));
    const json = "Content-Type: application/json\r\n";
    expect(body?.split(/------skillc\w+(?:--)?\r\n/).filter((part) => part !== "")).toEqual(
      [
        ["a", "", "x"],
        ["n", "", "1"],
        ["list", "", "true"],
        ["list", "", "y"],
        ["o", json, '{"p":1}'],
        ["deep", json, '[{"q":1},"z"]'],
      ].map(
        ([name, type, content]) =>
          `Content-Disposition: form-data; name="${name}"\r\n${type}\r\n${content}\r\n`,
      ),
    );
    expect(record(further(fields))).toMatchObject({
      body: { a: "x", n: "1", list: ["true", "y"], o: { p: 1 }, deep: [{ q: 1 }, "z"] },
    });
  });

  it.each([undefined, null])("makes no parts of %s", (fields) => {
    expect(fieldParts(fields, ["a"])).toEqual([]);
  });

  it.each([
    ['a"b', "a%22b"],
    ["a\r\nb: c", "a%0D%0Ab: c"],
    ["a\\", "a%5C"],
    ["__proto__", "__proto__"],
  ])("escapes the name %j, so that nothing ends its quotes", async (name, written) => {
    const fields = Object.fromEntries([[name, "x"]]);
    expect((await sent(further(fields))).body).toContain(`form-data; name="${written}"\r\n`);
  });

  it.each([
    ["role", "role"],
    ["role", "Role"],
    ["role", " role"],
    ["role", "role[0]"],
    ["role[]", "role"],
    ["ro_le", "ro.le"],
    ["role", "ro\\le"],
    ["a%22b", 'a"b'],
    ["a\\", "a%5C"],
  ])("protects the declared part %j from the name %j", (declared, name) => {
    const fields = { ok: "x", [name]: "y" };
    expect(() => further(fields, ["other", declared])).toThrow(
      expect.objectContaining({ keyword: "map-name", below: pointerStep(name) }) as Error,
    );
  });

  it("rejects names and text that are not valid Unicode", () => {
    expect(() => further({ "\ud800": "x" })).toThrow(RefusedValue);
    expect(() => further({ a: "\ud800" })).toThrow(RefusedValue);
  });
});

describe("form", () => {
  const order = { items: [{ price: "p 1", quantity: 2 }], gift: true, note: null, none: undefined };

  it("writes nested fields in brackets, as Stripe reads them", async () => {
    expect(await sent(form(order))).toEqual({
      type: "application/x-www-form-urlencoded",
      body: new URLSearchParams([
        ["items[0][price]", "p 1"],
        ["items[0][quantity]", "2"],
        ["gift", "true"],
      ]).toString(),
    });
  });

  it("repeats the names of lists if its style says so", async () => {
    const { body } = await sent(form({ a: [1, 2], b: { c: ["x"] } }, "repeat"));
    expect(body).toBe("a=1&a=2&b%5Bc%5D=x");
  });

  it.each([undefined, null])("makes no body of %s", (fields) => {
    expect(form(fields)).toBeUndefined();
  });

  it("reads credentials only when it is sent", async () => {
    const body = form({ secret: text("k-", credential("KEY")), a: [1, 2] }, "repeat");
    expect(record(body)).toMatchObject({ body: { secret: "k-${KEY}", a: ["1", "2"] } });
    expect((await sent(body, { KEY: "a&b=c" })).body).toBe("secret=k-a%26b%3Dc&a=1&a=2");
  });

  it("rejects text that is not valid Unicode, and fields that nest too deep", () => {
    expect(() => form({ a: "\ud800" })).toThrow(RefusedValue);
    let deep: unknown = "x";
    for (let level = 0; level < 5000; level += 1) deep = [deep];
    expect(() => form({ a: deep })).toThrow(RefusedValue);
  });

  it("keeps `__proto__` as an ordinary field", () => {
    const fields: object = JSON.parse('{"__proto__":{"a":1}}') as object;
    expect(JSON.stringify(record(form(fields)))).toContain('"__proto__[a]":"1"');
  });

  it("decodes to the same values, whatever they are", async () => {
    const value = fc.dictionary(
      fc.string({ unit: "grapheme" }).filter((name) => name !== "__proto__"),
      fc.string({ unit: "grapheme" }),
    );
    await fc.assert(
      fc.asyncProperty(value, async (given) => {
        const { body = "" } = await sent(form(given));
        expect(Object.fromEntries(new URLSearchParams(body))).toEqual({ ...given });
      }),
      { numRuns: runs(20) },
    );
  });
});

describe("raw body", () => {
  it("sends its text with the declared type", async () => {
    expect(await sent(raw("a,b\n", "text/csv"))).toEqual({ type: "text/csv", body: "a,b\n" });
    expect(await sent(raw("ü", undefined))).toEqual({
      type: "text/plain; charset=utf-8",
      body: "ü",
    });
    expect(record(raw(text(credential("KEY")), "text/csv"))).toMatchObject({ body: "${KEY}" });
  });

  it("sends no body if its text is absent", async () => {
    expect(await sent(raw(undefined, "text/csv"))).toEqual({ type: undefined, body: "" });
  });

  it("rejects a content type with a line break", () => {
    expect(() => record(raw("a", "text/csv\r\nX-Evil: 1"))).toThrow(RefusedValue);
  });
});
