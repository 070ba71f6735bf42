import { currentCaller, withCaller } from "../caller.js";
import { ToolError, withOutcome } from "../errors.js";
import { Answer, type Handler, type HandlerContext, type HandlerRecord } from "../handler.js";
import type { JsonValue } from "../json/json.js";
import type { AnyResult, Success } from "../result.js";
import type { Binding, CallIdentity, Mode, ToolContract } from "../tool.js";
import { filesIn, type GivenFile, withFiles } from "../files/tool-file.js";
import { copyParameters } from "./copy-parameters.js";

/** A handler in a binding's place: the same call path serves both. */
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
      // Whether the handler has read a stream nobody knows.
      isSpent: filesOf(call, args).some(({ stream }) => stream === true),
      send: async ({ signal }) => {
        // The generated `Handlers` type ties the handler to the tool's answers, and `returns` is
        // checked after this.
        const result = answerOf(await serve(handler, args, call, signal)) as Result;
        return isServerError(result) ? { result, outcome: "unknown" } : { result };
      },
    }),
  };
}

function filesOf({ tool: { files } }: ServedCall, args: unknown): readonly GivenFile[] {
  return files === undefined ? [] : filesIn(args, files);
}

/** What is recorded of a call, with something that JSON can say in the place of each file. */
function recordOf(
  call: ServedCall,
  args: unknown,
  shown: (file: GivenFile) => GivenFile["shown"],
): JsonValue {
  const { files } = call.tool;
  const parameters = files === undefined ? args : withFiles(args, files, shown);
  // Parameters are a copy, and so JSON.
  const recorded: HandlerRecord = { handler: call.toolId, parameters: parameters as JsonValue };
  return { ...recorded };
}

/** By the status code that a handler in place of an HTTP binding gives, as that binding would. */
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
    // The tool's validator accepted these arguments, and `Handlers` ties the handler to the tool's
    // type. Each attempt has a copy of its own: a handler may write into what it is given, and that
    // is neither recorded nor tried again.
    return await onBehalf(call, () =>
      handler(copyParameters(args, call.tool.files) as never, contextOf(call, signal)),
    );
  } catch (cause) {
    if (cause instanceof FakeError) throw cause;
    // A tool that it called has failed; what else it did nobody knows.
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
 * Calls that the function makes are its caller's: whoever may not do something doesn't come to it
 * by way of a tool that does.
 */
function onBehalf<Returned>({ caller }: ServedCall, run: () => Returned): Returned {
  return caller === undefined || caller === currentCaller() ? run() : withCaller(caller, run);
}

/** What a function that serves a call is told of it. */
export function contextOf(call: ServedCall, signal: AbortSignal): HandlerContext {
  const { id, mode, tool } = call;
  const trace = call.options.trace ?? call.caller?.trace;
  const page = call.page && { page: String(call.page.at) };
  const named = { callId: id, skill: tool.skill, tool: tool.name, mode, signal, ...page };
  return trace === undefined ? named : { ...named, trace };
}

/** As much of a call as is known to what answers it in a binding's place. */
export interface ServedCall extends CallIdentity {
  readonly tool: Pick<
    ToolContract<never, never, AnyResult>,
    "binding" | "effect" | "files" | "name" | "returns" | "skill"
  >;
  readonly mode: Mode;
  /** Attempts so far, the one under way included. */
  readonly attempts: number;
  /** Set for a dry run, which is no call. */
  readonly preflight?: object | undefined;
  readonly options: { readonly trace?: string; readonly parent?: string; readonly step?: string };
}

/** What a test's runtime has in the place of services: `@skillc/runtime/testing` makes it. */
export interface FakeBindings {
  /** @param toolId `skill/tool` */
  has(toolId: string): boolean;
  /**
   * The tool's own binding, but for what it would send.
   *
   * @throws FakeError when there is no fake to answer the call
   */
  bindingFor<Arguments, Result extends AnyResult>(
    binding: Binding<Arguments, Result>,
    call: ServedCall,
  ): Binding<Arguments, Result>;
}

/**
 * What is wrong with a test's fakes. A call throws it as it is, and not as a `ToolError`: the code
 * under test is not to blame, and what it does about failures of tools must not hide it.
 */
export class FakeError extends Error {
  override readonly name = "FakeError";
}
