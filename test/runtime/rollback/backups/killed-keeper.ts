/**
 * A child process that keeps a folder, changes it, and kills itself before a step. Arguments: the
 * project, the number of steps before that.
 */
import { rmSync, writeFileSync } from "node:fs";
import { dieAfter } from "../../../support/die-after.js";

const [directory = "", steps = "0"] = process.argv.slice(2);
const { openKeeper } = await import("../../../../src/runtime/rollback/backups/keeper.js");
dieAfter(Number(steps));
const note = (): void => undefined;
const keeper = openKeeper({ directory, call: "one", strategy: "backup", note });
await keeper.copy([`${directory}/notes`]);
writeFileSync(`${directory}/notes/a.md`, "changed");
rmSync(`${directory}/notes/b.md`);
await keeper.left();
