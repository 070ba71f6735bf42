import type { CallInProgress } from "./call-in-progress.js";
import { copyArguments } from "./copy-arguments.js";
import { ToolError, withOutcome } from "./errors.js";
import type { Handler, HandlerRecord } from "./handler.js";
import type { JsonValue } from "./json.js";
import type { AnyResult, Success } from "./result.js";
import type { Binding } from "./tool.js";

/** A handler in a binding's place: the same call path serves both. */
export function handlerBinding<Arguments, Result extends AnyResult>(
  handler: Handler<never, unknown>,
  call: CallInProgress,
): Binding<Arguments, Result> {
  return {
    kind: "handler",
    prepare: (args) => ({
      credentials: [],
      record() {
        // Parameters are a copy, and so JSON.
        const recorded: HandlerRecord = { handler: call.toolId, parameters: args as JsonValue };
        return { ...recorded };
      },
      send: async ({ signal }) => {
        const data = await serve(handler, args, call, signal);
        const result: Success<"success", unknown> = { status: "success", data };
        // The generated `Handlers` type ties the handler to the tool's data type, and `returns` is checked after this.
        return { result: result as AnyResult as Result };
      },
    }),
  };
}

async function serve(
  handler: Handler<never, unknown>,
  args: unknown,
  call: CallInProgress,
  signal: AbortSignal,
): Promise<unknown> {
  const { trace } = call.options;
  try {
    // The tool's validator accepted these arguments, and `Handlers` ties the handler to the tool's type. Each attempt has a copy of its own:
    // a handler may write into what it is given, and that is neither recorded nor tried again.
    return await handler(copyArguments(args) as never, {
      callId: call.id,
      skill: call.tool.skill,
      tool: call.tool.name,
      mode: call.mode,
      signal,
      ...(trace === undefined ? {} : { trace }),
    });
  } catch (cause) {
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
