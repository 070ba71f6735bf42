import { expect, test } from "vitest";
import { omit } from "../../../../src/runtime/values/pick.js";

test("`omit` returns every own property but the named ones", () => {
  const params: unknown = JSON.parse('{"id": 1, "a": 2, "__proto__": 3}');
  // What JSON.parse gave is an object.
  const rest = omit(params as object, "id", "constructor");
  expect(Object.entries(rest)).toEqual([
    ["a", 2],
    ["__proto__", 3],
  ]);
  expect(params).toHaveProperty("id", 1);
});
