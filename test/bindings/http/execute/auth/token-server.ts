import type { ServerResponse } from "node:http";
import type { HttpContract } from "../../../../../src/bindings/http/contract.js";
import { http } from "../../../../../src/bindings/http/execute.js";
import { callTool } from "../../../../../src/runtime/call/call-tool.js";
import type { Runtime } from "../../../../../src/runtime/runtime.js";
import { type Effect, defineTool } from "../../../../../src/runtime/tool.js";
import type { Validator } from "../../../../../src/runtime/validation/validation.js";
import { type Answer, type Received, serve, type TestServer } from "../support.js";

/** A server with an API and a token endpoint. The API accepts the tokens that `/token` issues. */
export interface TokenServer extends TestServer {
  /** Returns the requests to `/token` so far. */
  readonly asked: () => readonly Received[];
  /** Tokens that the API accepts. */
  readonly valid: Set<string>;
}

type Give = (response: ServerResponse, token: string, request: Received) => void;

const usual: Give = (response, token) =>
  json(response, 200, { access_token: token, token_type: "Bearer", expires_in: 3600 });

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

export async function serveTokens(give: Give = usual): Promise<TokenServer> {
  const valid = new Set<string>();
  let count = 0;
  const server = await serve((response, request) => {
    if (request.path === "/token") {
      count += 1;
      valid.add(`token-${count}-secret`);
      return give(response, `token-${count}-secret`, request);
    }
    const token = request.headers.authorization?.replace("Bearer ", "") ?? "";
    if (!valid.has(token)) return json(response, 401, { error: "stale" });
    json(response, 200, { ok: true });
  });
  return {
    ...server,
    asked: () => server.received.filter(({ path }) => path === "/token"),
    valid,
  };
}

const anything: Validator = Object.assign(
  (value: unknown): value is unknown => value !== undefined,
  { errors: null },
);

/** Calls a tool with this contract. */
export function callWith(
  runtime: Runtime,
  contract: Partial<HttpContract<object, unknown>> & Pick<HttpContract<object, unknown>, "request">,
  {
    effect = "read",
    maxAttempts = 1,
    timeoutMs = 10_000,
    signal,
  }: { effect?: Effect; maxAttempts?: number; timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<Answer> {
  const tool = defineTool<object, object, Answer>({
    skill: "desk",
    name: "get",
    version: { skill: "a", binding: "b", manifest: "c" },
    effect,
    timeoutMs,
    retry: { maxAttempts, backoffMs: 1 },
    params: anything as Validator<object>,
    binding: http<object, unknown, Answer>({ method: "GET", ...contract }),
  });
  return callTool(tool, {}, { runtime, ...(signal && { signal }) });
}
