/** A process that prunes is killed between the record of it and the last removal: what is left verifies, and pruning again completes it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createFileLedger } from "../../../src/runtime/ledger/files/file-store.js";
import { groupByWriter, namesIn } from "../../../src/runtime/ledger/files/file-name.js";
import { keepSummary } from "../../../src/runtime/ledger/files/summary.js";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import { createRuntime, verifyLedger } from "../../../src/runtime/runtime.js";
import { loaderArgs } from "../../support/node-loader.js";
import { exampleTool } from "../example-tool.js";
import { appendWrite, callsIn, filesIn, temporaryDirectory } from "./fixtures.js";

const script = fileURLToPath(new URL("./pruner-process.ts", import.meta.url));
const start = Date.UTC(2026, 6, 25);
const before = new Date(start + 3 * 86_400_000);

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: start }));
afterEach(() => void vi.useRealTimers());

/** Beside them is the folder of attachments. */
const recordsIn = (directory: string): readonly string[] =>
  filesIn(directory).filter((name) => name.endsWith(".jsonl"));

/** A writer of three files with a large result, all of it old, and a younger writer. */
async function oldAndYoung(): Promise<string> {
  const directory = temporaryDirectory();
  const attachments = { results: {} };
  const old = createFileLedger({ directory, maxFileBytes: 4000, attachments });
  const runtime = createRuntime({ inherit: false, ledger: old });
  const data = "x".repeat(2000);
  const tool = exampleTool(async () => ({ result: { status: "success", data } }));
  await callTool(tool, { id: "a" }, { runtime });
  while (recordsIn(directory).length < 3) appendWrite(old);
  await runtime.close();
  // Pruning names its own file by the time: nothing in the directory is later.
  vi.setSystemTime(before.getTime() + 60_000);
  const young = createFileLedger({ directory });
  appendWrite(young, { id: "young" });
  await young.close();
  vi.useRealTimers();
  // As queries do of large files.
  for (const { files } of groupByWriter(await namesIn(directory)))
    for (const file of files) await keepSummary({ root: directory, path: "." }, file);
  return directory;
}

async function pruneAndDieAfter(directory: string, removals: number): Promise<boolean> {
  const args = [...loaderArgs, script, directory, before.toISOString(), `${removals}`];
  const child = spawn(process.execPath, args, { stdio: "inherit" });
  await once(child, "close");
  return child.signalCode === "SIGKILL";
}

const oldAttachments = (directory: string): boolean =>
  existsSync(join(directory, "attachments", "2026-07-25"));

// A summary and its file, three times, and a day of attachments.
test.each([0, 1, 2, 5, 6])(
  "a prune that is killed after %i removals leaves a ledger that verifies, and that a second prune completes",
  async (removals) => {
    const directory = await oldAndYoung();
    const old = recordsIn(directory).slice(0, 3);
    const summaries = readdirSync(directory).filter((name) => name.endsWith(".summary"));
    expect(summaries).toHaveLength(4);
    expect(oldAttachments(directory)).toBe(true);
    expect(await pruneAndDieAfter(directory, removals)).toBe(true);
    expect((await verifyLedger({ directory })).problems).toEqual([]);
    const isLeft = (file: string): boolean => recordsIn(directory).includes(file);
    expect(old.some(isLeft) || oldAttachments(directory)).toBe(true);
    await createFileLedger({ directory }).prune?.({ before });
    const { problems, unknownOutcomes } = await verifyLedger({ directory });
    expect({ problems, unknownOutcomes }).toEqual({ problems: [], unknownOutcomes: [] });
    expect((await callsIn(directory)).map(({ id }) => id)).toEqual(["young"]);
    // Neither files, nor summaries, nor attachments.
    const stems = old.map((file) => file.replace(/\.jsonl$/, ""));
    expect(
      readdirSync(directory).filter((name) => stems.some((stem) => name.startsWith(stem))),
    ).toEqual([]);
    expect(oldAttachments(directory)).toBe(false);
  },
);
