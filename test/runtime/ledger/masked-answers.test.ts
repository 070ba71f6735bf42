import { describe, expect, it } from "vitest";
import {
  callTool,
  createMemoryLedger,
  createRuntime,
  isToolError,
} from "../../../src/runtime/index.js";
import { queryLedger } from "../../../src/runtime/runtime.js";
import type { Validator } from "../../../src/runtime/validation/validation.js";
import { exampleTool, type Contract, type Result } from "../example-tool.js";

const masks: Partial<Contract> = {
  ownData: ["created", "constructor"],
  maskedResult: [["pin"]],
  maskedOwnData: { created: [["token"]] },
  maskedErrors: [
    ["owner", "ssn"],
    ["codes", "*"],
  ],
};

/** What the ledger keeps of an answer. */
async function keptOf(result: object, overrides = masks): Promise<unknown> {
  const ledger = createMemoryLedger();
  const runtime = createRuntime({ inherit: false, ledger });
  const tool = exampleTool(() => Promise.resolve({ result: result as Result }), overrides);
  expect(await callTool(tool, { id: "a" }, { runtime })).toEqual(result);
  for await (const call of queryLedger({ ledger }))
    if ("result" in call) return JSON.parse(String(call.result));
  throw new Error("nothing was recorded");
}

describe("a value of an answer that its schema marks as sensitive", () => {
  it("a sensitive value is masked in data by the schema of the status", async () => {
    const data = { pin: 1, token: 2 };
    expect(await keptOf({ status: "success", data })).toEqual({
      status: "success",
      data: { pin: "***", token: 2 },
    });
    expect(await keptOf({ status: "created", data })).toMatchObject({
      data: { pin: 1, token: "***" },
    });
    expect(await keptOf({ status: "constructor", data })).toMatchObject({ data });
  });

  it("a sensitive value is masked in errors, wherever its property name occurs", async () => {
    const error = { message: "no", codes: [1], at: [{ owner: { ssn: "1", name: "n" } }] };
    expect(await keptOf({ status: "conflict", error, status_code: 409 })).toMatchObject({
      error: { message: "no", codes: "***", at: [{ owner: { ssn: "***", name: "n" } }] },
    });
    expect(await keptOf({ status: "conflict", error: "no" })).toMatchObject({ error: "no" });
  });

  it("a sensitive value is masked as a whole if it is the whole error", async () => {
    const kept = await keptOf({ status: "error", error: "123" }, { maskedErrors: [[]] });
    expect(kept).toMatchObject({ error: "***" });
  });
});

describe("the error of an answer that does not fit", () => {
  const returns: Validator = Object.assign(
    (value: unknown): value is never => value === undefined,
    {
      errors: [
        { instancePath: "/keys/john@x.org", keyword: "type", params: { type: "string" } },
        { instancePath: "/name", keyword: "type", params: { type: "string" } },
      ],
    },
  );

  it("names no property inside a masked object", async () => {
    const ledger = createMemoryLedger();
    const runtime = createRuntime({ inherit: false, ledger });
    const data = { keys: { "john@x.org": 1 }, name: 2 };
    const tool = exampleTool(() => Promise.resolve({ result: { status: "success", data } }), {
      returns,
      maskedResult: [["keys"]],
    });
    const error: unknown = await callTool(tool, { id: "a" }, { runtime }).catch(
      (thrown: unknown) => thrown,
    );
    if (!isToolError(error)) throw new Error("not refused");
    expect(error.message).toContain(
      "/keys/*** must be a string, not a number; /name must be a string, not a number",
    );
    expect(JSON.stringify([error.stack, error.failure, ledger.records])).not.toContain("john");
  });
});
