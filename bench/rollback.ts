/**
 * Measures the restoring of 10,000 files, beside `cp -a` of the same folder and a sync. Both bring
 * back a folder that was removed, onto the disk. The bar of a restore is 5 seconds.
 */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openKeeper } from "../src/runtime/rollback/backups/keeper.js";
import { restoreBackup } from "../src/runtime/rollback/backups/restore-backup.js";
import type { Measurement } from "./measurement.js";

const files = 10_000;
const filesInFolder = 100;
const fileBytes = 4096;
const rounds = 3;
const barMs = 5000;

/** @throws Error if a restore takes longer than the bar */
export async function measureRollback(): Promise<readonly Measurement[]> {
  const directory = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), "skillc-bench-"));
  try {
    return await measureIn(directory);
  } finally {
    fs.rmSync(directory, { recursive: true });
  }
}

async function measureIn(directory: string): Promise<readonly Measurement[]> {
  const [tree, spare] = [join(directory, "tree"), join(directory, "spare")];
  makeFiles(tree);
  execFileSync("cp", ["-a", tree, spare]);
  const times = { copy: [] as number[], keep: [] as number[], restore: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    const call = `call-${round}`;
    const keeper = openKeeper({ directory, call, strategy: "backup", note: () => undefined });
    times.keep.push(await timeOf(() => keeper.copy([tree])));
    fs.rmSync(tree, { recursive: true });
    await keeper.left();
    times.restore.push(await timeOf(() => restored(directory, call)));
    fs.rmSync(tree, { recursive: true });
    times.copy.push(await timeOf(() => copyBack(spare, tree)));
  }
  const [copy, keep, restore] = [best(times.copy), best(times.keep), best(times.restore)];
  if (restore > barMs)
    throw new Error(
      `restoring ${files} files took ${restore.toFixed(0)} ms; the bar is ${barMs} ms`,
    );
  const baseline = `\`cp -a\` of the same files and a sync (${copy.toFixed(0)} ms)`;
  const name = `restoring ${files} files of 4 KiB`;
  return [
    { name: `keeping ${files} files of 4 KiB`, value: keep / copy, unit: "×", baseline },
    { name, value: restore / copy, unit: "×", baseline },
    { name: `${name} (bar: ${barMs} ms)`, value: restore, unit: "ms", baseline },
  ];
}

function makeFiles(tree: string): void {
  for (let index = 0; index < files; index += 1) {
    const folder = join(tree, String(Math.floor(index / filesInFolder)));
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(join(folder, `${index}.txt`), String(index).padEnd(fileBytes, "x"));
  }
}

async function restored(directory: string, call: string): Promise<void> {
  const outcome = await restoreBackup({ directory, call, by: `${call}-back` });
  if (outcome.status !== "restored") throw new Error(`nothing was restored: ${outcome.status}`);
}

function copyBack(spare: string, tree: string): void {
  execFileSync("cp", ["-a", spare, tree]);
  execFileSync("sync", ["-f", tree]);
}

async function timeOf(run: () => unknown): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

/** Other programs only make a round slower. */
function best(times: readonly number[]): number {
  return Math.min(...times);
}
