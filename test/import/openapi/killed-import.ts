/**
 * A child process that imports `api.json` and kills itself before it removes a file. Arguments: the
 * project, and the number of files that it removes first.
 */
import { run } from "../../../src/cli/main.js";
import { dieAfter } from "../../support/die-after.js";

const [root = "", removals = "0"] = process.argv.slice(2);
dieAfter(Number(removals), (name, path) => name === "rmSync" && /\/skills\/.*\.\w+$/.test(path));
const output = { isTTY: false, columns: 80, write: () => {} };
await run(["import", "openapi", "api.json"], {
  stdout: output,
  stderr: output,
  stdin: (async function* () {})(),
  env: process.env,
  cwd: root,
});
