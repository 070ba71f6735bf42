/** Clients of `skillc mcp` in a process of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  Client,
  type ElicitRequestFormParams,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { repository } from "../../../support/repository.js";
import type { Era, Way } from "../clients.js";
import { bin, type ExampleProject } from "./example-project.js";

/** A connected client. */
export interface ServedClient {
  readonly client: Client;
  /** Forms that the client's user saw and accepted. */
  readonly forms: readonly string[];
  close(): Promise<void>;
}

const ada = { tenant: "acme", subject: "ada", roles: ["support"], scopes: ["orders.refund"] };
const argv = [bin, "mcp", "--caller", JSON.stringify(ada), "--handlers", "./handlers.ts"];

/** A client, and a setting of its server. */
interface ServedOptions {
  readonly era: Era;
  readonly way: Way;
  /** Time after which the client is told that its call goes on. */
  readonly answerWithin?: string;
}

/** Starts the server of a project, and connects a client whose user approves everything. */
export async function serveTo(
  project: ExampleProject,
  { answerWithin = "50s", era, way }: ServedOptions,
): Promise<ServedClient> {
  const settings = readFileSync(join(repository, "skillc.yaml"), "utf8");
  project.put(
    "skillc.yaml",
    settings.replace("mcp: {}", `mcp: { answer_within: ${answerWithin} }`),
  );
  const { end, transport } = way === "stdio" ? overStdio(project) : await overHttp(project);
  const forms: string[] = [];
  const client = new Client(
    { name: "test", version: "1" },
    {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: era === "2026-07-28" ? { pin: era } : "legacy" },
    },
  );
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    // The server sends no other form.
    forms.push((params as ElicitRequestFormParams).message);
    return { action: "accept", content: { approve: true } };
  });
  await client.connect(transport);
  const close = async () => {
    await client.close();
    await end();
  };
  return { client, forms, close };
}

interface Connection {
  readonly transport: Transport;
  readonly end: () => Promise<void>;
}

function overStdio({ env, folder }: ExampleProject): Connection {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: argv,
    env: { ...env },
    cwd: folder,
    stderr: "ignore",
  });
  return { transport, end: async () => undefined };
}

async function overHttp({ env, folder }: ExampleProject): Promise<Connection> {
  const args = [...argv, "--http", "0", "--auth", "none"];
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(child, "exit");
  const url = await new Promise<string>((resolve, reject) => {
    let told = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      told += text;
      const found = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(told)?.[0];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", () => reject(new Error(told)));
  });
  const end = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  return { transport: new StreamableHTTPClientTransport(new URL(url)), end };
}
