import type { JsonValue } from "./json/json.js";
import type { AnyResult, Success } from "./result.js";
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
  /**
   * Of a tool whose answers have pages: the page that is asked for, where that is not the first. It
   * is what the handler's answer before it had as `next`.
   */
  readonly page?: string;
}

/**
 * A function that the application supplies for a tool. It returns a success's data, which the
 * runtime wraps, or a whole answer of any status, made by `answer`.
 *
 * @typeParam Result every answer of the tool
 */
export interface Handler<Params, Data, Result extends AnyResult = Success<"success", Data>> {
  (
    params: Params,
    context: HandlerContext,
  ): Data | HandlerAnswer<Result> | Promise<Data | HandlerAnswer<Result>>;
  /** For types alone: a tool whose data may be anything would not tell its answers otherwise. */
  readonly [answers]?: Result;
}

declare const answers: unique symbol;

/** Only the runtime answers that a call was recorded instead of made. */
type HandlerAnswer<Result extends AnyResult> = Answer<Served<Result>>;

/** The answers of a tool that may come from what serves it. */
export type Served<Result extends AnyResult> = Exclude<Result, { readonly status: "shadow" }>;

/**
 * Handlers by `"skill/tool"`, of any types: what the runtime stores. `generated/handlers.ts` has
 * the exact types.
 */
export type AnyHandlers = { readonly [tool: string]: Handler<never, unknown> | undefined };

/** What shadow mode records of a call that a handler would have served. */
export interface HandlerRecord {
  /** `skill/tool`. */
  readonly handler: string;
  readonly parameters: JsonValue;
}

/** A whole answer of a handler, in place of a success's data. Made by `answer`. */
export class Answer<out Result extends AnyResult> {
  readonly result: Result;

  constructor(result: Result) {
    this.result = result;
  }
}

/**
 * What a handler returns to answer with another status than `success`, or with more than data:
 * `return answer({ status: "not_found", error: "no such order", status_code: 404 })`.
 *
 * @param result any answer of the tool's result type but `shadow`
 * @throws TypeError for what has no status
 */
export function answer<Status extends string, Result extends { readonly status: Status }>(
  result: Result,
): Answer<Result> {
  // Callers in JavaScript may pass anything.
  const { status }: { readonly status?: unknown } = { ...result };
  if (typeof status !== "string")
    throw new TypeError("`answer` takes a tool's whole answer, with its `status`");
  return new Answer(result);
}
