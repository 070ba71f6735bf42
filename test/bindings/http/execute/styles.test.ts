import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { HttpRequest } from "../../../../src/bindings/http/contract.js";
import type { Style } from "../../../../src/bindings/http/send/styles.js";
import {
  credential,
  segment,
  segmentOf,
  styled,
  text,
} from "../../../../src/bindings/http/execute.js";
import { RefusedValue } from "../../../../src/runtime/call/refused-value.js";
import { runs } from "../../../support/runs.js";
import { attempt, call, prepare, serve } from "./support.js";

/** The request as it is recorded. */
function described(request: Partial<HttpRequest>) {
  const record = prepare({ request: () => ({ url: ["https://a.example/"], ...request }) });
  return record.describe() as { readonly url: string; readonly headers: Record<string, string> };
}

const path = (value: string | object, style: Style, options: object = {}) =>
  described({
    url: [
      "https://a.example/",
      segment("/color", styled(value, style, { name: "color", ...options })),
    ],
  }).url.slice("https://a.example".length);
const query = (value: unknown, style: Style, options: object = {}) =>
  described({ query: [["color", styled(value, style, options)]] }).url.slice(
    "https://a.example/".length,
  );

const list = ["blue", "black", "brown"];
const rgb = { R: 100, G: 200, B: 150 };

// The table of OpenAPI 3.1.1, 4.8.12.4, with the parts that it leaves out after RFC 6570.
describe("value with a style", () => {
  it.each<[style: Style, explode: boolean, value: string | object, written: string]>([
    ["simple", false, "blue", "/blue"],
    ["simple", false, list, "/blue,black,brown"],
    ["simple", true, list, "/blue,black,brown"],
    ["simple", false, rgb, "/R,100,G,200,B,150"],
    ["simple", true, rgb, "/R=100,G=200,B=150"],
    ["label", false, "blue", "/.blue"],
    ["label", false, list, "/.blue,black,brown"],
    ["label", true, list, "/.blue.black.brown"],
    ["label", false, rgb, "/.R,100,G,200,B,150"],
    ["label", true, rgb, "/.R=100.G=200.B=150"],
    ["matrix", false, "blue", "/;color=blue"],
    ["matrix", false, "", "/;color"],
    ["matrix", false, list, "/;color=blue,black,brown"],
    ["matrix", true, list, "/;color=blue;color=black;color=brown"],
    ["matrix", false, rgb, "/;color=R,100,G,200,B,150"],
    ["matrix", true, rgb, "/;R=100;G=200;B=150"],
  ])("writes a path value as %s, explode %j, of %j", (style, explode, value, written) => {
    expect(path(value, style, { explode })).toBe(written);
  });

  it.each<[style: Style, explode: boolean, value: unknown, written: string]>([
    ["form", true, "", "?color="],
    ["form", true, "blue", "?color=blue"],
    ["form", false, list, "?color=blue,black,brown"],
    ["form", true, list, "?color=blue&color=black&color=brown"],
    ["form", false, rgb, "?color=R,100,G,200,B,150"],
    ["form", true, rgb, "?R=100&G=200&B=150"],
    ["form", false, ["a,b", null, true], "?color=a%2Cb,true"],
    ["spaceDelimited", false, list, "?color=blue%20black%20brown"],
    ["spaceDelimited", false, rgb, "?color=R%20100%20G%20200%20B%20150"],
    ["pipeDelimited", false, list, "?color=blue%7Cblack%7Cbrown"],
    ["deepObject", true, rgb, "?color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"],
    ["deepObject", true, { a: [{ b: 1 }], c: null }, "?color%5Ba%5D%5B0%5D%5Bb%5D=1"],
    ["form", true, [], ""],
    ["form", true, {}, ""],
    ["form", true, undefined, ""],
    ["form", true, null, ""],
  ])("writes a query value as %s, explode %j, of %j", (style, explode, value, written) => {
    expect(query(value, style, { explode })).toBe(written);
  });

  it("separates header values with commas, and repeated cookies with `;`", () => {
    const { headers } = described({
      headers: [
        ["X-Ids", styled(list, "simple")],
        ["X-Rgb", styled(rgb, "simple", { explode: true })],
      ],
      cookies: [
        ["session", "a;b"],
        ["tags", styled(["x", "y"], "form")],
        ["none", undefined],
      ],
    });
    expect(headers).toMatchObject({
      "X-Ids": "blue,black,brown",
      "X-Rgb": "R=100,G=200,B=150",
      cookie: "session=a%3Bb; tags=x; tags=y",
    });
  });

  it("accepts a credential only as a single value", async () => {
    const server = await serve();
    const request = (): HttpRequest => ({
      url: [server.url],
      query: [["key", styled(text(credential("KEY")), "form")]],
      cookies: [["session", text("v1.", credential("KEY"))]],
    });
    expect(prepare({ request }).describe()).toMatchObject({
      url: `${server.url}/?key=\${KEY}`,
      headers: { cookie: "session=v1.${KEY}" },
    });
    await call({ request }, attempt({ KEY: "a&b" }));
    expect(server.received[0]?.path).toBe("/?key=a%26b");
    expect(server.received[0]?.headers.cookie).toBe("session=v1.a&b");
  });

  it("keeps reserved characters if the author allows them and they do no harm", () => {
    const all = ":/?#[]@!$&'()*+,;=% é";
    expect(path(all, "simple", { reserved: true })).toBe("/:/%3F%23%5B%5D@!$&'()*+,;=%25%20%C3%A9");
    expect(query(all, "form", { reserved: true })).toBe(
      "?color=:/?%23%5B%5D@!$%26'()*%2B,%3B=%25%20%C3%A9",
    );
    expect(query({ "a=b&c": 1 }, "form", { reserved: true })).toBe("?a%3Db%26c=1");
  });

  const reservedPath = (value: string) => path(value, "simple", { reserved: true });

  it.each(["..", "a/../b", "./a", "a/."])(
    "rejects climbing text with reserved characters: %s",
    (value) => {
      expect(() => reservedPath(value)).toThrow(RefusedValue);
    },
  );

  it.each(["a/%2e%2ea", "x%2E%2E/x"])(
    "escapes the percent signs of text that looks encoded: %s",
    (value) => {
      expect(reservedPath(value)).toContain("%252");
    },
  );

  it.each<[value: unknown, style: Style]>([
    [[["a"]], "form"],
    [{ a: { b: 1 } }, "form"],
    [["a b"], "spaceDelimited"],
    [["a|b"], "pipeDelimited"],
    [["\ud800"], "form"],
  ])("rejects %j as %s", (value, style) => {
    expect(() => query(value, style, { explode: false })).toThrow(RefusedValue);
  });

  it("rejects text that a header would show as two items", () => {
    const header = (value: object) => described({ headers: [["X", styled(value, "simple")]] });
    expect(() => header(["a,b"])).toThrow(RefusedValue);
    expect(() => header(["a\r\nb"])).toThrow(RefusedValue);
  });

  it("does not mistake a caller's object for a styled value", () => {
    const given: unknown = { value: "x", style: "form", explode: true, name: "", reserved: true };
    expect(query(given, "form", { explode: true })).toBe(
      "?value=x&style=form&explode=true&name=&reserved=true",
    );
  });

  it("decodes from a query to the same value, whatever it is", () => {
    const value = fc.dictionary(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }));
    fc.assert(
      fc.property(value, fc.boolean(), (given, reserved) => {
        const there = [...new URLSearchParams(query(given, "form", { reserved })).entries()];
        expect(Object.fromEntries(there)).toEqual({ ...given });
        expect(there).toHaveLength(Object.keys(given).length);
      }),
      { numRuns: runs(100) },
    );
  });

  it("stays in its segment with text around it", () => {
    const { url } = described({
      url: [
        "https://a.example/",
        segmentOf(["v", ".json"], ["/p", styled(["a/b"], "matrix", { name: "p" })]),
      ],
    });
    expect(url).toBe("https://a.example/v;p=a%2Fb.json");
  });
});
