/** Names that every object inherits, as names of what an answer or a call has. */
import { describe, expect, test } from "vitest";
import { get, serve } from "./support.js";

const inherited = ["constructor", "tostring", "valueof", "__proto__", "hasownproperty"];

describe("header of the answer with the name of an inherited property", () => {
  test.each(inherited)("gives null for %s if the header is absent", async (name) => {
    const { url } = await serve((response) => response.end());
    const { result } = await get(url, { answerHeaders: { [name]: name, etag: "etag" } });
    expect(result).toMatchObject({ status: "success" });
    expect(Object.entries(headersOf(result))).toEqual([
      [name, null],
      ["etag", null],
    ]);
  });

  test.each(inherited)("reads %s if the header is present", async (name) => {
    const { url } = await serve((response) => response.setHeader(name, "here").end());
    const { result } = await get(url, { answerHeaders: { [name]: name } });
    expect(Object.entries(headersOf(result))).toEqual([[name, "here"]]);
  });
});

function headersOf(result: object): object {
  return "headers" in result && typeof result.headers === "object" && result.headers !== null
    ? result.headers
    : {};
}
