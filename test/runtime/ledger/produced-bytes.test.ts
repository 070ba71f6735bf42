/** Bytes that a process or a step of a call produces, kept beside its record. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ledgerShow } from "../../../src/cli/ledger/commands.js";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import { keepBytes } from "../../../src/runtime/executor.js";
import type { BytesPolicy } from "../../../src/runtime/ledger/attachments.js";
import { createFileLedger } from "../../../src/runtime/ledger/files/file-store.js";
import type { LedgerCall } from "../../../src/runtime/ledger/ledger-call.js";
import type { ProducedAttachment } from "../../../src/runtime/ledger/produced-bytes.js";
import type { LedgerStore } from "../../../src/runtime/ledger/store.js";
import { createRuntime } from "../../../src/runtime/runtime.js";
import type { ToolFile } from "../../../src/runtime/files/tool-file.js";
import type { Attempt } from "../../../src/runtime/call/attempt.js";
import { runs } from "../../support/runs.js";
import { exampleTool, type Params, succeed } from "../example-tool.js";
import { temporaryDirectory } from "./fixtures.js";
import { callsOf, describeEachLedger, recordWrite, type TestPlace } from "./kinds.js";

const secret = "s3cret-Tökën/+value";
const stdout = { name: "stdout", type: "text/plain" };

async function* pieces(...all: readonly (string | Uint8Array)[]) {
  for (const each of all) yield typeof each === "string" ? Buffer.from(each) : each;
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

type Produce = (attempt: Attempt) => Promise<unknown>;

/** Makes a call whose executor produces something, and gives what the ledger has of it. */
async function callOf(
  ledger: LedgerStore,
  produce: Produce,
  tool: Parameters<typeof exampleTool>[1] = {},
  params: Params = { id: "my-masked-id" },
): Promise<LedgerCall> {
  const runtime = createRuntime({ credentials: { TOKEN: secret }, inherit: false, ledger });
  const made = exampleTool(
    async (attempt) => {
      await produce(attempt);
      return succeed();
    },
    { credentials: ["TOKEN"], ...tool },
  );
  await callTool(made, params, { runtime }).catch(() => undefined);
  const [call] = await callsOf(ledger, { limit: 1 });
  if (call === undefined) throw new Error("no call");
  return call;
}

async function contentOf(ledger: LedgerStore, attachment: ProducedAttachment | undefined) {
  if (attachment === undefined || !("sha256" in attachment)) return undefined;
  const bytes = await ledger.attachments?.readBytes?.(attachment);
  if (bytes === undefined) return undefined;
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(attachment.sha256);
  expect(bytes.byteLength).toBe(attachment.bytes);
  return Buffer.from(bytes);
}

await describeEachLedger((ledgers) => {
  const opened = async (keepBytes: BytesPolicy = {}): Promise<[LedgerStore, TestPlace]> => {
    const place = await ledgers.place();
    return [place.open({ attachments: { keepBytes } }), place];
  };

  it("keeps bytes for 30 days without the option", async () => {
    const place = await ledgers.place();
    for (const attachments of [undefined, { results: {} }]) {
      const ledger = place.open(attachments && { attachments });
      const call = await callOf(ledger, async (attempt) => {
        await collect(keepBytes(attempt, pieces("a", "b"), stdout));
      });
      expect(call.attachments).toMatchObject([
        { name: "stdout", bytes: 2, folder: expect.stringMatching(/^until-/) },
      ]);
    }
  });

  it("keeps nothing if the option is off, and only for the named tools", async () => {
    const place = await ledgers.place();
    for (const keepBytesOf of [false, { tools: ["desk/x"] }] as const) {
      const ledger = place.open({ attachments: { keepBytes: keepBytesOf } });
      let passed = "";
      const call = await callOf(ledger, async (attempt) => {
        passed = String(await collect(keepBytes(attempt, pieces("a", "b"), stdout)));
      });
      expect(passed).toBe("ab");
      expect(call).not.toHaveProperty("attachments");
    }
  });

  it("keeps what a process writes, which its executor reads as it came", async () => {
    const [ledger, place] = await opened();
    let read = "";
    const call = await callOf(ledger, async (attempt) => {
      const script = `process.stdout.write("out: " + process.argv[1]); process.stderr.write("err")`;
      const child = spawn(process.execPath, ["-e", script, secret]);
      const streams = [
        keepBytes(attempt, child.stdout, stdout),
        keepBytes(attempt, child.stderr, { ...stdout, name: "stderr" }),
      ];
      read = String((await Promise.all(streams.map(collect)))[0]);
    });
    expect(read).toBe(`out: ${secret}`);
    expect(call.attachments).toMatchObject([
      { ...stdout, bytes: 13 },
      { name: "stderr", bytes: 3 },
    ]);
    const contents = await Promise.all(
      (call.attachments ?? []).map((each) => contentOf(ledger, each)),
    );
    expect(contents.map(String)).toEqual(["out: ${TOKEN}", "err"]);
    await ledger.close();
    const reader = place.open();
    expect(await reader.verify()).toMatchObject({ problems: [], attachments: { intact: 2 } });
    const on = { store: reader, where: "there", color: false, width: 100, id: call.id };
    expect(await ledgerShow({ ...on, json: false })).toMatchObject({
      text: expect.stringMatching(/produced +stdout: text\/plain, 13 bytes$[^]*out: \$\{TOKEN\}/m),
    });
    expect(await ledgerShow({ ...on, json: true })).toMatchObject({
      json: { contents: [{ name: "stdout", text: "out: ${TOKEN}" }, { name: "stderr" }] },
    });
    await reader.prune?.({ before: "2999-01-01" });
    const [first] = call.attachments ?? [];
    expect(await contentOf(reader, first)).toBeUndefined();
    expect((await reader.verify()).problems).toEqual([]);
  });

  it("scrubs a credential and a masked parameter wherever chunks are split", async () => {
    const [ledger] = await opened();
    const spellings = [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString("base64"),
      Buffer.from(secret).toString("hex"),
      "my-masked-id",
    ];
    const text = Buffer.from(spellings.map((each) => `ä ${each} ö`).join("\n"));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(text.length), { maxLength: 60 }), async (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), text.length];
        const chunks = at.slice(1).map((end, n) => text.subarray(at[n], end));
        const call = await callOf(
          ledger,
          (attempt) => collect(keepBytes(attempt, pieces(...chunks), stdout)),
          { maskedParams: [["id"]] },
        );
        const kept = String(await contentOf(ledger, call.attachments?.[0]));
        const lines = ["${TOKEN}", "${TOKEN}", "${TOKEN}", "${TOKEN}", "***"];
        expect(kept).toBe(lines.map((each) => `ä ${each} ö`).join("\n"));
      }),
      { numRuns: runs(10) },
    );
  });

  it("keeps at most the limit of an attachment, whole characters, and no part of a secret", async () => {
    const [ledger] = await opened({ maxBytes: 1001 });
    const long = await callOf(ledger, (attempt) =>
      collect(keepBytes(attempt, pieces(...Array.from({ length: 5000 }, () => "éé")), stdout)),
    );
    expect(long.attachments).toMatchObject([{ bytes: 1000, cut: true }]);
    expect(String(await contentOf(ledger, long.attachments?.[0]))).toBe("é".repeat(500));
    // Replaced, they are a fraction of what they were: the end of what was held comes near the limit.
    const many = Array.from({ length: 100_000 }, () => `${secret}${secret}`);
    const call = await callOf(ledger, (attempt) =>
      collect(keepBytes(attempt, pieces("a", ...many), stdout)),
    );
    const kept = String(await contentOf(ledger, call.attachments?.[0]));
    expect(kept.slice(0, 993)).toBe(`a${"${TOKEN}".repeat(124)}`);
    expect(kept.slice(993)).toBe("${TOKEN}".slice(0, 8));
    const exact = await callOf(ledger, (attempt) =>
      collect(keepBytes(attempt, pieces("x".repeat(1001)), stdout)),
    );
    expect(exact.attachments).toEqual([expect.not.objectContaining({ cut: true })]);
  });

  it("keeps at most the limit of a call, in the order of its streams", async () => {
    const [ledger] = await opened({ maxBytes: 100, maxCallBytes: 150 });
    const call = await callOf(ledger, async (attempt) => {
      for (const name of ["one", "two", "three"])
        await collect(keepBytes(attempt, pieces("x".repeat(90)), { ...stdout, name }));
    });
    expect(call.attachments).toMatchObject([
      { name: "one", bytes: 90 },
      { name: "two", bytes: 60, cut: true },
      { name: "three", bytes: 90, omitted: "too-large" },
    ]);
  });

  it("keeps other bytes than text as they are, unless a secret is in them that can't be replaced", async () => {
    const [ledger, place] = await opened();
    const bytes = Uint8Array.from({ length: 512 }, (_, n) => n % 256);
    const call = await callOf(ledger, async (attempt) => {
      const facts = { name: "a.bin", type: "application/octet-stream" };
      await collect(keepBytes(attempt, pieces(bytes), facts));
      await collect(keepBytes(attempt, pieces(Buffer.from(secret, "utf16le"), bytes), facts));
      await collect(keepBytes(attempt, pieces(bytes, secret), facts));
    });
    expect(await contentOf(ledger, call.attachments?.[0])).toEqual(Buffer.from(bytes));
    expect(call.attachments?.slice(1)).toMatchObject([
      { omitted: "has-secret" },
      { omitted: "has-secret" },
    ]);
    expect((await place.open().verify()).problems).toEqual([]);
  });

  it("keeps what the last attempt produced, also of a call that failed or has no known outcome", async () => {
    const [ledger] = await opened();
    const retry = { maxAttempts: 2, backoffMs: 1, backoffMultiplier: 1 };
    const call = await callOf(
      ledger,
      async (attempt) => {
        await collect(keepBytes(attempt, pieces(`attempt ${attempt.number}`), stdout));
        await new Promise((resolve) => setTimeout(resolve, 10_000).unref());
      },
      { retry, timeoutMs: 100 },
    );
    expect(call).toMatchObject({ outcome: "unknown", attempts: 2, attachments: [{ bytes: 9 }] });
    expect(String(await contentOf(ledger, call.attachments?.[0]))).toBe("attempt 2");
  });

  it("keeps no file that the caller sends", async () => {
    const [ledger, place] = await opened();
    const file = { bytes: Buffer.from("the caller's own"), name: "a.txt" } satisfies ToolFile;
    const params = { id: "a", file } as Params;
    const call = await callOf(ledger, async () => undefined, { files: { at: [["file"]] } }, params);
    expect(call).not.toHaveProperty("attachments");
    expect(await place.open().verify()).toMatchObject({ attachments: { intact: 0 } });
  });

  it("reports bytes that are named and gone", async () => {
    const place = await ledgers.place();
    const ledger = place.open();
    const missing = { sha256: "a".repeat(64), bytes: 3, folder: "2026-07-25" };
    await recordWrite(ledger, { attachments: [{ ...stdout, ...missing }] });
    expect((await ledger.verify()).problems).toMatchObject([{ kind: "missing-attachment" }]);
  });

  it("keeps bytes and a result of the same content beside each other", async () => {
    const place = await ledgers.place();
    const ledger = place.open({ attachments: { results: {}, keepBytes: {} } });
    const json = JSON.stringify({ status: "success", data: { ok: true } });
    const call = await callOf(ledger, (attempt) =>
      collect(keepBytes(attempt, pieces(json), stdout)),
    );
    expect(String(await contentOf(ledger, call.attachments?.[0]))).toBe(json);
    const attachment = call.outcome === "ended" ? call.attachment : undefined;
    if (attachment === undefined || !("sha256" in attachment)) throw new Error("no result");
    expect(await ledger.attachments?.read(attachment)).toBe(json);
    expect(await ledger.verify()).toMatchObject({ problems: [], attachments: { intact: 2 } });
  });
});

it("keeps bytes for the given number of days", async () => {
  vi.setSystemTime(Date.UTC(2026, 6, 25));
  const attachments = { keepBytes: { keepDays: 7 } };
  const ledger = createFileLedger({ directory: temporaryDirectory(), attachments });
  const make = () => callOf(ledger, (attempt) => collect(keepBytes(attempt, pieces("x"), stdout)));
  const call = await make();
  expect(call.attachments).toMatchObject([{ folder: "until-2026-08-01" }]);
  vi.setSystemTime(Date.UTC(2026, 7, 3));
  await make();
  const counts = { intact: 1, expired: 1 };
  expect(await ledger.verify()).toMatchObject({ problems: [], attachments: counts });
  await ledger.close();
});

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());
