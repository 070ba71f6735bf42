/** `npm run bench [-- NAME…] [-- --json FILE]`: every benchmark, or those named, as a table. */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import Table from "cli-table3";
import { measureEdits } from "./edits.js";
import { measureGovernance } from "./governance.js";
import { measureHttp } from "./http.js";
import { measureImport } from "./import.js";
import { measureLedger } from "./ledger.js";
import { measureDurableLedgers } from "./ledger-postgres.js";
import { measureLedgerQueries } from "./ledger-queries.js";
import type { Measurement } from "./measurement.js";
import { measureOpenApi } from "./openapi.js";
import { measureQueue } from "./queue.js";
import { measureScale } from "./scale.js";
import { measureSql } from "./sql.js";
import { measureSqlScale } from "./sql-scale.js";

const benchmarks: Readonly<Record<string, () => Promise<readonly Measurement[]>>> = {
  edits: measureEdits,
  governance: measureGovernance,
  http: measureHttp,
  import: measureImport,
  ledger: measureLedger,
  "ledger-postgres": measureDurableLedgers,
  "ledger-queries": measureLedgerQueries,
  openapi: measureOpenApi,
  queue: measureQueue,
  scale: measureScale,
  sql: measureSql,
  "sql-scale": measureSqlScale,
};

const { values, positionals } = parseArgs({
  options: { json: { type: "string" } },
  allowPositionals: true,
});
const wanted = positionals.length === 0 ? Object.keys(benchmarks) : positionals;
const measured: Measurement[] = [];
for (const name of wanted) {
  const run = benchmarks[name];
  if (run === undefined)
    throw new Error(`no benchmark ${name}; there are ${Object.keys(benchmarks).join(", ")}`);
  console.error(`measuring ${name} …`);
  measured.push(...(await run()));
}

const table = new Table({
  head: ["what", "value", "", "against"],
  style: { head: [], border: [] },
});
for (const { name, value, unit, baseline } of measured) {
  const digits = unit === "×" ? 2 : value < 10 ? 1 : 0;
  table.push([name, { content: value.toFixed(digits), hAlign: "right" }, unit, baseline]);
}
console.log(table.toString());
if (values.json !== undefined)
  writeFileSync(values.json, `${JSON.stringify(measured, undefined, 2)}\n`);
