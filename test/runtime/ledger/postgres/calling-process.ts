/**
 * A child process that makes governed writes, four at a time, until it is killed. It appends each
 * sent write to a file. Arguments: URL, schema, file.
 */
import { appendFileSync } from "node:fs";
import { callTool } from "../../../../src/runtime/call/call-tool.js";
import { governance } from "../../../../src/runtime/governance/index.js";
import {
  createOutbox,
  createPostgresLedger,
} from "../../../../src/runtime/ledger/postgres/index.js";
import { createRuntime } from "../../../../src/runtime/runtime.js";
import { exampleTool, succeed } from "../../example-tool.js";
import { policyOf } from "../../governance/governed.js";

const [connectionString = "", schema = "", file = ""] = process.argv.slice(2);
const ledger = createPostgresLedger({ connectionString, schema });
const runtime = createRuntime({
  ledger,
  env: {},
  inherit: false,
  governance: governance({ policy: policyOf(), events: createOutbox(ledger).sink }),
});
const tool = exampleTool(() => {
  appendFileSync(file, "sent\n");
  return succeed();
});
for (;;)
  await Promise.all([1, 2, 3, 4].map((n) => callTool(tool, { id: `order-${n}` }, { runtime })));
