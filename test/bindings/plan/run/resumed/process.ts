/**
 * A child process that goes on with the run `r`. It tells on standard output: `made` when its write
 * begins, then `success`, or `CODE REASON`. The write waits for the end of standard input.
 * Arguments: `folder` and a directory, or `postgres`, a URL and a schema.
 */
import { writeSync } from "node:fs";
import { isToolError } from "../../../../../src/runtime/errors.js";
import { folderRuns } from "../../../../../src/runtime/runs/index.js";
import { postgresRuns } from "../../../../../src/runtime/runs/postgres/index.js";
import { resumeRun } from "../../../../../src/runtime/runs/resume.js";
import { createProject } from "../plan-project.js";
import { tools } from "./plan.js";

const [kind, where = "", schema = ""] = process.argv.slice(2);
const key = Buffer.alloc(32, 7);
const store =
  kind === "postgres"
    ? postgresRuns({ url: where, schema, key })
    : folderRuns({ directory: where, key });

function tell(what: string): void {
  writeSync(1, `${what}\n`);
}

const released = new Promise((resolve) => process.stdin.on("end", resolve).resume());
const { runtime } = createProject(
  {
    async w() {
      tell("made");
      await released;
      return 1;
    },
  },
  { runs: store, ledger: false },
);
try {
  tell((await resumeRun(tools, "r", { runtime })).status);
} catch (error) {
  if (!isToolError(error, "PLAN.RUN_UNAVAILABLE")) throw error;
  tell(`${error.code} ${error.failure.reason}`);
}
await store.close();
process.exit();
