import type { JsonValue } from "./json/json.js";
import type { AnyResult, Success } from "./result.js";
import type { Mode } from "./tool.js";

/** Facts about the call that a handler serves. */
export interface HandlerContext {
  /** Id of the call in the ledger. Pass it as `parent` to tools that the handler calls. */
  readonly callId: string;
  /** Name of the skill. */
  readonly skill: string;
  /** Name of the tool, without its skill. */
  readonly tool: string;
  /** Mode of the call: `active` or `shadow`. */
  readonly mode: Mode;
  /** Aborts if the caller aborts. */
  readonly signal: AbortSignal;
  /** Trace that the call belongs to. */
  readonly trace?: string;
  /**
   * Page to return, for a tool with pages; absent for the first page. It is the `next` of the
   * handler's previous answer.
   */
  readonly page?: string;
}

/**
 * A function that the application supplies for a tool. It returns a success's data, which the
 * runtime wraps, or a whole answer with any status, made by `answer`.
 *
 * @typeParam Result all possible answers of the tool
 */
export interface Handler<Params, Data, Result extends AnyResult = Success<"success", Data>> {
  (
    params: Params,
    context: HandlerContext,
  ): Data | HandlerAnswer<Result> | Promise<Data | HandlerAnswer<Result>>;
  /**
   * Exists only in types. Without it, TypeScript could not infer `Result` of a tool with untyped
   * data.
   */
  readonly [answers]?: Result;
}

declare const answers: unique symbol;

/** An answer that a handler may make. Only the runtime makes `shadow` answers. */
type HandlerAnswer<Result extends AnyResult> = Answer<Served<Result>>;

/** The answers of a tool, without the `shadow` answer that only the runtime makes. */
export type Served<Result extends AnyResult> = Exclude<Result, { readonly status: "shadow" }>;

/**
 * Handlers by `"skill/tool"`, with any types, as the runtime stores them. `generated/handlers.ts`
 * has the exact types.
 */
export type AnyHandlers = { readonly [tool: string]: Handler<never, unknown> | undefined };

/** The request that shadow mode records for a tool that a handler serves. */
export interface HandlerRecord {
  /** Id of the tool: `skill/tool`. */
  readonly handler: string;
  /** Parameters that the handler would have received. */
  readonly parameters: JsonValue;
}

/** A handler's whole answer, in place of a success's data. Made by `answer`. */
export class Answer<out Result extends AnyResult> {
  readonly result: Result;

  constructor(result: Result) {
    this.result = result;
  }
}

/**
 * Makes a handler's answer with a status other than `success`, or with more fields than `data`:
 * `return answer({ status: "not_found", error: "no such order", status_code: 404 })`.
 *
 * @param result any answer of the tool's result type except `shadow`
 * @throws TypeError if the value has no status
 */
export function answer<Status extends string, Result extends { readonly status: Status }>(
  result: Result,
): Answer<Result> {
  // JavaScript callers may pass anything.
  const { status }: { readonly status?: unknown } = { ...result };
  if (typeof status !== "string")
    throw new TypeError("`answer` needs a tool's whole answer, with its `status`");
  return new Answer(result);
}
