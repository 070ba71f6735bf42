import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import { dispatchTool, dispatchToolJson } from "../../../src/runtime/model/dispatch.js";
import { isToolError, type ToolError } from "../../../src/runtime/errors.js";
import { createMemoryLedger } from "../../../src/runtime/ledger/memory-store.js";
import { createRuntime } from "../../../src/runtime/runtime.js";
import type { CallOptions } from "../../../src/runtime/call/call-options.js";
import { loaderArgs } from "../../support/node-loader.js";
import { exampleTool, type Params } from "../example-tool.js";

/** Tools that answer with what they were given, and which of them were loaded. */
function setUp() {
  const loaded: string[] = [];
  const ledger = createMemoryLedger();
  const runtime = createRuntime({ ledger, env: {}, inherit: false });
  const contract = exampleTool(async (_, args) => ({ result: { status: "success", data: args } }));
  const load = (name: string) => async () => {
    loaded.push(name);
    return (params: Params, options?: CallOptions) => callTool(contract, params, options);
  };
  const tools = {
    "order-desk__create-order": load("create-order"),
    "order-desk__cancel-order": load("cancel-order"),
    mail__send: load("send"),
  };
  return { ledger, loaded, runtime, tools };
}

async function failureOf(call: Promise<unknown>): Promise<ToolError> {
  const thrown: unknown = await call.then(
    (answer) => new Error(`answered with ${JSON.stringify(answer)}`),
    (error: unknown) => error,
  );
  if (!isToolError(thrown)) throw thrown;
  return thrown;
}

describe("dispatchTool", () => {
  test("calls the tool of that name, and loads no other", async () => {
    const { ledger, loaded, runtime, tools } = setUp();
    const trace = "t1";
    const answer = await dispatchTool(
      tools,
      "order-desk__create-order",
      { id: "a" },
      { runtime, trace },
    );
    expect(answer).toEqual({ status: "success", data: { id: "a" } });
    expect(loaded).toEqual(["create-order"]);
    expect(ledger.records.at(-1)).toMatchObject({ trace, status: "success" });
  });

  test.each<[unknown, string]>([
    ['{"id":"a"}', "text of JSON is not an object: nothing is converted"],
    [{ id: 1 }, "a value of another type"],
    [null, "null"],
    [undefined, "nothing"],
  ])("leaves it to the tool to refuse %j: %s", async (args) => {
    const { runtime, tools } = setUp();
    const error = await failureOf(dispatchTool(tools, "mail__send", args, { runtime }));
    expect(error.failure).toMatchObject({
      code: "SCHEMA.VALIDATION_FAILED",
      subject: "parameters",
    });
  });

  test.each<[string, string]>([
    ["order-desk__create_order", "; did you mean `order-desk__create-order`?"],
    ["order_desk.createOrder", "; did you mean `order-desk__create-order`?"],
    ["create-order", "; did you mean `order-desk__create-order`?"],
    ["sendd", "; did you mean `mail__send`?"],
    ["refund", ""],
    ["", ""],
    ["__", ""],
    ["toString", ""],
    ["__proto__", ""],
  ])("rejects the unknown tool %j, and suggests similar ones", async (name, help) => {
    const { ledger, loaded, runtime, tools } = setUp();
    const error = await failureOf(dispatchTool(tools, name, {}, { runtime }));
    expect(error.failure).toEqual({ code: "POLICY.DENY_TOOL", missing: [{ kind: "tools", name }] });
    expect(error).toMatchObject({ tool: name, attempts: 0 });
    expect(error.message).toBe(`\`${name}\` is not a tool that was offered${help}`);
    expect([loaded, ledger.records]).toEqual([[], []]);
  });

  test("repeats a bounded, harmless part of an unknown name", async () => {
    const { tools } = setUp();
    const { message, tool } = await failureOf(
      dispatchTool(tools, `a\n\u001b[31m\`${"x".repeat(1e6)}`, {}),
    );
    expect(message).toMatch(/^`a\ufffd\ufffd\[31m\ufffdx+` is not a tool that was offered$/);
    expect(tool).toHaveLength(64);
  });

  test("refuses what the map has and the model was not offered", async () => {
    const { loaded, runtime, tools } = setUp();
    const offered = [{ name: "mail__send" }, { name: "not-in-the-map" }];
    const refused = await failureOf(
      dispatchTool(tools, "order-desk__cancel-order", { id: "a" }, { runtime, offered }),
    );
    expect(refused.code).toBe("POLICY.DENY_TOOL");
    expect(refused.message).toBe("`order-desk__cancel-order` is not a tool that was offered");
    const unknown = dispatchTool(tools, "not-in-the-map" as string, {}, { runtime, offered });
    expect((await failureOf(unknown)).code).toBe("POLICY.DENY_TOOL");
    expect(loaded).toEqual([]);
    const answer = await dispatchTool(tools, "mail__send", { id: "a" }, { runtime, offered });
    expect(answer.status).toBe("success");
  });

  test("reports a module that can't be loaded", async () => {
    const cause = new Error("no such file");
    const tools = { a__b: () => Promise.reject(cause) };
    const error = await failureOf(dispatchTool(tools, "a__b", {}));
    expect(error).toMatchObject({ failure: { code: "UNKNOWN.INTERNAL", reason: "bug" }, cause });
  });
});

describe("an invalid name or text for a call", () => {
  const garbage: readonly (readonly [shown: string, value: unknown])[] = [
    ["null", null],
    ["undefined", undefined],
    ["an object", {}],
    ["an array", []],
    ["a number", 3],
    ["a boolean", true],
    ["a bigint", 3n],
    ["a function", () => "mail__send"],
    ["a symbol", Symbol("mail__send")],
    ["an object", { toString: () => "mail__send" }],
    ["an object", Object.create(null)],
  ];

  test.each(garbage)("%s as a name is rejected, and nothing is loaded", async (shown, value) => {
    const { loaded, tools } = setUp();
    for (const dispatch of [dispatchTool, dispatchToolJson]) {
      const error = await failureOf(dispatch(tools, value as string, "{}"));
      expect(error.failure).toEqual({
        code: "POLICY.DENY_TOOL",
        missing: [{ kind: "tools", name: "" }],
      });
      expect(error.message).toBe(`a tool's name must be a string, not ${shown}`);
    }
    expect(loaded).toEqual([]);
  });

  test.each(garbage)("%s as JSON text is rejected, and nothing is loaded", async (shown, value) => {
    const { loaded, tools } = setUp();
    const error = await failureOf(dispatchToolJson(tools, "mail__send", value as string));
    expect(error.failure).toMatchObject({
      code: "SCHEMA.VALIDATION_FAILED",
      subject: "parameters",
      problems: [{ pointer: "", keyword: "type" }],
    });
    const help = shown.startsWith("an ") ? ": pass a value to `dispatchTool`" : "";
    expect(error.message).toBe(
      `the arguments for \`mail__send\` must be JSON text, not ${shown}${help}`,
    );
    expect(loaded).toEqual([]);
  });

  test.each<[unknown, string]>([
    [{ id: "a", more: { amount: 3n } }, "/more/amount"],
    [{ id: "a", more: [() => 1] }, "/more/0"],
    [{ id: "a", at: new Date(0) }, "/at"],
    [{ id: "a", n: Number.NaN }, "/n"],
  ])("%o for arguments", async (args, pointer) => {
    const { loaded, tools } = setUp();
    const error = await failureOf(dispatchTool(tools, "mail__send", args));
    expect(error).toMatchObject({ tool: "mail__send", attempts: 0 });
    expect(error.failure).toMatchObject({
      code: "SCHEMA.VALIDATION_FAILED",
      problems: [{ pointer, keyword: "json" }],
    });
    expect(loaded).toEqual([]);
  });

  test("a number that JavaScript's can't hold", async () => {
    const { tools } = setUp();
    const error = await failureOf(dispatchToolJson(tools, "mail__send", '{"id":"a","n":[1e999]}'));
    expect(error.failure).toMatchObject({ problems: [{ pointer: "/n/0", keyword: "json" }] });
  });

  test("an integer that a JavaScript number can't represent exactly is rejected before the module loads", async () => {
    const { loaded, tools } = setUp();
    const json = '{"id": "a", "more": [653247040368672768]}';
    const error = await failureOf(dispatchToolJson(tools, "mail__send", json));
    expect(error.failure).toMatchObject({ problems: [{ pointer: "/more/0", keyword: "json" }] });
    expect(error.message).toBe(
      "parameters of `mail__send` can't be sent: /more/0 is an integer beyond ±9007199254740991, which a JavaScript number can't represent exactly",
    );
    expect(loaded).toEqual([]);
  });

  test("a module that holds no tool can't be loaded", async () => {
    const load = () => Promise.resolve({}) as never;
    const error = await failureOf(dispatchTool({ a__b: load }, "a__b", {}));
    expect(error.failure).toEqual({ code: "UNKNOWN.INTERNAL", reason: "bug" });
  });
});

describe("an invalid argument of the application", () => {
  test.each([null, undefined, "tools", 3])("%j as the tools is rejected", async (tools) => {
    const map = tools as never as ReturnType<typeof setUp>["tools"];
    await expect(dispatchTool(map, "mail__send", {})).rejects.toThrow(
      new TypeError("the first argument must be the `tools` of generated/index.ts"),
    );
  });

  test.each([null, "mail__send", ["mail__send"], [null], [{ name: 3 }], {}])(
    "%j as the offered tools is rejected",
    async (offered) => {
      const { tools } = setUp();
      const options = { offered: offered as never };
      await expect(dispatchTool(tools, "mail__send", {}, options)).rejects.toThrow(
        new TypeError(
          "`offered` must be a list of tools with their names, as returned by `offerTools`",
        ),
      );
    },
  );
});

describe("dispatchToolJson", () => {
  test("parses the text and passes its value on", async () => {
    const { runtime, tools } = setUp();
    const answer = await dispatchToolJson(tools, "mail__send", ' {"id":"a"}\n', { runtime });
    expect(answer).toEqual({ status: "success", data: { id: "a" } });
  });

  test("treats empty text as no arguments, and validates them", async () => {
    const { runtime, tools } = setUp();
    const error = await failureOf(dispatchToolJson(tools, "mail__send", " ", { runtime }));
    expect(error.failure).toMatchObject({ problems: [{ pointer: "/id" }] });
  });

  test.each([
    ['{"id": "hunter2', ': the text ends early, at line 1, column 16, before a closing `"`'],
    ["hunter2", ": expected a value at line 1, column 1"],
    ["{id: hunter2}", ": expected a property's name in double quotes at line 1, column 2"],
    ['{"id": ' + "[".repeat(5000), ": the text ends early, at line 1, column 5008, before a value"],
  ])(
    "rejects %j with the place of the mistake, and repeats none of the text",
    async (json, where) => {
      const { loaded, runtime, tools } = setUp();
      const error = await failureOf(dispatchToolJson(tools, "mail__send", json, { runtime }));
      expect(error.failure).toEqual({
        code: "SCHEMA.VALIDATION_FAILED",
        subject: "parameters",
        problems: [{ pointer: "", keyword: "json", message: `is not JSON${where}` }],
      });
      expect(error.message).toBe(`the arguments for \`mail__send\` are not JSON${where}`);
      expect(error.cause).toBeUndefined();
      expect(loaded).toEqual([]);
    },
  );

  test("looks at the name first", async () => {
    const { tools } = setUp();
    expect((await failureOf(dispatchToolJson(tools, "mail_sent" as string, "{"))).code).toBe(
      "POLICY.DENY_TOOL",
    );
  });
});

test("a binding kind is loaded when a tool of it is called, not before", async () => {
  const program = fileURLToPath(new URL("../programs/tools-load.ts", import.meta.url));
  const args = [...loaderArgs, program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 });
  expect(stdout).toBe("false false true\n");
});
