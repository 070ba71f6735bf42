import { expect, test } from "vitest";
import { linkTo } from "../../../../src/bindings/http/send/link-header.js";

test.each([
  ['<https://a.example/?page=2>; rel="next"', "https://a.example/?page=2"],
  ["</orders?page=2>; rel=next", "/orders?page=2"],
  ['</1>; rel="prev", </3>; rel="next"', "/3"],
  ['</a,b>; rel="next"', "/a,b"],
  ['</1>; title="a, <b>; rel=\\"next\\""; rel=prev, </2>; rel="last next"', "/2"],
  ['</2>; REL="NEXT"', "/2"],
  ['</2>; rel="prev"; rel="next"', undefined],
  ['</2>; title="never closed, </3>; rel=next', undefined],
  ["</2; rel=next", undefined],
  ["rel=next", undefined],
  ["", undefined],
])("the next page of %j is %j", (header, target) => {
  expect(linkTo("next", header)).toBe(target);
});

test("reads several headers as one list", () => {
  expect(linkTo("next", ['</1>; rel="prev"', '</3>; rel="next"'])).toBe("/3");
});

test("finds nothing without a header", () => {
  expect(linkTo("next", undefined)).toBeUndefined();
});
