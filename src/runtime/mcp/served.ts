import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import type { SkillsExtension } from "@modelcontextprotocol/server/ext/skills";
import type { Catalog } from "../model/catalog.js";
import type { ToolMap } from "../model/dispatch.js";
import type { Runtime } from "../runtime.js";
import type { BackgroundCalls } from "./background/background-calls.js";
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
  readonly background: BackgroundCalls<CallToolResult>;
  readonly limits: CallLimits;
  /** Results that are too long for an answer. */
  readonly results: ResultStore;
  /** Maximum length of a result, in characters of JSON. */
  readonly maxResultChars: number;
  readonly fits: ResultFit;
  readonly changes: ToolChanges;
  /** Time after which the client of a call is told that it goes on, in milliseconds. */
  readonly progressMs: number;
  /** Name and version of the server, for clients. */
  readonly info: { readonly name: string; readonly version: string };
  /** True if tools are listed with the schema of their results. */
  readonly listsOutputSchemas: boolean;
  /** Tools as clients get them, by id. */
  readonly listed: Map<string, Tool>;
  /** Receives errors that no client gets. */
  readonly onError: (error: unknown) => void;
}

/** One connection over stdio, or one request over HTTP. */
export interface Connection {
  readonly served: Served;
  readonly client: McpClient;
}

/** A call as a client asks for it. */
export interface AskedCall {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
}
