import { describe, expect, test } from "vitest";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import { isToolError, type ToolFailure } from "../../../src/runtime/errors.js";
import { createMemoryLedger } from "../../../src/runtime/ledger/memory-store.js";
import { createRuntime } from "../../../src/runtime/runtime.js";
import type { Validator } from "../../../src/runtime/validation/validation.js";
import { mustRead } from "../../schema/read.js";
import { validatorOf } from "../../schema/validators.js";
import { exampleTool, type Params, succeed } from "../example-tool.js";

const levels = 200_000;

/** As a server or a model would send it. */
function nested(): unknown {
  return JSON.parse(`${'{"next":'.repeat(levels)}{}${"}".repeat(levels)}`);
}

const recursive = validatorOf(
  mustRead({ type: "object", properties: { next: { $ref: "#" }, secret: { writeOnly: true } } }),
) as Validator<Params>;

const tooDeep = [{ pointer: "", keyword: "depth", message: "is nested too deeply" }];

async function failureOf(call: Promise<unknown>): Promise<ToolFailure> {
  const thrown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!isToolError(thrown)) throw new Error(`not a ToolError: ${String(thrown)}`);
  return thrown.failure;
}

describe(`a value of ${levels} levels under a recursive schema`, () => {
  const ledger = createMemoryLedger();
  const runtime = createRuntime({ ledger, env: {}, inherit: false });

  test("gets rejected as the parameters of a call, and the ledger records that", async () => {
    const tool = exampleTool(succeed, {
      params: recursive,
      maskedParams: [["secret"], ["next", "secret"]],
    });
    // What the type can't say is what this is about.
    const call = callTool(tool, nested() as Params, { runtime });
    expect(await failureOf(call)).toEqual({
      code: "SCHEMA.VALIDATION_FAILED",
      subject: "parameters",
      problems: [
        { pointer: "/next", keyword: "depth", message: "must not nest deeper than 1000 levels" },
      ],
    });
    expect(ledger.records.at(-1)).toHaveProperty("status", "failed");
  });

  test("gets rejected as the result of a call, and the ledger records that", async () => {
    const tool = exampleTool(
      async () => ({ result: { status: "success" as const, data: nested() } }),
      { returns: recursive },
    );
    expect(await failureOf(callTool(tool, { id: "a" }, { runtime }))).toEqual({
      code: "SCHEMA.VALIDATION_FAILED",
      subject: "result",
      problems: tooDeep,
    });
    expect(ledger.records.at(-1)).toMatchObject({ status: "unknown" });
  });
});
