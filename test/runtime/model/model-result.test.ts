import { describe, expect, test } from "vitest";
import { ToolError, type ToolFailure, type WriteOutcome } from "../../../src/runtime/errors.js";
import { resultForModel, valueForModel } from "../../../src/runtime/model/model-result.js";

const failing = (failure: ToolFailure, outcome: WriteOutcome = "not-done") =>
  resultForModel(
    Promise.reject(new ToolError("desk/do-it", failure, "its own words", { outcome })),
  );

describe("the result of a call for a model", () => {
  test("a suspended plan leaves out its request, and a status of that name stays", async () => {
    const request = {
      id: "q",
      tool: "desk/w",
      manifest: "m",
      digest: "d",
      subject: "ada",
      ttlMs: 1,
    };
    const suspended = { status: "suspended", run: "r-1", step: "2", request };
    const { content } = await resultForModel(Promise.resolve(suspended));
    expect(JSON.parse(content)).toEqual({
      status: "suspended",
      message:
        "the work has begun, and goes on once somebody has approved it or a service has done it",
    });
    const own = { status: "suspended", error: "the account is suspended" };
    expect(JSON.parse((await resultForModel(Promise.resolve(own))).content)).toEqual(own);
  });

  test("contains the answer as JSON, and marks no status as an error", async () => {
    for (const result of [
      { status: "success", data: [1] },
      { status: "not_found", error: null },
    ])
      expect(await resultForModel(Promise.resolve(result))).toEqual({
        content: JSON.stringify(result),
        is_error: false,
      });
  });

  test("names neither the service nor its credentials if the call was only recorded", async () => {
    const request = { method: "POST", url: "https://internal.example", headers: { A: "${TOKEN}" } };
    const { content, is_error } = await resultForModel(
      Promise.resolve({ status: "shadow", request }),
    );
    expect(JSON.parse(content)).toEqual({
      status: "shadow",
      message: expect.stringMatching(/^nothing was done/),
    });
    expect(is_error).toBe(false);
  });

  const problems = [{ pointer: "/id", keyword: "type", message: "must be text" }];

  test("parameters of a plan's step that don't fit are not the model's own", async () => {
    const failure = { code: "SCHEMA.VALIDATION_FAILED", subject: "parameters", problems } as const;
    const error = new ToolError("desk/do-it", failure, "its own words", { step: "2" });
    const { content } = await resultForModel(Promise.reject(error));
    expect(content).not.toContain("its own words");
  });

  test.each<[string, ToolFailure, string]>([
    [
      "its own parameters that don't fit",
      { code: "SCHEMA.VALIDATION_FAILED", subject: "parameters", problems },
      "its own words; correct the arguments and call the tool again",
    ],
    [
      "a result that doesn't fit",
      { code: "SCHEMA.VALIDATION_FAILED", subject: "result", problems },
      "the service's answer could not be understood; do not repeat the call",
    ],
    [
      "a name that was not offered",
      { code: "POLICY.DENY_TOOL", missing: [{ kind: "tools", name: "do" }] },
      "its own words; do without it",
    ],
    [
      "a prerequisite",
      { code: "POLICY.DENY_TOOL", missing: [{ kind: "env", name: "INTERNAL_NAME" }] },
      "this tool is not available here; do without it",
    ],
    [
      "a credential",
      { code: "CREDENTIAL.MISSING", names: ["INTERNAL_NAME"] },
      "this tool is not available here; do without it",
    ],
    [
      "a timeout",
      { code: "PROVIDER.TIMEOUT", timeoutMs: 5 },
      "the service did not answer in time; try again later",
    ],
    [
      "a broken connection",
      { code: "PROVIDER.UNAVAILABLE", reason: "ECONNREFUSED" },
      "the service can't be reached; try again later",
    ],
    [
      "a broken answer",
      { code: "PROVIDER.PROTOCOL", reason: "not-json" },
      "the service's answer could not be understood; do not repeat the call",
    ],
    [
      "a key of another call",
      { code: "IDEMPOTENCY.REFUSED", reason: "other-request" },
      "its own words; use a new key for another call",
    ],
    [
      "a call of a size that is never allowed",
      { code: "QUOTA.BUDGET_EXCEEDED", budget: "bytes_in", limit: 1 },
      "its own words; ask for less",
    ],
    [
      "a day's budget that is used up",
      { code: "QUOTA.BUDGET_EXCEEDED", budget: "cost", limit: 1, retryAfterMs: 5 },
      "its own words; try again later",
    ],
    [
      "a store that can't be reached",
      { code: "UNKNOWN.INTERNAL", reason: "store-unavailable" },
      "the tool failed; try again later",
    ],
    [
      "a handler that threw",
      { code: "UNKNOWN.INTERNAL", reason: "handler-failed" },
      "the tool failed; do not repeat the call",
    ],
  ])("contains a helpful message about %s, marked as an error", async (_, failure, message) => {
    const { content, is_error } = await failing(failure);
    expect(JSON.parse(content)).toEqual({ status: "failed", code: failure.code, message });
    expect(is_error).toBe(true);
  });

  test("valueForModel returns the value whose JSON is the text", async () => {
    const answer = { status: "success", data: { id: 1 } };
    const given = await valueForModel(Promise.resolve(answer));
    expect(given).toEqual({ value: answer, isError: false });
    const error = new ToolError(
      "desk/do-it",
      { code: "CREDENTIAL.MISSING", names: ["A"] },
      "words",
    );
    const failed = await valueForModel(Promise.reject(error));
    expect(failed.isError).toBe(true);
    expect(JSON.stringify(failed.value)).toBe(
      (await resultForModel(Promise.reject(error))).content,
    );
  });

  test("warns if a write may have been made", async () => {
    const { content } = await failing({ code: "PROVIDER.TIMEOUT", timeoutMs: 5 }, "unknown");
    expect(content).toContain("did not answer in time; the change may have been made anyway");
  });

  test("throws if the caller aborted or the application's own code is wrong", async () => {
    const aborted = failing({ code: "UNKNOWN.INTERNAL", reason: "aborted" });
    await expect(aborted).rejects.toMatchObject({ failure: { reason: "aborted" } });
    const wrong = resultForModel(Promise.reject(new TypeError("no map of tools")));
    await expect(wrong).rejects.toThrow("no map of tools");
  });
});
