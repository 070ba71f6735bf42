import { expect, expectTypeOf, it } from "vitest";
import { http, pick, segment } from "../../../../src/bindings/http/execute.js";
import type { HttpFault, HttpRecord } from "../../../../src/bindings/http/runtime.js";
import type { Shadowed, ToolResult } from "../../../../src/runtime/result.js";
import { defineTool } from "../../../../src/runtime/tool.js";
import type { Validator } from "../../../../src/runtime/validation/validation.js";

interface Params {
  readonly id: string;
  readonly limit?: number;
}
interface Arguments {
  readonly id: string;
  readonly limit: number;
}
interface Body {
  readonly data: { readonly total: number };
}
type Result =
  | ToolResult<{ readonly total: number }, "not_found" | "error", "success", HttpFault>
  | Shadowed<HttpRecord>;

const valid: Validator<never> = Object.assign(
  (value: unknown): value is never => typeof value === "object",
  { errors: null },
);
const shared = {
  skill: "s",
  name: "t",
  version: { skill: "1", binding: "1", manifest: "t1" },
  effect: "write",
  mode: "active",
  timeoutMs: 5000,
  retry: { maxAttempts: 1, backoffMs: 1000, backoffMultiplier: 2 },
  params: valid as Validator<Params>,
} as const;

it("a generated module type-checks without casts", () => {
  const tool = defineTool<Params, Arguments, Result>({
    ...shared,
    binding: http<Arguments, Body>({
      method: "POST",
      request: (args) => ({
        url: ["https://h/", segment("/id", args.id)],
        query: [["limit", args.limit]],
      }),
      maxResponseBytes: 1,
      statuses: {},
      data: (body) => pick(body, "data"),
    }),
  });
  expectTypeOf(tool.binding.prepare).parameter(0).toEqualTypeOf<Arguments>();
  expect(tool.binding.kind).toBe("http");
});

it("a reference to a missing export does not compile", () => {
  const first = defineTool<Params, Arguments, Result>({
    ...shared,
    binding: http<Arguments, Body>({
      method: "POST",
      // @ts-expect-error no such parameter
      request: (args) => ({ url: ["https://h/", segment("/id", args.ID)] }),
      maxResponseBytes: 1,
      statuses: {},
      // @ts-expect-error no such field
      data: (body) => pick(body, "dta"),
    }),
  });
  const second = defineTool<Params, Arguments, Result>({
    ...shared,
    // @ts-expect-error a binding of other parameters
    binding: http<{ readonly other: string }, Body>({
      method: "POST",
      // @ts-expect-error an object is no segment
      request: (args) => ({ url: ["https://h/", segment("/other", args)] }),
      maxResponseBytes: 1,
      statuses: {},
    }),
  });
  expect([first.binding.kind, second.binding.kind]).toEqual(["http", "http"]);
});
