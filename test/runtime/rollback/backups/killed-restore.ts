/**
 * A child process that restores a call and kills itself before a step. Arguments: the project, the
 * number of steps before that.
 */
import { dieAfter } from "../../../support/die-after.js";

const [directory = "", steps = "0"] = process.argv.slice(2);
const { restoreBackup } =
  await import("../../../../src/runtime/rollback/backups/restore-backup.js");
dieAfter(Number(steps));
await restoreBackup({ directory, call: "one", by: "two" });
