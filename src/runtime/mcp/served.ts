import type {
  CallToolResult,
  ClientCapabilities,
  InputRequiredResult,
  ServerContext,
  Tool,
} from "@modelcontextprotocol/server";
import type { SkillsExtension } from "@modelcontextprotocol/server/ext/skills";
import type { Catalog } from "../model/catalog.js";
import type { ToolMap } from "../model/dispatch.js";
import type { Runtime } from "../runtime.js";
import type { BackgroundCalls } from "./background/background-calls.js";
import type { WaitLimit } from "./background/limit-waits.js";
import type { CallLimits } from "./call-limits.js";
import type { McpData } from "./mcp-data.js";
import type { McpClient } from "./mcp-client.js";
import type { ResultFit } from "./result-fit.js";
import type { ResultStore } from "./results/result-store.js";
import type { ToolChanges } from "./tool-changes.js";

/** The parts of a server that all its connections share. */
export interface Served {
  readonly data: McpData;
  readonly catalog: Catalog;
  readonly tools: ToolMap;
  readonly runtime: Runtime;
  readonly skills: SkillsExtension;
  /** Calls in progress. */
  readonly background: BackgroundCalls<CallEnd>;
  readonly limits: CallLimits;
  /** Results that are too long for an answer. */
  readonly results: ResultStore;
  /** Maximum length of a result, in characters of JSON. */
  readonly maxResultChars: number;
  readonly fits: ResultFit;
  readonly changes: ToolChanges;
  /** Time between two notifications that a call goes on, in milliseconds. */
  readonly progressMs: number;
  /** Returns the instructions for the client of a connection. */
  readonly instructions: (connection: Connection) => Promise<string>;
  /** Name and version of the server, for clients. */
  readonly info: { readonly name: string; readonly version: string };
  /** True if tools are listed with the schema of their results. */
  readonly listsOutputSchemas: boolean;
  /** Tools as clients get them, by the way on which they came and the id. */
  readonly listed: Map<string, Tool>;
  /** Key of 32 bytes that signs questions to persons about their calls. */
  readonly confirmationKey: Uint8Array;
  /** Limits the waits of each caller. */
  readonly waits: WaitLimit;
  /** Receives errors that no client gets. */
  readonly onError: (error: unknown) => void;
}

/** One connection over stdio, or one request over HTTP. */
export interface Connection {
  readonly served: Served;
  readonly client: McpClient;
}

/** A connection whose client makes calls. */
export interface CallingConnection extends Connection {
  /** Returns what the client of a request can do; undefined if the client can't be asked anything. */
  capabilities(context: ServerContext): ClientCapabilities | undefined;
}

/** The end of a call. */
export interface CallEnd {
  readonly result: CallToolResult;
  /**
   * Asks the client's user to approve the call. The server sends the question instead of the result,
   * as long as the call's own request is open.
   */
  readonly question?: InputRequiredResult;
}

/** A call that a client asks for. */
export interface AskedCall {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
}
