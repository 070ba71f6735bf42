import {
  createMcpHandler,
  type McpHttpHandler,
  type McpRequestContext,
  type Transport,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Caller } from "../caller.js";
import type { Catalog } from "../model/catalog.js";
import type { ToolMap } from "../model/dispatch.js";
import { defaultRuntime, type Runtime } from "../runtime.js";
import type { ShutdownOptions } from "../shutdown.js";
import { confirmationKeyOf } from "./approval/confirmation-key.js";
import type { McpAuth } from "./auth/mcp-auth.js";
import { createBackgroundCalls } from "./background/background-calls.js";
import { limitWaits } from "./background/limit-waits.js";
import { settledWithin } from "./background/settled-within.js";
import { callLimits } from "./call-limits.js";
import { connect } from "./connect.js";
import { type McpClient, modelClient } from "./mcp-client.js";
import type { McpData } from "./mcp-data.js";
import { hidingErrors } from "./hidden-errors.js";
import { createInstructions } from "./instructions.js";
import { resultFit } from "./result-fit.js";
import { memoryResults } from "./results/memory-results.js";
import type { ResultStore } from "./results/result-store.js";
import type { Served } from "./served.js";
import { authInfoOf, clientOf, type HttpGate, httpGate } from "./serve-http.js";
import { skillsExtension } from "./skill-source.js";
import { changesBus, toolChanges } from "./tool-changes.js";
import { skillsFor } from "./visible-skills.js";

/** Options of `createMcpServer`. */
export interface McpServerOptions {
  /** Content of generated/mcp.json. */
  readonly mcp: McpData;
  /** The `catalog` of generated/index.ts. */
  readonly catalog: Catalog;
  /** The `tools` of generated/index.ts. */
  readonly tools: ToolMap;
  /** Runtime of the calls; the configured one by default. */
  readonly runtime?: Runtime;
  /** Caller over stdio, and over HTTP without authentication. */
  readonly caller?: Caller;
  /**
   * Finds out who sends HTTP requests: `oauth(…)`, or your own. With `none`, everybody is `caller`,
   * and requests must come to this machine's own names. Without it, HTTP requests are rejected.
   */
  readonly auth?: McpAuth | "none";
  /** Name and version of the server, for clients. */
  readonly info?: { readonly name: string; readonly version: string };
  /** With `none`, tools are listed without the schema of their results. */
  readonly outputSchemas?: "none";
  /**
   * Time after which a call is answered with `skillc:running` and goes on, in milliseconds; 50,000 by
   * default. The SDK's client gives up after 60,000.
   */
  readonly answerWithinMs?: number;
  /**
   * Maximum length of a result, in characters of JSON; 100,000 by default. A client gets the
   * beginning of a longer result, and a link to the whole.
   */
  readonly maxResultChars?: number;
  /** Store of the results that are too long; by default the memory of this process. */
  readonly results?: ResultStore;
  /** Time between two notifications of progress, in milliseconds; 10,000 by default. */
  readonly progressMs?: number;
  /** Receives errors that no client gets; by default nobody does. */
  readonly onError?: (error: unknown) => void;
}

/** An MCP server. Mount `fetch` by an adapter of the SDK, or serve standard input and output. */
export interface SkillcMcpServer {
  /** Answers an HTTP request. `parsedBody` is its body, if a framework has read it. */
  fetch(request: Request, options?: { readonly parsedBody?: unknown }): Promise<Response>;
  /**
   * Serves one client over a transport, by default standard input and output.
   *
   * @returns a function that ends the connection
   */
  serveStdio(transport?: Transport): () => Promise<void>;
  /**
   * Lets calls end, and closes all connections. At the deadline it aborts calls that still go on.
   *
   * @param options `deadlineMs` is the maximum time to wait, in milliseconds; 20,000 by default
   */
  close(options?: ShutdownOptions): Promise<void>;
}

const usualAnswerMs = 50_000;
const usualMaxChars = 100_000;
const usualProgressMs = 10_000;
const usualDeadlineMs = 20_000;
/** Time to write answers of calls that have ended, in milliseconds. */
const lastAnswersMs = 1000;

/**
 * Creates an MCP server for the tools and skills of a project.
 *
 * @throws TypeError if an option is not valid, or the server needs the `key` of governance
 */
export function createMcpServer(options: McpServerOptions): SkillcMcpServer {
  const { auth, caller = {}, runtime = defaultRuntime() } = options;
  const clientOfRequest = ({ authInfo }: Pick<McpRequestContext, "authInfo">): McpClient =>
    clientOf(authInfo) ?? modelClient(caller, "stdio");
  const waits = limitWaits();
  const served: Served = {
    data: options.mcp,
    catalog: options.catalog,
    tools: options.tools,
    runtime,
    skills: skillsExtension(
      ({ http }) =>
        hidingErrors(served, () => skillsFor({ served, client: clientOfRequest({ ...http }) })),
      (error) => served.onError(error),
    ),
    background: createBackgroundCalls({
      answerWithinMs: options.answerWithinMs ?? usualAnswerMs,
      waits,
    }),
    limits: callLimits(),
    results: options.results ?? memoryResults(),
    maxResultChars: options.maxResultChars ?? usualMaxChars,
    fits: resultFit(options.mcp),
    instructions: createInstructions(),
    changes: toolChanges(runtime),
    progressMs: options.progressMs ?? usualProgressMs,
    info: options.info ?? { name: "skillc", version: "0" },
    listsOutputSchemas: options.outputSchemas !== "none",
    listed: new Map(),
    confirmationKey: confirmationKeyOf(runtime, auth),
    waits,
    onError: options.onError ?? (() => undefined),
  };
  const factory = (context: McpRequestContext) =>
    connect({ served, client: clientOfRequest(context) }, context.era);
  const { onError } = served;
  const handler = createMcpHandler(factory, {
    onerror: onError,
    bus: changesBus(served.changes),
  });
  const gate = httpGate(auth, () => modelClient(caller, "http"));
  const answers = new Set<Promise<Response>>();
  return {
    fetch: gatedFetch(gate, handler, answers),
    serveStdio(transport) {
      const handle = serveStdio(factory, { onerror: onError, ...(transport && { transport }) });
      return () => handle.close();
    },
    async close({ deadlineMs = usualDeadlineMs } = {}) {
      await served.background.close(deadlineMs);
      await written(answers);
      await handler.close();
    },
  };
}

/** Waits until the SDK has written the answers of calls that have ended. It drops later ones. */
async function written(answers: Iterable<Promise<Response>>): Promise<void> {
  await settledWithin(Promise.allSettled(answers), lastAnswersMs);
  await new Promise((resolve) => setImmediate(resolve));
}

/** @param answers gets the answers that have not begun */
function gatedFetch(
  gate: HttpGate,
  handler: Pick<McpHttpHandler, "fetch">,
  answers: Set<Promise<Response>>,
): SkillcMcpServer["fetch"] {
  return async (request, { parsedBody } = {}) => {
    const client = await gate(request);
    if (client instanceof Response) return client;
    const answer = handler.fetch(request, {
      authInfo: authInfoOf(client),
      ...(parsedBody !== undefined && { parsedBody }),
    });
    answers.add(answer);
    return answer.finally(() => answers.delete(answer));
  };
}
