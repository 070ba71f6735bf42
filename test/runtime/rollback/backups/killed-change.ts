/**
 * A child process that makes changes and kills itself before a step. Arguments: the project, the
 * number of steps before that, and the changes as JSON.
 */
import { dieAfter } from "../../../support/die-after.js";

const [directory = "", steps = "0", changes = "[]"] = process.argv.slice(2);
const { applyChanges, openJournal } =
  await import("../../../../src/runtime/rollback/backups/apply-changes.js");
const { backupsOf } = await import("../../../../src/runtime/rollback/backups/backup-folder.js");
dieAfter(Number(steps));
const journal = await openJournal(backupsOf(directory), "call-1");
await applyChanges(journal, JSON.parse(changes), { roots: [`${directory}/now`] });
