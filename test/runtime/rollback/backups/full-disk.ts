/**
 * A child process in whose project the disk is small: keeps and restores while it is full. Argument:
 * the project. Prints what happened, as JSON.
 */
import fs from "node:fs";
import { join } from "node:path";
import { asFault } from "../../../../src/runtime/rollback/backups/backup-fault.js";
import { openKeeper } from "../../../../src/runtime/rollback/backups/keeper.js";
import { restoreBackup } from "../../../../src/runtime/rollback/backups/restore-backup.js";

const [directory = ""] = process.argv.slice(2);
const notes = join(directory, "notes");
const keeperOf = (call: string) =>
  openKeeper({ directory, call, strategy: "backup", note: () => undefined });

function fill(): void {
  const fd = fs.openSync(join(directory, "filler"), "w");
  try {
    for (;;) fs.writeSync(fd, Buffer.alloc(4096));
  } catch {
    fs.closeSync(fd);
  }
}

fs.mkdirSync(notes);
fs.writeFileSync(join(notes, "a.bin"), Buffer.alloc(300_000, "a"));
fill();
const kept = await keeperOf("full")
  .copy([notes])
  .catch((error: unknown) => asFault(error)?.message);
const copiesLeft = fs.readdirSync(join(directory, ".skillc/backups/calls"));
fs.rmSync(join(directory, "filler"));
const keeper = keeperOf("one");
await keeper.copy([notes]);
fs.writeFileSync(join(notes, "a.bin"), Buffer.alloc(300_000, "b"));
fs.writeFileSync(join(notes, "c.md"), "c");
await keeper.left();
fill();
const full = await restoreBackup({ directory, call: "one", by: "two" });
const leftFull = [fs.readdirSync(notes), fs.readFileSync(join(notes, "a.bin"), "utf8")[0]];
fs.rmSync(join(directory, "filler"));
const free = await restoreBackup({ directory, call: "one", by: "three" });
const leftFree = [fs.readdirSync(notes), fs.readFileSync(join(notes, "a.bin"), "utf8")[0]];
console.log(JSON.stringify({ kept, copiesLeft, full, leftFull, free: free.status, leftFree }));
