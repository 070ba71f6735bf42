import { randomUUID } from "node:crypto";
import { abortedError, attemptCall } from "./attempt.js";
import type { CallInProgress } from "./call-in-progress.js";
import { type CallOptions, copyOptions } from "./call-options.js";
import { nextCallNumber, startFlight } from "./calls-in-flight.js";
import { copyArguments } from "./copy-arguments.js";
import { withDefaults } from "./defaults.js";
import { withoutEchoes } from "./echoes.js";
import { ToolError, type ToolFailure, withOutcome } from "./errors.js";
import { FakeError } from "./fake-bindings.js";
import { findSecrets, knownSecrets, lookUpSecrets } from "./find-secrets.js";
import { refusedParameter } from "./refused-parameter.js";
import { handlerBinding } from "./handler-binding.js";
import { keptResult } from "./kept-result.js";
import { beginCall, endCall } from "./ledger/record-call.js";
import { unmetPrerequisites } from "./prerequisites.js";
import { RefusedValue } from "./refused-value.js";
import type { AnyResult } from "./result.js";
import { defaultRuntime, type Runtime } from "./runtime.js";
import { scrubError } from "./scrub-error.js";
import type { Secrets } from "./secret.js";
import { recordOnly } from "./shadow.js";
import type { Binding, ToolContract } from "./tool.js";
import { problemsOf, tellProblems, type Validator } from "./validation.js";

/**
 * Makes one call of a generated tool: checks the parameters, builds the request, records a write before it leaves, sends it with retries,
 * checks the answer, records the outcome.
 *
 * @throws ToolError when there is no answer to return
 */
export async function callTool<Params, Arguments, Result extends AnyResult>(
  tool: ToolContract<Params, Arguments, Result>,
  params: Params,
  given: CallOptions = {},
): Promise<Result> {
  const options = copyOptions(given);
  const runtime = options.runtime ?? defaultRuntime();
  const call = startCall(tool, options, runtime);
  const landed = startFlight(runtime);
  try {
    const result = await run(tool, params, call);
    const kept = endCall(call, { result });
    if (kept !== undefined) await kept;
    return result;
  } catch (thrown) {
    const error = scrubError(
      settled(asToolError(thrown, call), call),
      runtime.credentials.scrubber,
    );
    await endCall(call, { error });
    throw thrown instanceof FakeError ? thrown : error;
  } finally {
    call.release?.();
    landed();
  }
}

function startCall<Params, Arguments, Result extends AnyResult>(
  tool: ToolContract<Params, Arguments, Result>,
  options: CallOptions,
  runtime: Runtime,
): CallInProgress {
  return {
    id: randomUUID(),
    number: nextCallNumber(),
    toolId: `${tool.skill}/${tool.name}`,
    tool,
    params: undefined,
    options,
    runtime,
    mode: options.mode ?? runtime.mode ?? tool.mode,
    startedAt: performance.now(),
    areParamsFit: false,
    attempts: 0,
    outcome: "not-done",
    kind: tool.binding.kind,
  };
}

async function run<Params, Arguments, Result extends AnyResult>(
  tool: ToolContract<Params, Arguments, Result>,
  given: Params,
  call: CallInProgress,
): Promise<Result> {
  // Before anything is waited for: what the caller does to its own object from now on shows nowhere.
  const params = (call.params = copyArguments(given));
  if (call.options.signal?.aborted) throw abortedError(call);
  if (tool.prerequisites !== undefined && !call.runtime.availableSkills.has(tool.skill)) {
    await requirePrerequisites(tool, call);
  }
  requireFit(tool.params, params, "parameters", call);
  call.areParamsFit = true;
  // Sound by construction: the generated `Arguments` is the type of the same schema with its defaults filled in.
  const args = (tool.defaults ? withDefaults(params, tool.defaults) : params) as Arguments;
  const binding = chooseBinding(tool, call);
  const prepared = binding.prepare(args, call);
  if (call.mode === "shadow" && tool.effect === "write") {
    // Nothing is sent; but what is recorded must not hold them, and only what was found is known.
    hold(knownSecrets(prepared, call) ?? (await lookUpSecrets(prepared, call)), call);
    return recordOnly({ binding, args, prepared }, tool.maskedParams, call);
  }
  const secrets = knownSecrets(prepared, call) ?? (await findSecrets(prepared, call));
  hold(secrets, call);
  const begun = tool.effect === "write" ? beginCall(call) : undefined;
  if (begun !== undefined) await begun;
  const result = await attemptCall(prepared, secrets, call);
  // The ledger has credentials replaced wherever they stand.
  call.keptResult = () => keptResult(prepared, result, args, tool.maskedParams);
  if (tool.returns !== undefined && "data" in result) {
    requireFit(tool.returns, result.data, "result", call);
  }
  return withoutEchoes(result, prepared, secrets, call.runtime.credentials);
}

function hold(secrets: Secrets, call: CallInProgress): void {
  if (secrets.size > 0) call.release = call.runtime.credentials.hold(secrets);
}

function chooseBinding<Params, Arguments, Result extends AnyResult>(
  tool: ToolContract<Params, Arguments, Result>,
  call: CallInProgress,
): Binding<Arguments, Result> {
  const { fakes, handlers } = call.runtime;
  const handler = Object.hasOwn(handlers, call.toolId) ? handlers[call.toolId] : undefined;
  const binding: Binding<Arguments, Result> =
    handler === undefined
      ? (fakes?.bindingFor(tool.binding, call) ?? tool.binding)
      : handlerBinding(handler, call);
  call.kind = binding.kind;
  return binding;
}

async function requirePrerequisites<Params, Arguments, Result extends AnyResult>(
  tool: ToolContract<Params, Arguments, Result>,
  call: CallInProgress,
): Promise<void> {
  const { availableSkills, surroundings } = call.runtime;
  const missing = await unmetPrerequisites(tool.prerequisites ?? {}, surroundings);
  if (missing.length === 0) {
    availableSkills.add(tool.skill);
    return;
  }
  const named = missing.map(({ kind, name }) => `${kind} \`${name}\``).join(", ");
  throw failure(
    call,
    { code: "POLICY.DENY_TOOL", missing },
    `skill \`${tool.skill}\` is not available here: missing ${named}`,
  );
}

function requireFit(
  validator: Validator,
  value: unknown,
  subject: "parameters" | "result",
  call: CallInProgress,
): void {
  const problems = problemsOf(validator, value);
  if (problems.length === 0) return;
  throw failure(
    call,
    { code: "SCHEMA.VALIDATION_FAILED", subject, problems },
    `${subject} of \`${call.toolId}\` ${subject === "result" ? "doesn't fit its" : "don't fit their"} schema: ${tellProblems(problems)}`,
  );
}

function failure(
  call: CallInProgress,
  what: ToolFailure,
  message: string,
  cause?: unknown,
): ToolError {
  return new ToolError(call.toolId, what, message, {
    attempts: call.attempts,
    ...(cause === undefined ? {} : { cause }),
  });
}

/** The error as the caller gets it: a read changes nothing, and what an earlier attempt may have done no later one undoes. */
function settled(error: ToolError, { outcome, tool }: CallInProgress): ToolError {
  if (tool.effect === "read") return withOutcome(error, "not-done");
  return outcome === "unknown" ? withOutcome(error, outcome) : error;
}

function asToolError(thrown: unknown, call: CallInProgress): ToolError {
  if (thrown instanceof ToolError) return thrown;
  if (thrown instanceof FakeError) {
    const what: ToolFailure = { code: "UNKNOWN.INTERNAL", reason: "handler-failed" };
    return failure(call, what, thrown.message, thrown);
  }
  if (thrown instanceof RefusedValue)
    return refusedParameter(call.toolId, thrown, call.params, call.attempts);
  return failure(
    call,
    { code: "UNKNOWN.INTERNAL", reason: "bug" },
    `\`${call.toolId}\` failed inside skillc; please report it`,
    thrown,
  );
}
