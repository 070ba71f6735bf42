import { describe, expect, expectTypeOf, it } from "vitest";
import { pick } from "../../../../src/bindings/http/execute.js";
import { selector } from "../../../../src/bindings/http/send/json-path.js";

interface Body {
  readonly data: {
    readonly id: string;
    readonly lines: readonly { readonly sku: string }[];
    readonly note?: string | null;
  } | null;
  readonly tags: { readonly [name: string]: number };
  readonly free: unknown;
}
const body = {
  data: { id: "ord_1", lines: [{ sku: "a" }, { sku: "b" }] },
  tags: { x: 1 },
  free: { deep: [1] },
} as Body;

describe("pick", () => {
  it("finds own properties and items", () => {
    expect(pick(body)).toBe(body);
    expect(pick(body, "data", "id")).toBe("ord_1");
    expect(pick(body, "data", "lines", 0, "sku")).toBe("a");
    expect(pick(body, "data", "lines", -1, "sku")).toBe("b");
    expect(pick(body, "free", "deep", 0)).toBe(1);
    expect(pick(JSON.parse('{"__proto__":{"a":1}}') as unknown, "__proto__", "a")).toBe(1);
  });

  it.each<readonly (string | number)[]>([
    ["nothing"],
    ["__proto__"],
    ["constructor", "name"],
    ["data", "lines", 2],
    ["data", "lines", -3],
    ["data", "lines", "length"],
    ["data", "lines", "0"],
    ["data", "id", "length"],
    ["data", "id", 0],
    ["data", 0],
    ["free", "deep", 0, "toFixed"],
  ])("finds nothing at %j, %j, %j", (...steps) => {
    const untyped: unknown = body;
    expect(pick(untyped, ...steps)).toBeUndefined();
  });

  it("returns the type of the value at the path", () => {
    expectTypeOf(pick(body, "data", "id")).toEqualTypeOf<string | undefined>();
    expectTypeOf(pick(body, "data", "lines", 0, "sku")).toEqualTypeOf<string | undefined>();
    expectTypeOf(pick(body, "data", "note")).toEqualTypeOf<string | null | undefined>();
    expectTypeOf(pick(body, "tags", "any")).toEqualTypeOf<number>();
    expectTypeOf(pick(body, "free", "any", 3)).toEqualTypeOf<unknown>();
  });

  it("does not compile for a path that the type does not have", () => {
    const found = [
      // @ts-expect-error no such field
      pick(body, "dta"),
      // @ts-expect-error no such field further down
      pick(body, "data", "ID"),
      // @ts-expect-error an index into an object
      pick(body, "data", 0),
      // @ts-expect-error a name into an array
      pick(body, "data", "lines", "sku"),
      // @ts-expect-error past the end of the type
      pick(body, "data", "id", "length"),
    ];
    expect(found).toEqual(Array.from({ length: 5 }, () => undefined));
  });
});

describe("selector", () => {
  it.each([
    ["$.data.lines[*].sku", ["a", "b"]],
    ["$..sku", ["a", "b"]],
    ["$.data.lines[?@.sku == 'b']", [{ sku: "b" }]],
    ["$.nothing", []],
    ["$.__proto__", []],
    ["$.constructor", []],
    ["$.data.lines.length", []],
  ])("finds %s", (path, found) => {
    expect(selector(path)(body)).toEqual(found);
  });

  it("walks a body as deep and as wide as the limits allow", () => {
    const deep: unknown = JSON.parse('{"a":'.repeat(1000) + "1" + "}".repeat(1000));
    expect(selector("$..a")(deep)).toHaveLength(1000);
    expect(selector("$..a")(Array.from({ length: 20_000 }, () => ({ a: 1 })))).toHaveLength(20_000);
  });
});
