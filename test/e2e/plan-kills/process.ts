/**
 * A child process that begins a run, or goes on with it, until somebody kills it. Arguments: folder,
 * URL of the service, id of the run, then `folder` and a directory, or `postgres`, a URL and a schema.
 */
import { isToolError, shutdown } from "@skillc/runtime";
import { folderRuns } from "@skillc/runtime/runs";
import { postgresRuns } from "@skillc/runtime/runs/postgres";
import { lostExitCode, runtimeFor, work } from "./plan.js";

const [folder = "", url = "", run = "", kind, where = "", schema = ""] = process.argv.slice(2);
const key = Buffer.alloc(32, 7);
const store =
  kind === "postgres"
    ? postgresRuns({ url: where, schema, key })
    : folderRuns({ directory: where, key });

try {
  await work(run, { runtime: runtimeFor(folder, url, store) });
} catch (error) {
  if (isToolError(error, "PLAN.RUN_UNAVAILABLE") && error.failure.reason === "lost")
    process.exitCode = lostExitCode;
  // Otherwise, the parent goes on with the run, and meets the same error.
  else if (!isToolError(error, "PLAN.OUTCOME_UNKNOWN")) throw error;
}
await shutdown();
