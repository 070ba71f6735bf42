import { currentCaller, withCaller } from "../caller.js";
import { ToolError, withOutcome } from "../errors.js";
import { Answer, type Handler, type HandlerContext, type HandlerRecord } from "../handler.js";
import type { JsonValue } from "../json/json.js";
import type { AnyResult, Success } from "../result.js";
import type { Binding, CallIdentity } from "./binding.js";
import type { Mode, ToolContract } from "../tool.js";
import { filesIn, type GivenFile, withFiles } from "../files/tool-file.js";
import { copyParameters } from "./copy-parameters.js";

/** Makes a binding that calls a handler, so that handlers use the same call path. */
export function handlerBinding<Arguments, Result extends AnyResult>(
  handler: Handler<never, unknown>,
  call: ServedCall,
): Binding<Arguments, Result> {
  return {
    kind: "handler",
    prepare: (args) => ({
      credentials: [],
      reach: () => [{ kind: "handler", capabilities: [`handler:call ${call.toolId}`] }],
      describe() {
        return recordOf(call, args, (file) => file.shown);
      },
      fingerprint: () => recordOf(call, args, (file) => file.identity),
      // It is unknown whether the handler has read a stream.
      isSpent: filesOf(call, args).some(({ stream }) => stream === true),
      send: async ({ signal }) => {
        // The generated `Handlers` type ensures that the handler returns one of the tool's answers,
        // and `returns` is validated afterwards.
        const result = answerOf(await serve(handler, args, call, signal)) as Result;
        return isServerError(result) ? { result, outcome: "unknown" } : { result };
      },
    }),
  };
}

function filesOf({ tool: { files } }: ServedCall, args: unknown): readonly GivenFile[] {
  return files === undefined ? [] : filesIn(args, files);
}

/** Returns the record of the call, in which each file is replaced by JSON. */
function recordOf(
  call: ServedCall,
  args: unknown,
  shown: (file: GivenFile) => GivenFile["shown"],
): JsonValue {
  const { files } = call.tool;
  const parameters = files === undefined ? args : withFiles(args, files, shown);
  // Parameters are a copy, so they are JSON.
  const recorded: HandlerRecord = { handler: call.toolId, parameters: parameters as JsonValue };
  return { ...recorded };
}

/** Returns whether the answer has a server error's status code, as from an HTTP binding. */
function isServerError(result: object): boolean {
  return "status_code" in result && Number(result.status_code) >= 500;
}

function answerOf(given: unknown): AnyResult {
  if (given instanceof Answer) return given.result;
  const success: Success<"success", unknown> = { status: "success", data: given };
  return success;
}

async function serve(
  handler: Handler<never, unknown>,
  args: unknown,
  call: ServedCall,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    // The tool's validator accepted these arguments, and `Handlers` has the tool's types. Each
    // attempt gets its own copy, because a handler may change its arguments.
    return await onBehalf(call, () =>
      handler(copyParameters(args, call.tool.files) as never, contextOf(call, signal)),
    );
  } catch (cause) {
    if (cause instanceof FakeError) throw cause;
    // A tool that the handler called has failed. What else the handler did is unknown.
    if (cause instanceof ToolError) throw withOutcome(cause, "unknown");
    throw new ToolError(
      call.toolId,
      { code: "UNKNOWN.INTERNAL", reason: "handler-failed" },
      `the handler of \`${call.toolId}\` failed`,
      { cause, attempts: call.attempts },
    );
  }
}

/**
 * Runs a handler on behalf of the call's caller, so that a handler's calls have no more permissions
 * than its caller.
 */
function onBehalf<Returned>({ caller }: ServedCall, run: () => Returned): Returned {
  return caller === undefined || caller === currentCaller() ? run() : withCaller(caller, run);
}

/** Returns the context of a handler. */
export function contextOf(call: ServedCall, signal: AbortSignal): HandlerContext {
  const { id, mode, tool } = call;
  const trace = call.options.trace ?? call.caller?.trace;
  const page = call.page && { page: String(call.page.at) };
  const named = { callId: id, skill: tool.skill, tool: tool.name, mode, signal, ...page };
  return trace === undefined ? named : { ...named, trace };
}

/** The parts of a call that a handler or fake may use. */
export interface ServedCall extends CallIdentity {
  readonly tool: Pick<
    ToolContract<never, never, AnyResult>,
    "binding" | "effect" | "files" | "name" | "returns" | "skill"
  >;
  readonly mode: Mode;
  /** Number of attempts so far, including the current one. */
  readonly attempts: number;
  /** Set for a dry run, which doesn't count as a call. */
  readonly preflight?: object | undefined;
  readonly options: { readonly trace?: string; readonly parent?: string; readonly step?: string };
}

/** Replaces services in a test's runtime. Made by `@skillc/runtime/testing`. */
export interface FakeBindings {
  /** @param toolId `skill/tool` */
  has(toolId: string): boolean;
  /**
   * Returns the tool's own binding with a fake in place of the request.
   *
   * @throws FakeError if no fake answers the call
   */
  bindingFor<Arguments, Result extends AnyResult>(
    binding: Binding<Arguments, Result>,
    call: ServedCall,
  ): Binding<Arguments, Result>;
}

/**
 * The error of a mistake in a test's fakes. A call throws it unchanged, not as a `ToolError`, so
 * that the code under test doesn't handle it as a tool's failure.
 */
export class FakeError extends Error {
  override readonly name = "FakeError";
}
