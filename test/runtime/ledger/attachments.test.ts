import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ledgerShow } from "../../../src/cli/ledger/commands.js";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import type { AttachmentPolicy } from "../../../src/runtime/ledger/attachments.js";
import { createFileLedger } from "../../../src/runtime/ledger/files/file-store.js";
import { createRuntime, verifyLedger } from "../../../src/runtime/runtime.js";
import { exampleTool } from "../example-tool.js";
import { appendWrite, callsIn, temporaryDirectory } from "./fixtures.js";

const dayMs = 86_400_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 6, 25) }));
afterEach(() => void vi.useRealTimers());

const secret = 's3cret/"quoted"+key';
const long = Array.from({ length: 200 }, (_, at) => `line ${at}`);

/** Makes one call whose answer is that data. */
async function callWith(
  data: unknown,
  policy: AttachmentPolicy | undefined,
  tool: Parameters<typeof exampleTool>[1] = {},
  directory: string = temporaryDirectory(),
) {
  const attachments = policy && { attachments: policy };
  const ledger = createFileLedger({ directory, ...attachments });
  const runtime = createRuntime({ credentials: { TOKEN: secret }, inherit: false, ledger });
  const answers = exampleTool(async () => ({ result: { status: "success", data } }), {
    credentials: ["TOKEN"],
    ...tool,
  });
  await callTool(answers, { id: "my-secret-id" }, { runtime });
  await runtime.close();
  return directory;
}

function textsBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))
    .toSorted();
}

const attachments = (directory: string) =>
  existsSync(join(directory, "attachments")) ? textsBelow(join(directory, "attachments")) : [];

describe("a whole result", () => {
  it("a whole result is not kept by default", async () => {
    const directory = await callWith(long, undefined);
    expect(attachments(directory)).toEqual([]);
    const [call] = await callsIn(directory);
    expect(call).not.toHaveProperty("attachment");
  });

  it("a whole result is kept beside the records once, readable only by its owner, and `show` prints it", async () => {
    const directory = await callWith(long, { results: {} });
    await callWith(long, { results: {} }, {}, directory);
    const [path = "", ...others] = attachments(directory);
    expect(others).toEqual([]);
    expect(path).toContain("/attachments/2026-07-25/");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const store = createFileLedger({ directory });
    const [call] = await callsIn(directory);
    const options = { store, where: directory, color: false, width: 100, id: call?.id ?? "" };
    expect(await ledgerShow({ ...options, json: false })).toMatchObject({
      text: expect.stringContaining('"line 199"'),
    });
    expect(await ledgerShow({ ...options, json: true })).toMatchObject({
      json: { attached: { status: "success", data: long } },
    });
    expect(await verifyLedger({ directory })).toMatchObject({
      problems: [],
      attachments: { intact: 2, expired: 0, pruned: 0 },
    });
  });

  it("contains no credential and no masked value, in any spelling of a hostile answer", async () => {
    const bytes = Buffer.from(secret);
    const spelled = [
      secret,
      encodeURIComponent(secret),
      bytes.toString("base64"),
      bytes.toString("hex"),
      JSON.stringify({ inner: JSON.stringify(secret) }),
      Buffer.from("my-secret-id").toString("base64"),
    ];
    const echo = {
      long,
      echo: spelled.map((each) => `you sent: ${each}.`),
      [secret]: 1,
      pin: 4711,
    };
    const masks = { maskedParams: [["id"]], maskedResult: [["pin"]] } as const;
    const directory = await callWith(echo, { results: {} }, masks);
    expect(attachments(directory)).toHaveLength(1);
    for (const path of textsBelow(directory)) {
      const text = readFileSync(path, "utf8");
      for (const each of [...spelled, JSON.stringify(secret).slice(1, -1), "my-secret-id", "4711"])
        expect(text).not.toContain(each);
    }
    const [path = ""] = attachments(directory);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ data: { long } });
  });

  it("a whole result is noted as omitted if it is too large, and ignored for a tool that isn't named", async () => {
    const directory = await callWith(long, { results: { maxBytes: 100 } });
    expect(attachments(directory)).toEqual([]);
    const [call] = await callsIn(directory);
    expect(call).toMatchObject({ attachment: { omitted: "too-large", bytes: expect.any(Number) } });
    const other = await callWith(long, { results: { tools: ["desk/other"] } });
    expect((await callsIn(other))[0]).not.toHaveProperty("attachment");
  });

  it("stops no call if it can't be written, and is noted", async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, "attachments"), "a file stands where the folder should");
    await callWith(long, { results: {} }, {}, directory);
    expect(await callsIn(directory)).toMatchObject([{ attachment: { omitted: "not-written" } }]);
  });

  it("a whole result is reported by verify if it was changed or deleted", async () => {
    const directory = await callWith(long, { results: {} });
    const [path = ""] = attachments(directory);
    const kinds = async () => (await verifyLedger({ directory })).problems.map(({ kind }) => kind);
    writeFileSync(path, readFileSync(path, "utf8").replace("line 7", "line 8"));
    expect(await kinds()).toEqual(["changed-attachment"]);
    rmSync(path);
    expect(await kinds()).toEqual(["missing-attachment"]);
  });

  it("a whole result is deleted after its time, which verify reports as no loss", async () => {
    const policy = { results: { keepDays: 7 } };
    const directory = await callWith(long, policy);
    expect(attachments(directory)[0]).toContain("/until-2026-08-01/");
    vi.setSystemTime(Date.UTC(2026, 6, 25) + 8 * dayMs);
    await callWith(["other"], policy, {}, directory);
    expect(attachments(directory)).toHaveLength(1);
    expect(await verifyLedger({ directory })).toMatchObject({
      problems: [],
      attachments: { intact: 1, expired: 1 },
    });
  });

  it("a whole result is deleted with pruned records, and verify reports where the others went", async () => {
    const directory = await callWith(long, { results: {} });
    vi.setSystemTime(Date.UTC(2026, 6, 27));
    await createFileLedger({ directory }).prune?.({ before: "2026-07-26" });
    expect(attachments(directory)).toEqual([]);
    expect(await verifyLedger({ directory })).toMatchObject({ records: 0, problems: [] });
  });
});

describe.each(["the usual folder", "a folder that the application names"])(
  "a link in place of the attachments of %s",
  (which) => {
    /** A ledger whose attachments are a link to somebody's folder with old days. */
    function linked() {
      const root = temporaryDirectory();
      const theirs = join(temporaryDirectory(), "backups");
      for (const day of ["2025-01-01", "until-2025-01-01"]) {
        mkdirSync(join(theirs, day), { recursive: true });
        writeFileSync(join(theirs, day, "db.dump"), "theirs");
      }
      const options = { attachments: { results: {} } };
      const ledger =
        which === "the usual folder"
          ? createFileLedger(options, root)
          : createFileLedger({ ...options, directory: join(root, "named") });
      mkdirSync(ledger.directory, { recursive: true });
      symlinkSync(theirs, join(ledger.directory, "attachments"));
      return { ledger, theirs };
    }

    it("removes no expired folder behind the link when a result is kept", () => {
      const { ledger, theirs } = linked();
      const before = textsBelow(theirs);
      expect(() => ledger.attachments?.keep("{}")).toThrow(/attachments` is a link/);
      expect(textsBelow(theirs)).toEqual(before);
    });

    it.each([{ dryRun: true }, {}])(
      "makes pruning stop before it removes or records anything: %j",
      async (options) => {
        const { ledger, theirs } = linked();
        appendWrite(ledger);
        ledger.flush();
        const before = [...textsBelow(theirs), ...readdirSync(ledger.directory)];
        const pruning = ledger.prune?.({ before: new Date(Date.UTC(2100, 0)), ...options });
        await expect(pruning).rejects.toThrow(/attachments` is a link/);
        expect([...textsBelow(theirs), ...readdirSync(ledger.directory)]).toEqual(before);
      },
    );
  },
);

it("pruning stops if a link stands in place of the ledger's folder", async () => {
  const root = temporaryDirectory();
  const theirs = createFileLedger({ directory: temporaryDirectory() });
  appendWrite(theirs);
  await theirs.close();
  mkdirSync(join(root, ".skillc"));
  symlinkSync(theirs.directory, join(root, ".skillc/ledger"));
  const before = textsBelow(theirs.directory);
  const pruning = createFileLedger({}, root).prune?.({ before: new Date(Date.UTC(2100, 0)) });
  await expect(pruning).rejects.toThrow(/`.skillc\/ledger` is a link/);
  expect(textsBelow(theirs.directory)).toEqual(before);
});
