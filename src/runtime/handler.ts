import type { JsonValue } from "./json.js";
import type { Mode } from "./tool.js";

/** What a handler is told of the call it serves. */
export interface HandlerContext {
  /** The call's id in the ledger; pass it on as `parent` to tools that the handler calls. */
  readonly callId: string;
  readonly skill: string;
  readonly tool: string;
  readonly mode: Mode;
  /** Aborts when the caller does. */
  readonly signal: AbortSignal;
  readonly trace?: string;
}

/** A function that the application supplies for a tool. The runtime wraps what it returns in `success`. */
export type Handler<Params, Data> = (
  params: Params,
  context: HandlerContext,
) => Data | Promise<Data>;

/** Handlers by `"skill/tool"`, of any types: what the runtime stores. `generated/handlers.ts` has the exact types. */
export type AnyHandlers = { readonly [tool: string]: Handler<never, unknown> | undefined };

/** What shadow mode records of a call that a handler would have served. */
export interface HandlerRecord {
  /** `skill/tool`. */
  readonly handler: string;
  readonly parameters: JsonValue;
}
