import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { QueryFilter } from "../../../src/runtime/ledger/query-filter.js";
import { entryOf } from "../../../src/runtime/ledger/store.js";

import {
  type CommandOutput,
  ledgerList,
  ledgerReport,
  ledgerShow,
  ledgerVerify,
} from "../../../src/cli/ledger/commands.js";
import { createFileLedger } from "../../../src/runtime/ledger/files/file-store.js";
import {
  appendWrite,
  beginRecord,
  endRecord,
  fileIn,
  linesIn,
  temporaryDirectory,
  writeLines,
} from "../../runtime/ledger/fixtures.js";

const at = (second: number) => new Date(Date.UTC(2026, 6, 25, 10, 0, second)).toISOString();

/** Thirty calls: active writes, two shadow writes, a failed one, and one that never ended. */
/** What commands are told of a ledger in a folder. */
const from = (directory: string) => ({ store: createFileLedger({ directory }), where: directory });

async function sample(): Promise<string> {
  const directory = temporaryDirectory();
  const ledger = createFileLedger({ directory });
  for (let n = 0; n < 26; n++)
    appendWrite(ledger, { id: `${String(n).padStart(8, "0")}-aaaa`, time: at(n) });
  ledger.append(
    entryOf(
      endRecord({
        id: "5badc0de-1",
        time: at(30),
        mode: "shadow",
        status: "shadow",
        attempts: 0,
        request: { method: "POST" },
      }),
    ),
  );
  ledger.append(
    entryOf(
      endRecord({
        id: "5badc0de-2",
        time: at(31),
        mode: "shadow",
        status: "shadow",
        attempts: 0,
        trace: "t-1",
      }),
    ),
  );
  const error = { code: "PROVIDER.TIMEOUT", message: "no answer in 5000 ms" } as const;
  ledger.append(
    entryOf(
      endRecord({
        id: "fa11ed00-1",
        time: at(32),
        status: "failed",
        result: null,
        error,
        attempts: 3,
      }),
    ),
  );
  ledger.append(entryOf(beginRecord({ id: "0pen0000-1", time: at(33) })));
  await ledger.close();
  return directory;
}

const plain = { color: false, width: 120, json: false };

function textOf(output: CommandOutput): string {
  if (!("text" in output)) throw new Error("not text");
  return output.text;
}

function jsonOf(output: CommandOutput): unknown {
  if (!("json" in output)) throw new Error("not json");
  // What is printed, not what is in memory.
  return JSON.parse(JSON.stringify(output.json));
}

it("`list` and `show` print the step of a call, and `list` finds it by trace and parent", async () => {
  const directory = temporaryDirectory();
  const ledger = createFileLedger({ directory });
  const step = "Reserve\u202estock";
  await ledger.append(
    entryOf(endRecord({ id: "5tep0000-1", time: at(1), step, trace: "t-1", parent: "p-1" })),
  );
  await ledger.append(entryOf(endRecord({ id: "p1a10000-1", time: at(2) })));
  await ledger.close();
  const on = { ...plain, ...from(directory) };
  expect(textOf(await ledgerList(on))).toMatch(
    /mode +step +status[^]*active +Reserve\\u202estock +succ/,
  );
  expect(textOf(await ledgerShow({ ...on, id: "5tep" }))).toMatch(/^ +step +Reserve\\u202estock$/m);
  const traced = async (filter: object) => textOf(await ledgerList({ ...on, ...filter }));
  expect(await traced({ trace: "t-1", parent: "p-1" })).toMatch(/5tep0000(?![^]*p1a10000)/);
  expect(await traced({ trace: "t-1", parent: "p-2" })).toBe("no calls");
  const narrow = textOf(await ledgerList({ ...on, width: 70 }));
  expect(narrow).not.toContain("step");
});

describe("a filter that matches no call", () => {
  it("gets suggestions from the ledger beside the empty list", async () => {
    const directory = await sample();
    const none = await ledgerList({
      ...plain,
      ...from(directory),
      status: "nope",
      tool: "get-ordr",
    });
    expect(none).toMatchObject({ exitCode: 0, text: "no calls" });
    expect(none.notes).toEqual([
      "no call ended as `nope`; the ledger has `failed`, `shadow`, `success`, `unknown`",
      expect.stringMatching(/^no call belongs to the tool `get-ordr`; the ledger has `/),
    ]);
    const report = await ledgerReport({
      ...plain,
      ...from(directory),
      format: "json",
      skill: "nope",
    });
    expect(report.notes).toEqual([expect.stringMatching(/^no call belongs to the skill `nope`/)]);
  });

  it("suggests names from the newest calls without reading every record of a large ledger", async () => {
    const directory = temporaryDirectory();
    const ledger = createFileLedger({ directory });
    appendWrite(ledger, { tool: "oldest" });
    for (let call = 0; call < 1500; call += 1) appendWrite(ledger);
    await ledger.close();
    let records = 0;
    const { store, where } = from(directory);
    const counting = Object.assign(Object.create(store), {
      async *read(filter: QueryFilter) {
        for await (const each of store.read(filter)) {
          records += 1;
          yield each;
        }
      },
    });
    const listed = (names: object) => ledgerList({ ...plain, store: counting, where, ...names });
    const none = await listed({ tool: "get-ordr", status: "unknown" });
    expect(none.notes).toEqual([
      "no call ended as `unknown`; its newest 1000 calls have `success`",
      "no call belongs to the tool `get-ordr`; its newest 1000 calls have `order-desk/create-order`",
    ]);
    expect(records).toBeLessThan(2100);
    expect((await listed({ tool: "oldest", status: "unknown" })).notes).toEqual([
      "no call ended as `unknown`; its newest 1000 calls have `success`",
    ]);
  });

  it("gets no suggestion if each name occurs, but not together", async () => {
    const directory = await sample();
    const none = await ledgerList({
      ...plain,
      ...from(directory),
      status: "failed",
      mode: "shadow",
    });
    expect(none).toEqual({ exitCode: 0, text: "no calls" });
  });
});

describe("skillc ledger list", () => {
  it("prints the newest calls, one per line", async () => {
    const output = await ledgerList({ ...plain, ...from(await sample()), limit: 4 });
    expect(textOf(output).replace(/--cursor .*/, "--cursor …")).toMatchInlineSnapshot(`
      "id        time (UTC)           tool                     mode    status      took  error             parameters
      0pen0000  2026-07-25 10:00:33  order-desk/create-order  active  unknown                             {"customer_id":"c-1…
      fa11ed00  2026-07-25 10:00:32  order-desk/create-order  active  failed   12.5 ms  PROVIDER.TIMEOUT  {"customer_id":"c-1…
      5badc0de  2026-07-25 10:00:31  order-desk/create-order  shadow  shadow   12.5 ms                    {"customer_id":"c-1…
      5badc0de  2026-07-25 10:00:30  order-desk/create-order  shadow  shadow   12.5 ms                    {"customer_id":"c-1…
      more: --cursor …"
    `);
    expect(output.exitCode).toBe(0);
  });

  it("prints the codes of failed calls before other columns that need room", async () => {
    const directory = await sample();
    for (const [width, code] of [
      [90, "PROVIDER.TIMEOUT"],
      [60, "PROVIDER.TI…"],
    ] as const) {
      const text = textOf(await ledgerList({ ...plain, ...from(directory), width }));
      expect(text).toMatch(new RegExp(`fa11ed00 .* failed +${code.replace(".", "\\.")}$`, "m"));
    }
    const fine = await ledgerList({ ...plain, ...from(directory), status: "shadow" });
    expect(textOf(fine)).not.toContain("error");
  });

  it("prints the day once if the console is narrow", async () => {
    const directory = await sample();
    const output = await ledgerList({ ...plain, ...from(directory), limit: 2, width: 72 });
    expect(textOf(output).replace(/--cursor .*/, "--cursor …")).toMatchInlineSnapshot(`
      "id        2026-07-25 UTC  tool                     mode    status   error
      0pen0000  10:00:33        order-desk/create-order  active  unknown
      fa11ed00  10:00:32        order-desk/create-order  active  failed   PROVIDER.TI…
      more: --cursor …"
    `);
  });

  it("fits the console, and prints the same text without colour", async () => {
    const directory = await sample();
    for (const width of [60, 80, 120, 200]) {
      const text = textOf(await ledgerList({ ...plain, ...from(directory), width }));
      const coloured = textOf(
        await ledgerList({ ...plain, ...from(directory), width, color: true }),
      );
      expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(
        Math.max(width, 80),
      );
      expect(coloured).not.toBe(text);
      expect(stripVTControlCharacters(coloured).replace(/ +$/gm, "")).toBe(text);
    }
  });

  it("pages with --cursor until there are no more calls", async () => {
    const directory = await sample();
    let cursor: string | null = null;
    const ids: string[] = [];
    do {
      const page = jsonOf(
        await ledgerList({
          ...plain,
          json: true,
          ...from(directory),
          limit: 7,
          ...(cursor === null ? {} : { cursor }),
        }),
      );
      const { calls, cursor: next } = page as { calls: { id: string }[]; cursor: string | null }; // its documented shape
      ids.push(...calls.map((call) => call.id));
      cursor = next;
    } while (cursor !== null);
    expect(new Set(ids).size).toBe(30);
    expect(ids).toHaveLength(30);
  });

  it("accepts a time as an age, and rejects an invalid one", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-03-01T12:00:00Z") });
    onTestFinished(() => void vi.useRealTimers());
    const directory = temporaryDirectory();
    const ledger = createFileLedger({ directory });
    appendWrite(ledger, { time: "2026-03-01T09:00:00.000Z" });
    appendWrite(ledger);
    await ledger.close();
    expect(
      jsonOf(await ledgerList({ ...plain, json: true, ...from(directory), since: "2h" })),
    ).toMatchObject({ calls: { length: 1 } });
    expect(
      jsonOf(await ledgerList({ ...plain, json: true, ...from(directory), since: "1d" })),
    ).toMatchObject({ calls: { length: 2 } });
    const wrong = await ledgerList({ ...plain, ...from(directory), since: "soon" });
    expect(wrong).toEqual({
      exitCode: 2,
      failure: {
        message: "`since` is not a time: soon",
        help: "write 2025-01-31T12:00:00Z, or how long ago: 90s, 15m, 2h, 7d",
      },
    });
  });

  it("prints a message if there are no calls, and if the ledger can't be read", async () => {
    const directory = temporaryDirectory();
    expect(textOf(await ledgerList({ ...plain, ...from(directory) }))).toBe("no calls");
    const file = join(directory, "file");
    writeFileSync(file, "");
    const output = await ledgerList({ ...plain, ...from(file) });
    expect(output).toEqual({
      exitCode: 1,
      failure: { message: expect.stringMatching(/^the ledger can't be read: ENOTDIR/) },
    });
  });

  it("lets no text from the ledger control the console", async () => {
    const directory = temporaryDirectory();
    const ledger = createFileLedger({ directory });
    const evil = "\u001b[2J\u001b]0;owned\u0007\r\n\u009b31m\u202eabc\ud800\u0000";
    appendWrite(ledger, {
      id: evil,
      tool: evil,
      skill: evil,
      status: evil,
      parameters: { [evil]: evil },
      result: evil,
    });
    await ledger.close();
    const outputs = await Promise.all([
      ledgerList({ ...plain, ...from(directory) }),
      ledgerShow({ ...plain, ...from(directory), id: evil }),
      ledgerReport({ ...plain, ...from(directory), format: "table" }),
      ledgerReport({ ...plain, ...from(directory), format: "html" }),
    ]);
    for (const output of outputs) expect(textOf(output)).not.toMatch(/(?!\n)[\p{Cc}\u202e\ud800]/u);
  });
});

describe("skillc ledger show", () => {
  it("prints everything about one call, by the beginning of its id", async () => {
    const directory = await sample();
    const text = textOf(await ledgerShow({ ...plain, ...from(directory), id: "fa11" }));
    expect(text.replace(/recorded .*/, "recorded …")).toMatchInlineSnapshot(`
      "order-desk/create-order  failed
        id               fa11ed00-1
        time             2026-07-25T10:00:32.000Z
        mode             active
        kind             http, write
        took             12.5 ms
        attempts         3
        error            PROVIDER.TIMEOUT: no answer in 5000 ms
        skill version    5k1ll
        binding version  b1nd1ng
        manifest         t1
        recorded …
        parameters
          {
            "customer_id": "c-1",
            "lines": [
              {
                "sku": "a",
                "quantity": 2
              }
            ]
          }"
    `);
    expect(textOf(await ledgerShow({ ...plain, ...from(directory), id: "5badc0de-1" }))).toContain(
      "request, not sent",
    );
    expect(textOf(await ledgerShow({ ...plain, ...from(directory), id: "0pen" }))).toContain(
      "unknown: the write began",
    );
    expect(
      jsonOf(await ledgerShow({ ...plain, json: true, ...from(directory), id: "fa11" })),
    ).toMatchObject({ id: "fa11ed00-1", attempts: 3 });
  });

  it("prints the copies of a call, and the changes of a killed process that it ended", async () => {
    const directory = temporaryDirectory();
    const ledger = createFileLedger({ directory });
    const recovered = [{ call: "k111ed00-1", end: "undone" }] as const;
    const sha256 = "0".repeat(64);
    const rollback = { strategy: "backup", paths: 2, bytes: 12, sha256, recovered } as const;
    await ledger.append(entryOf(endRecord({ id: "cafe0000-1", time: at(1), rollback })));
    await ledger.close();
    const text = textOf(await ledgerShow({ ...plain, ...from(directory), id: "cafe" }));
    expect(text).toMatch(/^ +way back +2 copies of 12 bytes$/m);
    expect(text).toMatch(/^ +recovered +changes of k111ed00-1: undone$/m);
  });

  it("prints that a failed write may have been carried out if it was sent", async () => {
    const directory = temporaryDirectory();
    const ledger = createFileLedger({ directory });
    const error = { code: "PROVIDER.TIMEOUT", message: "no answer in 5000 ms" } as const;
    appendWrite(ledger, {
      id: "1057",
      time: at(1),
      status: "unknown",
      result: null,
      error,
      attempts: 2,
    });
    await ledger.close();
    const text = textOf(await ledgerShow({ ...plain, ...from(directory), id: "1057" }));
    expect(text.slice(0, text.indexOf("  skill version"))).toMatchInlineSnapshot(`
      "order-desk/create-order  unknown
        id               1057
        time             2026-07-25T10:00:01.000Z
        mode             active
        kind             http, write
        outcome          unknown: the call failed, but the write may have happened anyway
        took             12.5 ms
        attempts         2
        error            PROVIDER.TIMEOUT: no answer in 5000 ms
      "
    `);
    expect(textOf(await ledgerList({ ...plain, ...from(directory) }))).toMatchInlineSnapshot(`
      "id    time (UTC)           tool                     mode    status      took  error             parameters
      1057  2026-07-25 10:00:01  order-desk/create-order  active  unknown  12.5 ms  PROVIDER.TIMEOUT  {"customer_id":"c-1","l…"
    `);
    expect(textOf(await ledgerVerify({ ...plain, ...from(directory) }))).toMatchInlineSnapshot(`
      "unknown outcome  time (UTC)           tool
      1057             2026-07-25 10:00:01  order-desk/create-order  its caller got PROVIDER.TIMEOUT

      ok: every chain holds, 1 write with unknown outcome (2 records in 1 file of 1 writer)"
    `);
  });

  it("lists the calls that an ambiguous id matches, and reports an unknown id", async () => {
    const directory = await sample();
    const unclear = await ledgerShow({ ...plain, ...from(directory), id: "5bad" });
    expect(unclear).toEqual({
      exitCode: 1,
      failure: {
        message: "the ids of several calls begin with `5bad`",
        help: "write more characters of the id:\n`5badc0de-2` order-desk/create-order\n`5badc0de-1` order-desk/create-order",
      },
    });
    const none = await ledgerShow({ ...plain, json: true, ...from(directory), id: "nope" });
    expect(jsonOf(none)).toEqual({
      error: expect.stringMatching(/^no call has an id that begins with `nope`/),
      help: "`skillc ledger list` shows the newest calls",
    });
    expect(none.exitCode).toBe(1);
  });
});

describe("skillc ledger verify", () => {
  it("prints many faults of a file in one line", async () => {
    const directory = await sample();
    const lines = linesIn(fileIn(directory));
    const edited = lines.map((line, index) =>
      index === 9 || index === 0 ? line : line.replace("order-desk", "order-desc"),
    );
    writeLines(fileIn(directory), edited);
    const text = textOf(await ledgerVerify({ ...plain, ...from(directory) }));
    expect(text.replaceAll(/\S+\.jsonl/g, "FILE")).toMatchInlineSnapshot(`
      "FILE
        changed-line  55 times (lines 2–9, 11–57); first: record 1 was changed

      unknown outcome  time (UTC)           tool
      0pen0000-1       2026-07-25 10:00:33  order-desc/create-order  its writer closed without an end

      55 problems, 1 write with unknown outcome (56 records in 1 file of 1 writer)"
    `);
  });

  it("succeeds with an unknown outcome, and lists it", async () => {
    const output = await ledgerVerify({ ...plain, ...from(await sample()) });
    expect(textOf(output)).toMatchInlineSnapshot(`
      "unknown outcome  time (UTC)           tool
      0pen0000-1       2026-07-25 10:00:33  order-desk/create-order  its writer closed without an end

      ok: every chain holds, 1 write with unknown outcome (56 records in 1 file of 1 writer)"
    `);
    expect(output.exitCode).toBe(0);
  });

  it("prints each fault and its place", async () => {
    const directory = await sample();
    const lines = linesIn(fileIn(directory));
    writeLines(
      fileIn(directory),
      lines.with(3, (lines[3] ?? "").replace("order-desk", "order-desc")).toSpliced(10, 2),
    );
    const output = await ledgerVerify({ ...plain, ...from(directory) });
    expect(textOf(output).replaceAll(/\S+\.jsonl/g, "FILE")).toMatchInlineSnapshot(`
      "FILE
        changed-line  line 4: record 3 was changed
        broken-chain  line 11: record 12 is in the place of record 10

      unknown outcome  time (UTC)           tool
      00000004-aaaa    2026-07-25 10:00:04  order-desk/create-order  its writer closed without an end
      0pen0000-1       2026-07-25 10:00:33  order-desk/create-order  its writer closed without an end

      2 problems, 2 writes with unknown outcome (54 records in 1 file of 1 writer)"
    `);
    expect(output.exitCode).toBe(1);
    expect(jsonOf(await ledgerVerify({ ...plain, json: true, ...from(directory) }))).toMatchObject({
      problems: { length: 2 },
    });
  });
});
