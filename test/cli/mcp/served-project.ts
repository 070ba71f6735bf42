/** `skillc mcp` as a process, over a project whose tools a test holds and releases. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { linkPackages } from "../../support/tsc.js";
import { makeProject, put, skillc } from "../support/command-line.js";

const bin = fileURLToPath(new URL("../../../dist/cli/bin.js", import.meta.url));

const skill = `---
name: desk
description: Takes orders.
tools:
  place-order:
    description: Place an order.
    note: string
    binding: { type: http, method: POST, url: "\${ORDERS_URL}/orders" }
  say:
    description: Repeat a text, and say who asked.
    parameters:
      type: object
      additionalProperties: false
      required: [text]
      properties: { text: { type: string }, how: { type: string } }
    binding: { type: handler, effect: read }
---
Place orders.
`;

const handlers = `
import { currentCaller } from "@skillc/runtime";
console.log("printed while loading");
export const handlers = {
  "desk/say": async ({ text, how }) => {
    if (how === "print") {
      console.log("printed", text);
      console.error("printed", text);
      console.table([{ text }]);
      process.stdout.write("written " + text + "\\n");
    }
    if (how === "forget") void Promise.reject(new Error("forgotten " + text));
    if (how === "throw") throw new Error("thrown " + text);
    return { text, caller: currentCaller() ?? null };
  },
};
`;

/** Generates the project once, and returns a function that copies it. */
export function servedProjects(): (settings?: string) => string {
  let generated: string;
  beforeAll(async () => {
    generated = mkdtempSync(join(tmpdir(), "skillc-mcp-"));
    put(generated, "package.json", '{"type":"module"}');
    put(generated, "skills/desk/SKILL.md", skill);
    put(generated, "handlers.mjs", handlers);
    const { code, stderr } = await skillc(generated, ["generate"]);
    if (code !== 0) throw new Error(stderr);
  });
  afterAll(() => rmSync(generated, { recursive: true, force: true }));
  return (settings) => {
    const root = makeProject();
    cpSync(generated, root, { recursive: true, preserveTimestamps: true });
    linkPackages(root, ["@skillc/runtime"]);
    if (settings !== undefined) put(root, "skillc.yaml", settings);
    return root;
  };
}

/** A service that answers a request when the test says so. */
export interface HeldService {
  readonly url: string;
  /** The next request that has not been answered. */
  next(): Promise<HeldRequest>;
}

/** A request that waits for its answer. */
export interface HeldRequest {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly answer: () => void;
  /** Resolves once the connection is closed. */
  readonly closed: Promise<unknown>;
}

/** Starts a service for orders. */
export async function startHeldService(): Promise<HeldService> {
  const waiting: HeldRequest[] = [];
  const takers: ((request: HeldRequest) => void)[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const closed = once(request.socket, "close");
    const held = { headers: request.headers, body, closed, answer: () => accept(response) };
    const taker = takers.shift();
    if (taker === undefined) waiting.push(held);
    else taker(held);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A server on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    next: async () => waiting.shift() ?? new Promise((resolve) => takers.push(resolve)),
  };
}

function accept(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" }).end('{"placed":true}');
}

/** A process of `skillc mcp`. */
export interface ServedProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly output: { readonly stdout: string; readonly stderr: string };
  /** Resolves with the exit code. */
  readonly exited: Promise<number | null>;
  /** Resolves once an output has the text. */
  has(name: "stdout" | "stderr", text: string): Promise<void>;
}

/** Starts `skillc mcp` until the test ends. */
export function startMcp(
  root: string,
  flags: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ServedProcess {
  const args = [bin, "mcp", "--handlers", "./handlers.mjs", ...flags];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env["PATH"], ORDERS_URL: "http://127.0.0.1:9", ...env },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  // A program that has ended takes no more input.
  child.stdin.on("error", () => undefined);
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => void (output[name] += text));
  const exited = once(child, "close").then(([code]: (number | null)[]) => code ?? null);
  const has = async (name: "stdout" | "stderr", text: string): Promise<void> => {
    let isOver = false;
    void exited.then(() => (isOver = true));
    while (!output[name].includes(text)) {
      if (isOver) throw new Error(`the process ended without \`${text}\`: ${output.stderr}`);
      await Promise.race([once(child[name], "data"), exited]);
    }
  };
  return { child, output, exited, has };
}

/** Starts `skillc mcp --http` on a free port, and returns the URL of its endpoint. */
export async function startHttp(
  root: string,
  flags: readonly string[] = ["--auth", "none"],
  env: Readonly<Record<string, string>> = {},
): Promise<ServedProcess & { readonly url: string }> {
  const served = startMcp(root, ["--http", "0", ...flags], env);
  await served.has("stderr", "/mcp: ");
  const url = /http:\S+\/mcp/.exec(served.output.stderr)?.[0] ?? "";
  return { ...served, url };
}

/** Reads the records of the project's ledger. */
export function ledgerOf(root: string): readonly Record<string, unknown>[] {
  const folder = join(root, ".skillc/ledger");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .toSorted()
    .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"))
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
