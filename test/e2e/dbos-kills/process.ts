/**
 * A child process that starts the workflow of a run, or takes it over from a process that was killed,
 * until somebody kills it. Arguments: folder, URL of the service, id of the run, URL of the database,
 * schema of the runs, id of this process for DBOS, and that of the process before it, which may be
 * the same.
 */
import { DBOS } from "@dbos-inc/dbos-sdk";
import { shutdown } from "@skillc/runtime";
import { postgresRuns } from "@skillc/runtime/runs/postgres";
import { register, runtimeFor, version } from "./plan.js";

const [folder = "", url = "", run = "", database = "", schema = "", own = "", before = ""] =
  process.argv.slice(2);
const runs = postgresRuns({ url: database, schema, key: Buffer.alloc(32, 7) });
const workflow = register(runtimeFor(folder, url, runs));
DBOS.setConfig({
  name: "desk",
  systemDatabaseUrl: database,
  executorID: own,
  applicationVersion: version,
  logLevel: "error",
});
// It recovers the workflows of its own id.
await DBOS.launch();
if (before !== own) {
  const left = await DBOS.listWorkflows({ executorId: before, status: "PENDING" });
  await DBOS.resumeWorkflows(left.map(({ workflowID }) => workflowID));
}
await workflow.start({ order_id: "ord_1" }, { workflowID: run });
process.stdout.write("started\n");
const end = await DBOS.getResult(run, { pollingIntervalMs: 50 });
process.stdout.write(`${JSON.stringify(end)}\n`);
await DBOS.shutdown();
await shutdown();
