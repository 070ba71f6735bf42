import { expect, test } from "vitest";
import { setLazily } from "../../src/core/lazy-member.js";

test("a member is made once, when it is first asked for, and is listed before", () => {
  let count = 0;
  const owner: Record<string, unknown> = { first: 1, second: null, third: 3 };
  setLazily(owner, "second", () => ({ made: (count += 1) }));
  expect(Object.keys(owner)).toEqual(["first", "second", "third"]);
  expect(count).toBe(0);
  expect(owner["second"]).toBe(owner["second"]);
  expect(JSON.stringify(owner)).toBe('{"first":1,"second":{"made":1},"third":3}');
  expect(count).toBe(1);
});

test("a member that is set before it was asked for is not made", () => {
  const list: unknown[] = ["a", "b"];
  setLazily(list, "1", () => expect.unreachable());
  list[1] = "c";
  expect(list).toEqual(["a", "c"]);
});
