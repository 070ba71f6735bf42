/**
 * A child process that holds a run and appends events. It tells on standard output (a file) what it did: `held`, `refused NAME`, then `N` after
 * event N is stored, or `failed PROBLEM`. Arguments: the run's id, the number of events, the characters of an answer, then `folder` and a directory,
 * or `postgres`, a URL and a schema.
 */
import { writeSync } from "node:fs";
import { folderRuns, RunStoreError } from "../../../src/runtime/runs/index.js";
import { postgresRuns } from "../../../src/runtime/runs/postgres/index.js";

const [id = "", count = "0", characters = "0", kind, where = "", schema = ""] =
  process.argv.slice(2);
const key = Buffer.alloc(32, 7);
const store =
  kind === "postgres"
    ? postgresRuns({ url: where, schema, key })
    : folderRuns({ directory: where, key });

function tell(what: string): void {
  writeSync(1, `${what}\n`);
}

const beginning = { tool: "desk/plan", params: {}, trace: "t", manifests: {} };
try {
  const run = await store.hold({ id }, beginning);
  tell("held");
  for (let n = 0; n < Number(count); n += 1) {
    const result = "x".repeat(Number(characters));
    await run?.append({ type: "answered", key: `${n}`, call: `c${n}`, result });
    tell(`${n}`);
  }
  await store.close();
} catch (error) {
  if (error instanceof RunStoreError) tell(`failed ${error.problem}`);
  else tell(`refused ${error instanceof Error ? error.name : "with no error"}`);
  await store.close();
}
