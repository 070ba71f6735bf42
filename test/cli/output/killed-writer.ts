/**
 * A child process that writes files and kills itself before a step. Arguments: the project, the
 * number of steps before that, and as JSON the files to write and to remove.
 */
import { dieAfter } from "../../support/die-after.js";

const [root = "", steps = "0", json = "{}"] = process.argv.slice(2);
const { writeFiles } = await import("../../../src/cli/output/write-files.js");
const { changed, removed } = JSON.parse(json);
dieAfter(Number(steps));
writeFiles(root, "skills", { changed: new Map(Object.entries(changed)), removed });
