/**
 * A child process that relays events. It appends the name of each event to a file before it takes
 * the next one. Arguments: URL, schema, file.
 */
import { appendFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import {
  createOutbox,
  createPostgresLedger,
} from "../../../../src/runtime/ledger/postgres/index.js";

const [connectionString = "", schema = "", file = ""] = process.argv.slice(2);
const outbox = createOutbox(createPostgresLedger({ connectionString, schema }));
await outbox.relay(
  async (events) => {
    for (const { envelope_id } of events) appendFileSync(file, `${envelope_id}\n`);
    await setTimeout(2);
  },
  { batch: 10 },
);
