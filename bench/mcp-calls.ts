/**
 * Compares calls over HTTP through `createMcpServer` with a hand-written server that has the same
 * SDK and the same check of tokens, and calls the same function.
 */
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import {
  type CallOptions,
  callTool,
  type Catalog,
  createRuntime,
  defineTool,
  type ToolMap,
} from "@skillc/runtime";
import { createMcpServer, type McpAuth } from "@skillc/runtime/mcp";
import { oauth } from "@skillc/runtime/mcp/oauth";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { request } from "undici";
import { compareTasks, type Measurement } from "./measurement.js";

const rounds = { rounds: 40, roundMs: 100 };
const resource = "https://bench.example/mcp";
const runtime = createRuntime({ inherit: false, ledger: false });

interface Params {
  readonly id: string;
}
interface Found {
  readonly status: "success";
  readonly data: { readonly id: string; readonly name: string };
}
const isParams = Object.assign(
  (value: unknown): value is Params =>
    typeof value === "object" && value !== null && "id" in value && typeof value.id === "string",
  { errors: null },
);

const contract = defineTool<Params, Params, Found>({
  skill: "bench",
  name: "tool-0",
  version: { skill: "s", binding: "b", manifest: "m" },
  effect: "read",
  params: isParams,
  binding: {
    kind: "bench",
    prepare: ({ id }) => ({
      credentials: [],
      reach: () => [],
      describe: () => ({ id }),
      send: () => Promise.resolve({ result: { status: "success", data: { id, name: "a thing" } } }),
    }),
  },
});

/** The function that every server calls. */
const getThing = (params: Params, options: CallOptions = {}) => callTool(contract, params, options);

const inputSchema = {
  type: "object" as const,
  additionalProperties: false,
  required: ["id"],
  properties: { id: { type: "string", maxLength: 100 } },
};
const outputSchema = {
  type: "object" as const,
  required: ["status"],
  properties: {
    status: { const: "success" },
    data: { type: "object", properties: { id: { type: "string" }, name: { type: "string" } } },
  },
};

export async function measureMcpCalls(): Promise<readonly Measurement[]> {
  const keys = await startIssuer();
  const auth = oauth({ resource, issuers: [{ issuer: keys.issuer, jwks: keys.issuer }] });
  const hand = await serve(handWritten(auth));
  const one = await serve(skillcServer(auth, 1));
  const thousand = await serve(skillcServer(auth, 1000));
  const ask = (url: string) => () => call(url, keys.token);
  try {
    const measured = await compareTasks(
      { hand: ask(hand.url), one: ask(one.url), thousand: ask(thousand.url) },
      rounds,
    );
    const ms = (name: string) => measured.get(name)?.ms ?? Number.NaN;
    return [
      {
        name: "MCP call over HTTP: p50",
        value: measured.get("one")?.ratio ?? Number.NaN,
        unit: "×",
        baseline: `hand-written Server, same SDK, verifier and function (${ms("hand").toFixed(2)} ms)`,
      },
      {
        name: "MCP call over HTTP with 1,000 tools: p50",
        value: ms("thousand") / ms("one"),
        unit: "×",
        baseline: "the same call with one tool",
      },
    ];
  } finally {
    for (const each of [keys, hand, one, thousand]) each.stop();
    await runtime.close();
  }
}

/** Answers with the SDK alone, and checks nothing but the token. */
function handWritten(auth: McpAuth) {
  const handler = createMcpHandler(() => {
    const server = new Server({ name: "hand", version: "1" }, { capabilities: { tools: {} } });
    server.setRequestHandler("tools/list", () => ({
      tools: [{ name: "bench__tool-0", inputSchema, outputSchema }],
    }));
    server.setRequestHandler("tools/call", async ({ params }, { mcpReq: { signal } }) => {
      const caller = { subject: "bench", origin: "llm" } as const;
      // The client of this benchmark sends such arguments.
      const args = params.arguments as unknown as Params;
      const result = await getThing(args, { runtime, caller, signal });
      return {
        content: [{ type: "text", text: JSON.stringify(result) }],
        structuredContent: { ...result },
      };
    });
    return server;
  });
  return {
    async fetch(asked: Request): Promise<Response> {
      const client = await auth.authenticate(asked);
      if (client instanceof Response) return client;
      return handler.fetch(asked);
    },
  };
}

function skillcServer(auth: McpAuth, count: number) {
  const names = Array.from({ length: count }, (_, index) => `tool-${index}`);
  const catalog: Catalog = {
    skills: [
      {
        name: "bench",
        description: "Benchmark.",
        body: "",
        file: "skills/bench/SKILL.md",
        prerequisites: { env: [], bins: [], config: [], os: [] } as never,
        tools: names.map((name) => ({
          id: `bench/${name}`,
          name,
          model_name: `bench__${name}`,
          function: "tool",
          description: "Gets a thing.",
          input_schema: inputSchema,
          output_schema: null,
          kind: "bench",
          needs_handler: false,
          side_effect: "read",
          mode: "active",
          risk_level: "low",
          requires_confirmation: false,
          manifest_hash: "m",
          capabilities: [],
          tags: [],
          deprecated: false,
        })),
      },
    ],
  };
  const annotations = {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  };
  const data = { manifest_hash: "m", annotations, output_schema: outputSchema };
  const tools: ToolMap = Object.fromEntries(
    names.map((name) => [`bench__${name}`, async () => getThing]),
  );
  return createMcpServer({
    mcp: {
      version: 1,
      tools: Object.fromEntries(names.map((name) => [`bench/${name}`, data])),
      skills: [],
    },
    catalog,
    tools,
    runtime,
    auth,
  });
}

interface Served {
  readonly url: string;
  readonly stop: () => void;
}

async function serve(server: { fetch(request: Request): Promise<Response> }): Promise<Served> {
  const answer = toNodeHandler({ fetch: (asked) => server.fetch(asked) });
  const http = createServer((asked, response) => {
    // The adapter's type of a request leaves out that fields may be undefined.
    void answer(asked as Parameters<typeof answer>[0], response);
  });
  return { url: `${await listening(http)}/mcp`, stop: () => http.close() };
}

function listening(http: HttpServer): Promise<string> {
  return new Promise((resolve) => {
    http.listen(0, "127.0.0.1", () => {
      // A server on a port has such an address.
      resolve(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
    });
  });
}

/** Serves the keys of an issuer, and signs a token. */
async function startIssuer() {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const jwk = { ...(await exportJWK(publicKey)), kid: "bench", alg: "ES256" };
  const http = createServer((_asked, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ keys: [jwk] }));
  });
  const issuer = await listening(http);
  const token = await new SignJWT({ client_id: "bench" })
    .setProtectedHeader({ alg: "ES256", kid: "bench" })
    .setIssuer(issuer)
    .setAudience(resource)
    .setSubject("bench")
    .setExpirationTime("1h")
    .sign(privateKey);
  return { issuer, token, stop: () => http.close() };
}

const body = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: {
    name: "bench__tool-0",
    arguments: { id: "7" },
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
});

async function call(url: string, token: string): Promise<void> {
  const answer = await request(url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "bench__tool-0",
    },
    body,
  });
  const text = await answer.body.text();
  if (!text.includes("a thing"))
    throw new Error(`the server answered ${answer.statusCode}: ${text.slice(0, 300)}`);
}
