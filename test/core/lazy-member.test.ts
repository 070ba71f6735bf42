import { expect, test } from "vitest";
import { setLazily } from "../../src/core/lazy-member.js";

test("a member is created once on first use, and listed before", () => {
  let count = 0;
  const owner: Record<string, unknown> = { first: 1, second: null, third: 3 };
  setLazily(owner, "second", () => ({ made: (count += 1) }));
  expect(Object.keys(owner)).toEqual(["first", "second", "third"]);
  expect(count).toBe(0);
  expect(owner["second"]).toBe(owner["second"]);
  expect(JSON.stringify(owner)).toBe('{"first":1,"second":{"made":1},"third":3}');
  expect(count).toBe(1);
});

test("a member that is set before its first use is not created", () => {
  const list: unknown[] = ["a", "b"];
  setLazily(list, "1", () => expect.unreachable());
  list[1] = "c";
  expect(list).toEqual(["a", "c"]);
});
