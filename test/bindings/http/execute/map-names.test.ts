import { describe, expect, it } from "vitest";
import type { HttpRequest } from "../../../../src/bindings/http/contract.js";
import {
  credential,
  form,
  http,
  segmentOf,
  styled,
  text,
} from "../../../../src/bindings/http/execute.js";
import { callTool } from "../../../../src/runtime/call/call-tool.js";
import { createRuntime } from "../../../../src/runtime/index.js";
import { defineTool } from "../../../../src/runtime/tool.js";
import type { Validator } from "../../../../src/runtime/validation/validation.js";
import { type Answer, failure, serve } from "./support.js";

interface Given {
  readonly map?: object;
  readonly other?: object;
}

const anything = Object.assign((value: unknown) => value !== undefined, {
  errors: null,
}) as unknown as Validator<Given>;

/** Calls a tool with these parameters; the paths that a server saw, or the pointers of what was refused. */
async function called(request: (given: Given) => Partial<HttpRequest>, given: Given) {
  const server = await serve();
  const runtime = createRuntime({ inherit: false, credentials: { KEY: "k" } });
  const tool = defineTool<Given, Given, Answer>({
    skill: "desk",
    name: "get",
    version: { skill: "a", binding: "b", manifest: "c" },
    effect: "write",
    timeoutMs: 10_000,
    retry: { maxAttempts: 1, backoffMs: 1 },
    params: anything,
    binding: http<Given, unknown, Answer>({
      method: "POST",
      request: (args) => ({ url: [server.url, "/?v=1"], ...request(args) }),
    }),
  });
  const call = callTool(tool, given, { runtime });
  const sent = await call.then(
    () => true,
    () => false,
  );
  if (sent) return server.received.map(({ path }) => path);
  expect(server.received).toEqual([]);
  const { failure: refused } = await failure(call);
  return "problems" in refused ? refused.problems.map(({ pointer }) => pointer) : refused;
}

describe("map in a query", () => {
  const exploded = ({ map, other }: Given): Partial<HttpRequest> => ({
    query: [
      ["scope", "own"],
      ["filter[day]", "1"],
      ["absent", undefined],
      ["key", text(credential("KEY"))],
      ["map", styled(map, "form")],
      ["other", styled(other, "deepObject")],
    ],
  });

  it.each([
    "scope",
    "scope[]",
    "scope[0]",
    "SCOPE",
    "key",
    "absent",
    "filter[day]",
    "filter[day][]",
    "filter",
    "[scope]",
    " scope",
    "v",
    "other[x]",
    "other",
  ])("rejects the name %j, which the request uses elsewhere", async (name) => {
    const pointer = `/map/${name}`;
    expect(await called(exploded, { map: { a: 1, [name]: "evil" } })).toEqual([pointer]);
  });

  it.each(["scopes", "filter[hour]", "map", "sco", "x.scope"])(
    "accepts the name %j in a map of the query",
    async (name) => {
      const [path = ""] = (await called(exploded, { map: { [name]: "x" } })) as string[];
      expect(new URLSearchParams(path.slice(2)).get(name)).toBe("x");
    },
  );

  it("reports the place of a taken name in a deep object", async () => {
    const deep = ({ map }: Given): Partial<HttpRequest> => ({
      query: [
        ["filter[tenant][id]", "acme"],
        ["filter", styled(map, "deepObject")],
      ],
    });
    expect(await called(deep, { map: { tenant: { id: "x" } } })).toEqual(["/map/tenant/id"]);
    expect(await called(deep, { map: { tenant: "x" } })).toEqual(["/map/tenant"]);
    expect(await called(deep, { map: { "tenant][id": "x" } })).toEqual(["/map/tenant][id"]);
    expect(await called(deep, { map: { tenant: { no: 1 }, a: [1] } })).toHaveLength(1);
  });

  it("rejects a name that another map of the query may write", async () => {
    const both = ({ map, other }: Given): Partial<HttpRequest> => ({
      query: [
        ["map", styled(map, "form", { taken: ["limit"] })],
        ["other", styled(other, "form")],
      ],
    });
    expect(await called(both, { map: { limit: 1 } })).toEqual(["/map/limit"]);
    expect(await called(both, { map: { a: 1 }, other: { a: 2 } })).toEqual(["/other/a"]);
    expect(await called(both, { map: { a: 1 }, other: { limit: 2 } })).toEqual([
      "/?v=1&a=1&limit=2",
    ]);
  });

  it("accepts a list, and a taken name without a value", async () => {
    expect(await called(exploded, { map: { scope: null } })).toHaveLength(1);
    const list = ({ map }: Given): Partial<HttpRequest> => ({
      query: [
        ["0", "x"],
        ["map", styled(map, "form")],
      ],
    });
    expect(await called(list, { map: ["a"] })).toEqual(["/?v=1&0=x&map=a"]);
  });
});

describe("map elsewhere in the request", () => {
  it("rejects a map with the name of another cookie", async () => {
    const cookies = ({ map }: Given): Partial<HttpRequest> => ({
      cookies: [
        ["tenant", "acme"],
        ["map", styled(map, "form")],
      ],
    });
    expect(await called(cookies, { map: { tenant: "other" } })).toEqual(["/map/tenant"]);
    expect(await called(cookies, { map: { a: "b" } })).toHaveLength(1);
  });

  it("rejects a map with the name of a form field that stands inside of the map", async () => {
    const fields = ({ map }: Given): Partial<HttpRequest> => ({
      body: form({ "user[role]": "member", user: map }),
    });
    expect(await called(fields, { map: { role: "admin" } })).toEqual(["/map/role"]);
    expect(await called(fields, { map: { name: "anna" } })).toHaveLength(1);
  });

  it("rejects a map with the name of a matrix parameter beside it", () => {
    const segment = (map: object) =>
      segmentOf(["x;tenant=acme", ""], ["/map", styled(map, "matrix", { explode: true })]);
    expect(() => segment({ tenant: "other" })).toThrow("a name that the request already has");
    expect(segment({ a: 1 }).encoded).toBe("x;tenant=acme;a=1");
  });
});
