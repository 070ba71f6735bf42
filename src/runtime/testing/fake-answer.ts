import { copyArguments } from "../call/copy-arguments.js";
import { ToolError } from "../errors.js";
import { FakeError } from "../call/fake-bindings.js";
import { contextOf } from "../call/handler-binding.js";
import { RefusedValue } from "../call/refused-value.js";
import type { AnyResult } from "../result.js";
import type { ServedCall } from "../call/served-call.js";
import { problemsOf, shownPlace, tellProblems } from "../validation/validation.js";
import type { AnyFake } from "./fakes.js";
import { ofCall } from "./tool-error.js";

/**
 * What a fake answers, as a copy: calls don't share it with the test, nor with one another.
 *
 * @throws ToolError the fake's own
 * @throws FakeError what is wrong with the fake
 */
export async function answerOf(
  fake: AnyFake,
  args: unknown,
  call: ServedCall,
  signal: AbortSignal,
): Promise<AnyResult> {
  const given = typeof fake === "function" ? await serve(fake, args, call, signal) : fake;
  if (given instanceof ToolError) throw ofCall(given, call.toolId, call.attempts);
  return requireAnswer(given, call);
}

async function serve(
  fake: Extract<AnyFake, (...args: never) => unknown>,
  args: unknown,
  call: ServedCall,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    // The tool's validator accepted these arguments, and `Fakes` ties the fake to the tool's type.
    const copy = copyArguments(args) as never;
    return await fake(copy, { ...contextOf(call, signal), attempt: call.attempts });
  } catch (thrown) {
    if (thrown instanceof ToolError) return thrown;
    if (thrown instanceof FakeError) throw thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    throw wrong(call, `threw: ${message}`, thrown);
  }
}

/** Tests in JavaScript may answer anything, and types know nothing of a schema's ranges and patterns. */
function requireAnswer(given: unknown, call: ServedCall): AnyResult {
  const answer = copyOf(given, call);
  if (!isAnswer(answer))
    throw wrong(
      call,
      'gave no answer: it must have a `status`, as `{ status: "success", data }` has',
    );
  if (answer.status === "shadow")
    throw wrong(call, "answered `shadow`, which a call does in shadow mode, by itself");
  const { returns } = call.tool;
  const problems = returns && "data" in answer ? problemsOf(returns, answer.data) : [];
  if (problems.length > 0)
    throw wrong(call, `gave data that doesn't fit the tool's schema: ${tellProblems(problems)}`);
  return answer;
}

function copyOf(given: unknown, call: ServedCall): unknown {
  try {
    return copyArguments(given);
  } catch (thrown) {
    if (!(thrown instanceof RefusedValue)) throw thrown;
    const place = thrown.pointer === "" ? "its answer" : shownPlace(thrown.pointer);
    throw wrong(call, `gave what no service could: ${place} ${thrown.message}`, thrown);
  }
}

function isAnswer(value: unknown): value is AnyResult {
  return (
    typeof value === "object" &&
    value !== null &&
    "status" in value &&
    typeof value.status === "string"
  );
}

/** The test is at fault, and neither the tool nor what called it. */
function wrong({ toolId }: ServedCall, what: string, cause?: unknown): FakeError {
  const options = cause === undefined ? {} : { cause };
  return new FakeError(`the fake of \`${toolId}\` ${what}`, options);
}
