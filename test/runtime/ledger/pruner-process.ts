/**
 * A child process that prunes, and kills itself before a removal. Arguments: directory, `before`,
 * number of removals before that. A file, its summary and a day of attachments are one removal
 * each.
 */
import fs from "node:fs";
import { createFileLedger } from "../../../src/runtime/ledger/files/file-store.js";

const [directory = "", before = "", removals = "0"] = process.argv.slice(2);
const remove = fs.rmSync.bind(fs);
let left = Number(removals);

fs.rmSync = (path, options) => {
  if (left === 0) process.kill(process.pid, "SIGKILL");
  left -= 1;
  remove(path, options);
};
await createFileLedger({ directory }).prune?.({ before });
