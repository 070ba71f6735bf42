/** Names that every object inherits, as names of what an answer or a call has. */
import { describe, expect, test } from "vitest";
import { get, serve } from "./support.js";

const inherited = ["constructor", "tostring", "valueof", "__proto__", "hasownproperty"];

describe("a header of the answer by an inherited name", () => {
  test.each(inherited)("%s is null when it did not come", async (name) => {
    const { url } = await serve((response) => response.end());
    const { result } = await get(url, { answerHeaders: { [name]: name, etag: "etag" } });
    expect(result).toMatchObject({ status: "success" });
    expect(Object.entries(headersOf(result))).toEqual([
      [name, null],
      ["etag", null],
    ]);
  });

  test.each(inherited)("%s is read when it came", async (name) => {
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
