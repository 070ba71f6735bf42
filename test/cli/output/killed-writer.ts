/**
 * A child process that writes files and kills itself in place of a step. Arguments: the project, how
 * many steps are done before that, and as JSON what is written and removed.
 */
import { dieAfter } from "../../support/die-after.js";

const [root = "", steps = "0", json = "{}"] = process.argv.slice(2);
const { writeFiles } = await import("../../../src/cli/output/write-files.js");
const { changed, removed } = JSON.parse(json);
dieAfter(Number(steps));
writeFiles(root, "skills", { changed: new Map(Object.entries(changed)), removed });
