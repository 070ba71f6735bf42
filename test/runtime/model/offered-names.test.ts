import { describe, expect, test } from "vitest";
import {
  createRuntime,
  dispatchTool,
  dispatchToolJson,
  offerTools,
  ToolError,
} from "../../../src/runtime/index.js";
import { createMcpServer } from "../../../src/runtime/mcp/index.js";
import { offeredNames } from "../../../src/runtime/model/offered-names.js";
import { RenamedProperties } from "../../../src/runtime/model/renamed-properties.js";
import { catalog, tools } from "../../cases/offered-names/generated/index.js";

const runtime = createRuntime({
  ledger: false,
  inherit: false,
  handlers: {
    "shop/search": (params) => params,
    "shop/wrapped": (params) => params,
    "shop/tag": (params) => params,
    "shop/ping": (params) => params,
  },
});

async function offeredTool(name: string) {
  const offered = await offerTools(catalog, { runtime, schemaIds: false });
  return offered.find((each) => each.name === name);
}

const errorOf = async (call: Promise<unknown>): Promise<ToolError> => {
  const thrown: unknown = await call.catch((error: unknown) => error);
  if (thrown instanceof ToolError) return thrown;
  throw new Error("the call did not fail", { cause: thrown });
};

const args = {
  filter_name: "hat",
  top_2: 3,
  top: 1,
  lists: [{ gro_e: "L", inner: { gro_e: "S" } }],
  either: { a_b: "x" },
  free: { a_b: "stays", filter_name: "stays" },
};
const params = {
  "filter[name]": "hat",
  $top: 3,
  top: 1,
  lists: [{ größe: "L", inner: { größe: "S" } }],
  either: { "a b": "x" },
  free: { a_b: "stays", filter_name: "stays" },
};

describe("a tool with names that models' APIs reject", () => {
  test("offers legal names at every depth, with the own name in the description", async () => {
    const schema = (await offeredTool("shop__search"))?.input_schema;
    expect(schema).toMatchObject({
      required: ["filter_name"],
      properties: {
        filter_name: { description: "Name of the goods.\nOwn name: `filter[name]`." },
        top_2: { type: "integer", description: "Own name: `$top`." },
        top: { type: "integer" },
        either: { anyOf: [{ properties: { a_b: {} }, required: ["a_b"] }, {}] },
      },
      $defs: { size: { required: ["gro_e"], properties: { gro_e: {} } } },
    });
    expect(schema?.["$defs"]).toMatchObject({
      size: {
        properties: {
          gro_e: {
            description: "Must match the regular expression ^\\p{L}+$\nOwn name: `größe`.",
          },
        },
      },
    });
  });

  test("the tool gets the parameters by their own names", async () => {
    const success = { status: "success", data: params };
    expect(await dispatchTool(tools, "shop__search", args, { runtime })).toEqual(success);
    const json = JSON.stringify(args);
    expect(await dispatchToolJson(tools, "shop__search", json, { runtime })).toEqual(success);
  });

  test("the tool also takes a property by its own name", async () => {
    const own = { "filter[name]": "hat" };
    expect(await dispatchTool(tools, "shop__search", own, { runtime })).toMatchObject({
      data: own,
    });
  });

  test.each<[object, string, string]>([
    [{}, "/filter_name", "/filter_name is missing"],
    [{ filter_name: 1 }, "/filter_name", "/filter_name must be a string"],
    [
      { filter_name: "a", lists: [{ gro_e: "1" }] },
      "/lists/0/gro_e",
      "/lists/0/gro_e must match the pattern",
    ],
    [{ filter_name: "a", filter_nam: "" }, "/filter_nam", "did you mean `filter_name`?"],
    [
      { filter_name: "a", "filter[name]": "b" },
      "/filter_name",
      "/filter_name is given twice: also as `filter[name]`",
    ],
  ])("rejects %j, and names the place as it was offered", async (wrong, pointer, message) => {
    const error = await errorOf(dispatchTool(tools, "shop__search", wrong as never, { runtime }));
    const { failure } = error;
    const problems = failure.code === "SCHEMA.VALIDATION_FAILED" ? failure.problems : [];
    expect(problems.map((each) => each.pointer)).toContain(pointer);
    expect(error.message).toContain(message);
  });

  test("names inside the wrapper of a union change too", async () => {
    const call = (input: object) => dispatchTool(tools, "shop__wrapped", { input }, { runtime });
    expect(await call({ by_id: 1 })).toMatchObject({ data: { "by[id]": 1 } });
    const error = await errorOf(call({ by_id: "a" }));
    expect(error.message).toContain("/input/by_id must be an integer, not a string");
    const twice = await errorOf(call({ by_id: 1, "by[id]": 2 }));
    expect(twice.message).toContain("/input/by_id is given twice");
  });

  test("code calls the tool with the own names", async () => {
    const tool = await tools["shop__search"]();
    expect(await tool({ "filter[name]": "hat" }, { runtime })).toMatchObject({ status: "success" });
  });

  test("a client of the MCP server gets the same names, and calls by them", async () => {
    const mcp = { version: 1, tools: {}, skills: [] } as const;
    const server = createMcpServer({ mcp, catalog, tools, runtime, auth: "none" });
    const ask = async (method: string, asked: object) => {
      const response = await server.fetch(
        new Request("http://127.0.0.1/mcp", {
          method: "POST",
          headers: {
            "Content-Type": "application/json",
            Accept: "application/json, text/event-stream",
            Host: "127.0.0.1",
          },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: asked }),
        }),
      );
      return response.text();
    };
    const listed = await ask("tools/list", {});
    expect(listed).toContain('"filter_name"');
    expect(listed).not.toContain('"filter[name]"');
    const called = await ask("tools/call", { name: "shop__search", arguments: args });
    expect(called).toContain('"filter[name]":"hat"');
    const refused = await ask("tools/call", { name: "shop__search", arguments: {} });
    expect(refused).toContain("/filter_name is missing");
    await server.close();
  });
});

test("a list without items and a tool without parameters are offered as APIs take them", async () => {
  expect((await offeredTool("shop__tag"))?.input_schema).toMatchObject({
    properties: { labels: { type: "array", items: {} } },
  });
  expect((await offeredTool("shop__ping"))?.input_schema).toMatchObject({
    type: "object",
    properties: {},
  });
});

describe("offered names", () => {
  const of = (names: readonly string[], taken: readonly string[] = []) =>
    offeredNames({ properties: Object.fromEntries(names.map((each) => [each, {}])) }, taken);

  test("differ from all other names, and have at most 64 characters", () => {
    const long = "x".repeat(70);
    expect(of(["a b", "a_b", "a-b", "a/b", "名", "", long, `${long}y`, "next "], ["next"])).toEqual(
      {
        "a b": "a_b_2",
        "a/b": "a_b_3",
        名: "property",
        "": "property_2",
        [long]: "x".repeat(64),
        [`${long}y`]: `${"x".repeat(62)}_2`,
        "next ": "next_2",
      },
    );
  });

  test("take time by the number of names, however alike they are", () => {
    const many = Array.from(
      { length: 20_000 },
      (_, at) => "/".repeat(at % 200) + " ".repeat(at / 200),
    );
    expect(new Set(Object.values(of(many))).size).toBe(new Set(many).size);
  });

  test("a name of every object is no offered name", () => {
    const schema = { properties: { "a b": {} } };
    const renamed = new RenamedProperties(schema, offeredNames(schema, []));
    const value: unknown = JSON.parse('{"__proto__":{"a_b":1},"toString":1,"a_b":2}');
    expect(JSON.stringify(renamed.toOwn(value))).toBe(
      '{"__proto__":{"a_b":1},"toString":1,"a b":2}',
    );
  });
});
