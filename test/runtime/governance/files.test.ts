import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { filePart, http, multipart } from "../../../src/bindings/http/execute.js";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import type { CallOptions } from "../../../src/runtime/call/call-options.js";
import { preflight } from "../../../src/runtime/call/preflight.js";
import { isToolError } from "../../../src/runtime/errors.js";
import type { FileRules, ToolFile } from "../../../src/runtime/files/tool-file.js";
import { governance } from "../../../src/runtime/governance/index.js";
import { createRuntime } from "../../../src/runtime/runtime.js";
import type { Binding } from "../../../src/runtime/call/binding.js";
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

/** Answers without a server. */
function servedBinding(): Contract["binding"] {
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
  // The tool's validator takes what else there is.
  return binding as Contract["binding"];
}

/** A governed tool that sends a file. */
function setUp(tool: Partial<GovernedTool>) {
  const files = { at: [["scan"]], maxBytes: 100 };
  const { call } = govern(policyOf(tool));
  const contract: Contract = exampleTool(succeed, { binding: servedBinding(), files });
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

  test("belongs to one stream, because its content is unknown", async () => {
    const make = setUp(keyed);
    expect(await make({ stream: streamOf("one") }, "k")).toBe("success");
    expect(await make({ stream: streamOf("one") }, "k")).toBe("other-request");
  });
});

test("`bytes_in` counts a file by its size, and a stream as the longest that there may be", async () => {
  const make = setUp({ limits: { bytesIn: 190 } });
  expect(await make({ bytes: new Uint8Array(10) })).toBe("success");
  expect(await make({ bytes: new Uint8Array(90) })).toContain("bytes, but at most 190 are allowed");
  expect(await make({ stream: streamOf("one") })).toBe("success");
  const narrow = setUp({ limits: { bytesIn: 120 } });
  expect(await narrow({ stream: streamOf("one") })).toContain("bytes, but at most 120 are allowed");
});

const text = { as: "string" } as const;
const optionalText = (name: string) => ({ name, field: text, required: false });

/** How a compiled policy knows the arguments of a tool that takes a file. */
const context: GovernedTool["context"] = {
  as: "record",
  fields: [
    {
      name: "scan",
      field: {
        as: "record",
        fields: [optionalText("path"), optionalText("name"), optionalText("type")],
      },
      required: true,
    },
  ],
};

const optional = { type: "String", required: false } as const;
const schema = {
  "": {
    entityTypes: {
      Caller: { memberOfTypes: ["Role", "Tenant"] },
      Role: {},
      Tenant: {},
    },
    actions: {
      "desk/do-it": {
        appliesTo: {
          principalTypes: ["Caller"],
          resourceTypes: ["Tenant"],
          context: {
            type: "Record",
            attributes: {
              args: {
                type: "Record",
                attributes: {
                  scan: {
                    type: "Record",
                    attributes: { path: optional, name: optional, type: optional },
                  },
                },
              },
              origin: { type: "String" },
              scopes: { type: "Set", element: { type: "String" } },
              risk: { type: "String" },
              effect: { type: "String" },
              capabilities: { type: "Set", element: { type: "String" } },
            },
          },
        },
      },
    },
  },
};

/** A project's folder with files in `data/public` and `data/private`. */
function project(): string {
  const folder = mkdtempSync(join(tmpdir(), "skillc-policy-files-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ["public", "private"]) {
    mkdirSync(join(folder, "data", name), { recursive: true });
    writeFileSync(join(folder, "data", name, "a.txt"), name);
  }
  return folder;
}

/** Calls of a tool that may send the files that `condition` allows. */
function guarded(
  directory: string,
  condition: string,
  {
    folders = ["data"],
    tool = {},
  }: Pick<FileRules, "folders"> & {
    readonly tool?: Partial<GovernedTool>;
  } = {},
) {
  const forbid = `forbid(principal, action, resource) unless { ${condition} };`;
  const policy = policyOf(
    { context, ...tool },
    { cedar: { schema, policies: { guard: forbid }, approvals: {} } },
  );
  const runtime = createRuntime({
    directory,
    ledger: false,
    env: {},
    inherit: false,
    governance: governance({ policy }),
  });
  const contract: Contract = exampleTool(succeed, {
    binding: servedBinding(),
    files: { at: [["scan"]], folders, maxBytes: 100 },
  });
  const params = (scan: ToolFile) => ({ id: "a", scan }) as Params;
  const caller = { tenant: "acme", subject: "ada" };
  const call = async (scan: ToolFile, options: CallOptions = {}) => {
    try {
      return (await callTool(contract, params(scan), { runtime, caller, ...options })).status;
    } catch (error) {
      if (!isToolError(error)) throw error;
      return error.code === "AUTH.FORBIDDEN" ? "forbidden" : error.message;
    }
  };
  const fly = (scan: ToolFile) =>
    preflight(
      (args: Params, given?: CallOptions) => callTool(contract, args, given),
      params(scan),
      {
        runtime,
        caller,
      },
    );
  return { call, fly, runtime };
}

const onlyPublic = 'context.args.scan has path && context.args.scan.path like "data/public/*"';

describe("a policy about a file's path", () => {
  test("decides by the file that is read, however the path is spelled", async () => {
    const directory = project();
    const at = (...steps: string[]) => join(directory, "data", ...steps);
    symlinkSync(at("private", "a.txt"), at("public", "link.txt"));
    symlinkSync(at("private"), at("public", "folder"));
    symlinkSync(at("public", "a.txt"), at("private", "public.txt"));
    const { call } = guarded(directory, onlyPublic);
    for (const path of [
      "data/private/a.txt",
      "data/public/../private/a.txt",
      "./data/public/.././private//a.txt",
      at("private", "a.txt"),
      `${at("public")}/../private/a.txt`,
      "data/public/link.txt",
      "data/public/folder/a.txt",
      "data/public/folder/../folder/a.txt",
    ])
      expect([path, await call({ path })]).toEqual([path, "forbidden"]);
    for (const path of [
      "data/public/a.txt",
      "./data/public/a.txt",
      "data//private/../public/a.txt",
      at("public", "a.txt"),
      "data/private/public.txt",
    ])
      expect([path, await call({ path })]).toEqual([path, "success"]);
  });

  test("sees a file below the listed folder, also if that is a link or holds another", async () => {
    const directory = project();
    mkdirSync(join(directory, "volume", "public"), { recursive: true });
    writeFileSync(join(directory, "volume", "public", "b.txt"), "b");
    rmSync(join(directory, "data"), { recursive: true });
    symlinkSync(join(directory, "volume"), join(directory, "data"));
    const { call } = guarded(directory, onlyPublic);
    expect(await call({ path: "data/public/b.txt" })).toBe("success");
    // Both folders hold the file: the first one names it, whichever the caller wrote.
    const both = guarded(
      directory,
      'context.args.scan has path && context.args.scan.path == "volume/public/b.txt"',
      { folders: ["volume", "data"] },
    );
    expect(await both.call({ path: "data/public/b.txt" })).toBe("success");
    expect(await both.call({ path: "volume/public/b.txt" })).toBe("success");
  });

  test("sees the plain path of what is not there, and the file's own error comes after the decision", async () => {
    const directory = project();
    const { call } = guarded(directory, onlyPublic);
    symlinkSync(join(directory, "data", "private"), join(directory, "data", "public", "folder"));
    for (const path of [
      "data/public/../private/gone.txt",
      "data/public/folder/gone.txt",
      "secret.txt",
      "/etc/passwd",
      "data/public/../../../etc/passwd",
      "data/private/a.txt\0",
      "x".repeat(10_000),
    ])
      expect([path, await call({ path })]).toEqual([path, "forbidden"]);
    expect(await call({ path: "data/public/gone.txt" })).toContain("the file does not exist");
    expect(await call({ path: "data/public/a.txt/b" })).toContain("the file does not exist");
    expect(await call({ path: "data/public/a.txt\0" })).toContain("NUL");
    const open = guarded(directory, onlyPublic, { folders: [] });
    expect(await open.call({ path: "data/private/a.txt" })).toBe("forbidden");
    expect(await open.call({ path: "data/public/a.txt" })).toContain("lists no folder");
  });

  test("decides for the file that is then read: another one in its place is refused", async () => {
    const directory = project();
    const path = join(directory, "data", "public", "a.txt");
    const late = join(directory, "data", "public", "late.txt");
    const { GivenFile } = await import("../../../src/runtime/files/tool-file.js");
    const { locateGiven, readGiven } = await import("../../../src/runtime/files/read-given.js");
    const rules = { at: [["scan"]], folders: ["data"] };
    for (const [name, change] of [
      [path, () => rmSync(path)],
      [late, () => {}],
    ] as const) {
      const file = new GivenFile({ pointer: "/scan", most: 100 }, { path: name }, { kind: "path" });
      locateGiven(file, rules, directory);
      change();
      symlinkSync(join(directory, "data", "private", "a.txt"), name);
      await expect(readGiven(file, rules, directory, 100)).rejects.toThrow("changed meanwhile");
      expect(file.bytes).toBeUndefined();
    }
  });
});

test("a policy sees the name under which a file is sent, given or not", async () => {
  const directory = project();
  writeFileSync(join(directory, "data", "public", "a.exe"), "x");
  const { call } = guarded(
    directory,
    'context.args.scan has name && !(context.args.scan.name like "*.exe")',
  );
  expect(await call({ path: "data/public/a.exe" })).toBe("forbidden");
  expect(await call({ path: "data/public/a.txt", name: "b.exe" })).toBe("forbidden");
  expect(await call({ path: "data/public/a.exe", name: "b.txt" })).toBe("success");
  expect(await call({ path: "data/public/a.txt" })).toBe("success");
  expect(await call({ base64: "" })).toBe("success");
});

test("a dry run reveals nothing of the file to a caller whom a policy forbids the call", async () => {
  const directory = project();
  const { fly } = guarded(directory, onlyPublic);
  for (const path of ["data/private/a.txt", "data/private/gone.txt"]) {
    const found = await fly({ path });
    expect(found).toMatchObject({ allow: false, reason: { code: "AUTH.FORBIDDEN" }, budget: [] });
    expect(found).not.toHaveProperty("request");
  }
  const allowed = await fly({ path: "data/public/a.txt" });
  expect(JSON.stringify(allowed.request)).toContain('"size":6');
});

test("an approval is good for one content of one file", async () => {
  const directory = project();
  const approval = { conditional: false, ttlMs: 60_000 } as const;
  const { call, fly, runtime } = guarded(directory, "true", { tool: { approval } });
  const approve = async (path: string): Promise<string> => {
    const { reason, request } = await fly({ path });
    if (reason?.failure.code !== "AUTH.APPROVAL_REQUIRED") throw new Error("no request");
    // Whoever approves it sees what would be sent.
    expect(JSON.stringify(request)).toContain('"sha256"');
    return runtime.approve(reason.failure.request, { subject: "grace" });
  };
  const first = await approve("data/public/a.txt");
  const wrong = "has an approval for another call";
  expect(await call({ path: "data/private/a.txt" }, { approval: first })).toContain(wrong);
  writeFileSync(join(directory, "data", "public", "a.txt"), "changed");
  expect(await call({ path: "data/public/a.txt" }, { approval: first })).toContain(wrong);
  const second = await approve("data/public/a.txt");
  expect(await call({ path: "data/public/a.txt" }, { approval: second })).toBe("success");
  expect(await call({ path: "data/public/gone.txt" })).toContain("the file does not exist");
});
