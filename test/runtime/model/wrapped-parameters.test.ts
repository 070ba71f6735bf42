import { describe, expect, test } from "vitest";
import {
  createRuntime,
  dispatchTool,
  dispatchToolJson,
  offerTools,
  type ToolError,
} from "../../../src/runtime/index.js";
import { catalog, tools } from "../../cases/wrapped-parameters/generated/index.js";

const runtime = createRuntime({
  ledger: false,
  inherit: false,
  handlers: { "desk/find-customer": (params) => params, "desk/show-city": (params) => params },
});

describe("a tool whose parameters are a union", () => {
  const name = "desk__find-customer";

  test("offers a union of parameters in one property", async () => {
    const [offered] = await offerTools(catalog, { runtime, schemaIds: false });
    expect(offered?.input_schema).toMatchObject({
      type: "object",
      properties: { input: { oneOf: [{ required: ["id"] }, { required: ["name", "city"] }] } },
      required: ["input"],
      additionalProperties: false,
      $defs: { city: { type: "object" } },
    });
  });

  test("the tool gets the parameters that the model passes in the property", async () => {
    const params = { name: "Ada", city: { name: "Bonn" } };
    const data = { status: "success", data: params };
    expect(await dispatchTool(tools, name, { input: params }, { runtime })).toEqual(data);
    const json = JSON.stringify({ input: params });
    expect(await dispatchToolJson(tools, name, json, { runtime })).toEqual(data);
  });

  test.each<[unknown, string, string]>([
    [{ id: "a" }, "/input", "/input is missing"],
    [null, "", "the value must be an object, not null"],
    [
      { input: { id: "a" }, id: "a" },
      "/id",
      "/id is not known; the parameters belong into `input`",
    ],
    [{ input: "a" }, "/input", "/input must be an object, not a string"],
    [{ input: { name: "a", city: {} } }, "/input/city/name", "/input/city/name is missing"],
  ])("rejects %j, and names the place as the model wrote it", async (args, pointer, message) => {
    const error = (await dispatchTool(tools, name, args, { runtime }).catch(
      (thrown: unknown) => thrown,
    )) as ToolError;
    const { failure } = error;
    const problems = failure.code === "SCHEMA.VALIDATION_FAILED" ? failure.problems : [];
    expect(problems.map((each) => each.pointer)).toContain(pointer);
    expect(error.message).toContain(message);
  });

  test("names the place of a value that JSON can't express as the model wrote it", async () => {
    const call = dispatchTool(tools, name, { input: { id: 1n } }, { runtime });
    await expect(call).rejects.toThrow("/input/id must not be a bigint");
  });

  test("code calls the tool with the parameters themselves", async () => {
    const tool = await tools[name]();
    const answer = await tool({ id: "a" }, { runtime });
    expect(answer).toEqual({ status: "success", data: { id: "a" } });
  });
});

test("a reference at the root is offered as the object that it refers to", async () => {
  const [, offered] = await offerTools(catalog, { runtime, schemaIds: false });
  expect(offered?.input_schema).toMatchObject({
    type: "object",
    properties: { name: { type: "string" } },
    required: ["name"],
  });
  expect(offered?.input_schema).not.toHaveProperty("$ref");
  const args = { name: "Bonn" };
  expect(await dispatchTool(tools, "desk__show-city", args, { runtime })).toMatchObject({
    data: args,
  });
});

test("a catalog from before is offered as it was, because its tools don't unwrap", async () => {
  const skills = catalog.skills.map((skill) => ({
    ...skill,
    tools: skill.tools.map((each) => {
      const { input_parameter: _, ...before } = each;
      return before;
    }),
  }));
  const [offered] = await offerTools({ skills }, { runtime });
  expect(offered?.input_schema).toHaveProperty("oneOf");
  expect(offered?.input_schema).toMatchObject({ type: "object", properties: {} });
});
