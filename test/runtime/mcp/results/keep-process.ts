/**
 * A child process that keeps results in a folder, and prints their ids. Arguments: the directory, a
 * word for the texts, their number, the limit of a caller in bytes, and `die` to end in the middle
 * of the next change.
 */
import { writeFileSync, writeSync } from "node:fs";
import { LockedFolder } from "../../../../src/runtime/governance/store/folder/locked-folder.js";
import { folderResults } from "../../../../src/runtime/mcp/results/folder-results.js";
import { ada, keptId, testKey } from "./result-promises.js";

const [directory = "", word = "", count = "0", maxCallerBytes = "0", end] = process.argv.slice(2);
const store = folderResults({ directory, key: testKey, maxCallerBytes: Number(maxCallerBytes) });
for (let at = 0; at < Number(count); at += 1) {
  const id = await keptId(store, `${word} ${at}`.padEnd(10_000, "."), ada);
  writeSync(1, `${id}\n`);
}
if (end === "die")
  await new LockedFolder({ root: directory, path: "." }, 5000).change(async () => {
    writeFileSync(`${directory}/${"0".repeat(64)}.${"0".repeat(64)}.1.2.3.result.tmp`, "half");
    process.kill(process.pid, "SIGKILL");
    await new Promise(() => {});
  });
await store.close();
