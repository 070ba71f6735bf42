import { describe, expect, test } from "vitest";
import { filePart, http, multipart } from "../../../src/bindings/http/execute.js";
import { isToolError } from "../../../src/runtime/errors.js";
import type { ToolFile } from "../../../src/runtime/files/tool-file.js";
import type { Binding } from "../../../src/runtime/tool.js";
import type { GovernedTool } from "../../../src/runtime/governance/policy.js";
import { type Contract, exampleTool, type Params, type Result, succeed } from "../example-tool.js";
import { govern, policyOf } from "./governed.js";

const sends = http<Params & { readonly scan: unknown }, unknown, Result>({
  method: "POST",
  request: (p) => ({
    url: ["https://a.example/scans"],
    body: multipart([filePart("scan", p.scan)]),
  }),
});

/** A governed tool that sends a file, and answers without a server. */
function setUp(tool: Partial<GovernedTool>) {
  const binding: Binding<never, Result> = {
    ...sends,
    prepare(args, call) {
      const prepared = sends.prepare(args, call);
      return {
        credentials: [],
        reach: () => [],
        describe: () => prepared.describe(),
        fingerprint: () => prepared.fingerprint?.() ?? prepared.describe(),
        send: succeed,
      };
    },
  };
  const files = { at: [["scan"]], maxBytes: 100 };
  const { call } = govern(policyOf(tool));
  // The tool's validator takes what else there is.
  const contract: Contract = exampleTool(succeed, {
    binding: binding as Contract["binding"],
    files,
  });
  return async (scan: ToolFile, idempotencyKey?: string): Promise<string> => {
    const params = { id: "a", scan } as Params;
    try {
      return (await call(contract, idempotencyKey === undefined ? {} : { idempotencyKey }, params))
        .status;
    } catch (error) {
      if (!isToolError(error)) throw error;
      return "reason" in error.failure ? error.failure.reason : error.message;
    }
  };
}

const bytes = (text: string) => new TextEncoder().encode(text);

async function* streamOf(text: string) {
  yield bytes(text);
}

describe("a key", () => {
  const keyed = { idempotency: "keyed" } as const;

  test("belongs to the content of a file, whichever way that is given", async () => {
    const make = setUp(keyed);
    expect(await make({ bytes: bytes("one") }, "k")).toBe("success");
    expect(await make({ base64: Buffer.from("one").toString("base64") }, "k")).toBe("success");
    expect(await make({ bytes: bytes("two") }, "k")).toBe("other-request");
    expect(await make({ bytes: bytes("one"), name: "b.png" }, "k")).toBe("other-request");
  });

  test("belongs to one stream, of which nobody knows what is in it", async () => {
    const make = setUp(keyed);
    expect(await make({ stream: streamOf("one") }, "k")).toBe("success");
    expect(await make({ stream: streamOf("one") }, "k")).toBe("other-request");
  });
});

test("`bytes_in` counts a file by its size, and a stream as the longest that there may be", async () => {
  const make = setUp({ limits: { bytesIn: 190 } });
  expect(await make({ bytes: new Uint8Array(10) })).toBe("success");
  expect(await make({ bytes: new Uint8Array(90) })).toContain("bytes, and may have 190");
  expect(await make({ stream: streamOf("one") })).toBe("success");
  const narrow = setUp({ limits: { bytesIn: 120 } });
  expect(await narrow({ stream: streamOf("one") })).toContain("bytes, and may have 120");
});
