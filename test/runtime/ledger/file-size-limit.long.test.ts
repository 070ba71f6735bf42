/** A system that lets no file grow beyond a limit (`ulimit -f`). */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createFileLedger } from "../../../src/runtime/ledger/files/file-store.js";
import { loaderArgs } from "../../support/node-loader.js";
import { temporaryDirectory } from "./fixtures.js";

const script = fileURLToPath(new URL("./writer-process.ts", import.meta.url));

/** Writes calls in a child process whose files may have that many KiB. */
function writeLimited(calls: number, kibibytes: number, directory: string) {
  // Node.js gives a child a socket for its output, and a write to a full one fails: a pipe waits.
  const command = 'ulimit -f "$0" && "$@" | cat; exit "${PIPESTATUS[0]}"';
  const args = [process.execPath, ...loaderArgs, script, `${calls}`, "files", directory];
  const limited = ["-c", command, `${kibibytes}`, ...args];
  return spawnSync("bash", limited, { encoding: "utf8" });
}

test("a ledger goes on in a new file when the system lets no file grow, and closes", async () => {
  const directory = temporaryDirectory();
  const { status, stderr, stdout } = writeLimited(300, 64, directory);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout.match(/^e! /gm)).toHaveLength(300);
  const files = readdirSync(directory).filter((name) => name.endsWith(".jsonl"));
  expect(files.length).toBeGreaterThan(3);
  const ledger = createFileLedger({ directory });
  expect(await ledger.verify()).toMatchObject({ problems: [] });
  let ends = 0;
  for await (const { record } of ledger.read()) if (record.type === "end") ends += 1;
  expect(ends).toBe(300);
  await ledger.close();
});

test("a record that fits into no file is refused", () => {
  const { status, stderr } = writeLimited(700, 1, temporaryDirectory());
  expect(status).not.toBe(0);
  expect(stderr).toContain("can't be written: EFBIG");
});
