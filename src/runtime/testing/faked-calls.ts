import { copyParameters } from "../call/copy-parameters.js";
import {
  contextOf,
  type FakeBindings,
  FakeError,
  handlerBinding,
  type ServedCall,
} from "../call/handler-binding.js";
import { RefusedValue } from "../call/refused-value.js";
import { ToolError } from "../errors.js";
import type { Handler } from "../handler.js";
import { near } from "../model/near-names.js";
import type { AnyResult } from "../result.js";
import type { Binding, PreparedCall } from "../call/binding.js";
import type { Mode } from "../tool.js";
import { problemsOf, shownPlace, tellProblems } from "../validation/validation.js";
import type { AnyFake } from "./fakes.js";
import { ofCall } from "./tool-error.js";

/** A call with valid parameters that a fake or handler answered, or that shadow mode recorded. */
export interface RecordedCall<Params = unknown> {
  /** Id of the call, as in the ledger. */
  readonly id: string;
  /** Id of the tool: `skill/tool`. */
  readonly tool: string;
  /** Parameters as the service would receive them, with defaults. */
  readonly params: Params;
  /** Mode of the call. */
  readonly mode: Mode;
  /** Trace of the call, from its options. */
  readonly trace?: string;
  /** Parent of the call, from its options. */
  readonly parent?: string;
  /** Step of the call, from its options. */
  readonly step?: string;
}

type Send<Result extends AnyResult> = PreparedCall<Result>["send"];

/** Answers every call with fakes, and records the calls. */
export class FakedCalls implements FakeBindings {
  readonly #needsHandler: ReadonlyMap<string, boolean>;
  readonly #fakes: ReadonlyMap<string, AnyFake>;
  readonly #handlers: ReadonlyMap<string, Handler<never, unknown>>;
  readonly #run: <T>(body: () => T) => T;
  readonly #calls = new Map<string, RecordedCall>();

  /**
   * @param needsHandler whether each existing tool needs a handler, by `skill/tool`
   * @param fakes by `skill/tool`, like handlers. The test's code checks their types
   * @param run runs a function whose calls use the test's runtime
   * @throws TypeError if a name is not a tool
   */
  constructor(
    needsHandler: ReadonlyMap<string, boolean>,
    fakes: object,
    handlers: object,
    run: <T>(body: () => T) => T,
  ) {
    this.#needsHandler = needsHandler;
    this.#fakes = given(Object.entries<AnyFake | undefined>({ ...fakes }));
    this.#handlers = given(Object.entries<Handler<never, unknown> | undefined>({ ...handlers }));
    this.#run = run;
    for (const id of [...this.#fakes.keys(), ...this.#handlers.keys()]) this.#requireTool(id);
  }

  /** Returns the calls so far, of one tool or of all. */
  of(tool: string | undefined): readonly RecordedCall[] {
    if (tool !== undefined) this.#requireTool(tool);
    const all = [...this.#calls.values()];
    return tool === undefined ? all : all.filter((each) => each.tool === tool);
  }

  has(toolId: string): boolean {
    return this.#fakes.has(toolId) || this.#handlers.has(toolId);
  }

  bindingFor<Arguments, Result extends AnyResult>(
    binding: Binding<Arguments, Result>,
    call: ServedCall,
  ): Binding<Arguments, Result> {
    const { toolId } = call;
    const fake = this.#fakes.get(toolId);
    const handler = this.#handlers.get(toolId);
    if (fake !== undefined) {
      const isServed = this.#needsHandler.get(toolId) === true;
      const real = isServed ? handlerBinding<Arguments, Result>(() => undefined, call) : binding;
      return this.#noted(real, call, (args) => async ({ signal }) => {
        const result = await this.#run(() => answerOf(fake, args, call, signal));
        // `Fakes` ensures that the fake returns one of the tool's answers.
        return { result: result as Result };
      });
    }
    if (handler !== undefined) {
      const real = handlerBinding<Arguments, Result>(handler, call);
      return this.#noted(
        real,
        call,
        (_, prepared) => (attempt) => this.#run(() => prepared.send(attempt)),
      );
    }
    // A plan calls other tools, which have fakes of their own.
    if (binding.plan !== undefined)
      return {
        ...this.#noted(binding, call, (_, prepared) => (attempt) => prepared.send(attempt)),
        plan: binding.plan,
      };
    // Shadow mode only records the request.
    if (call.mode === "shadow" && call.tool.effect === "write")
      return this.#noted(binding, call, () => () => Promise.reject(notFaked(toolId)));
    throw notFaked(toolId);
  }

  /** Returns the binding with another `send`, which needs no credentials and records the call. */
  #noted<Arguments, Result extends AnyResult>(
    binding: Binding<Arguments, Result>,
    call: ServedCall,
    sender: (args: Arguments, prepared: PreparedCall<Result>) => Send<Result>,
  ): Binding<Arguments, Result> {
    return {
      kind: binding.kind,
      prepare: (args) => {
        const prepared = binding.prepare(args, call);
        this.#note(args, call);
        const { describeMasked, fingerprint, idempotencyKey, isRepeatable, maskResult } = prepared;
        return {
          credentials: [],
          reach: (open) => prepared.reach(open),
          describe: () => prepared.describe(),
          ...(fingerprint && { fingerprint: fingerprint.bind(prepared) }),
          ...(idempotencyKey !== undefined && { idempotencyKey }),
          ...(isRepeatable && { isRepeatable }),
          ...(describeMasked && { describeMasked: describeMasked.bind(prepared) }),
          ...(maskResult && { maskResult: maskResult.bind(prepared) }),
          send: sender(args, prepared),
        };
      },
    };
  }

  /**
   * Records a call the first time it is prepared. Shadow mode prepares it again to mask the
   * request.
   */
  #note(args: unknown, { id, mode, options, preflight, toolId: tool }: ServedCall): void {
    if (preflight !== undefined || this.#calls.has(id)) return;
    const { parent, step, trace } = options;
    const params = copyParameters(args);
    const belongs = {
      ...(trace !== undefined && { trace }),
      ...(parent !== undefined && { parent }),
      ...(step !== undefined && { step }),
    };
    this.#calls.set(id, { id, tool, params, mode, ...belongs });
  }

  #requireTool(id: string): void {
    if (this.#needsHandler.has(id)) return;
    const [nearest] = near(id, [...this.#needsHandler.keys()]);
    const help = nearest === undefined ? "" : `; did you mean \`${nearest}\`?`;
    throw new TypeError(`the catalog has no tool \`${id}\`${help}`);
  }
}

function given<Value>(
  entries: readonly (readonly [string, Value | undefined])[],
): ReadonlyMap<string, Value> {
  return new Map(entries.flatMap(([id, value]) => (value === undefined ? [] : [[id, value]])));
}

function notFaked(toolId: string): FakeError {
  return new FakeError(
    `\`${toolId}\` has no fake, and a test runtime sends nothing: pass one, as in \`createTestRuntime(catalog, { "${toolId}": … })\``,
  );
}

/**
 * Returns a fake's answer as a copy, which calls don't share with the test or with each other.
 *
 * @throws ToolError from the fake
 * @throws FakeError if the fake is wrong
 */
async function answerOf(
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
    // The tool's validator accepted these arguments, and `Fakes` has the tool's types.
    const copy = copyParameters(args, call.tool.files) as never;
    return await fake(copy, { ...contextOf(call, signal), attempt: call.attempts });
  } catch (thrown) {
    if (thrown instanceof ToolError) return thrown;
    if (thrown instanceof FakeError) throw thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    throw wrong(call, `threw: ${message}`, thrown);
  }
}

/**
 * Validates the answer. JavaScript tests may return anything, and types don't show ranges and
 * patterns.
 */
function requireAnswer(given: unknown, call: ServedCall): AnyResult {
  const answer = copyOf(given, call);
  if (!isAnswer(answer))
    throw wrong(
      call,
      'returned no answer: an answer has a `status`, as in `{ status: "success", data }`',
    );
  if (answer.status === "shadow")
    throw wrong(call, "returned the status `shadow`, which only the runtime sets, in shadow mode");
  const { returns } = call.tool;
  const isChecked = call.tool.binding.streams === undefined;
  const problems = returns && isChecked && "data" in answer ? problemsOf(returns, answer.data) : [];
  if (problems.length > 0)
    throw wrong(
      call,
      `returned data that doesn't fit the tool's schema: ${tellProblems(problems)}`,
    );
  return answer;
}

function copyOf(given: unknown, call: ServedCall): unknown {
  if (typeof given === "object" && given !== null && "data" in given) {
    const { data } = given;
    const isStream = typeof data === "object" && data !== null && Symbol.asyncIterator in data;
    const own = data instanceof Uint8Array ? data.slice() : isStream ? data : undefined;
    // Copy data that are not JSON separately.
    if (own !== undefined)
      return { ...(copyOf({ ...given, data: null }, call) as object), data: own };
  }
  try {
    return copyParameters(given);
  } catch (thrown) {
    if (!(thrown instanceof RefusedValue)) throw thrown;
    const place = thrown.pointer === "" ? "its answer" : shownPlace(thrown.pointer);
    throw wrong(
      call,
      `returned a value that no service could send: ${place} ${thrown.message}`,
      thrown,
    );
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

/** Makes the error of a wrong fake: the mistake is in the test, not in the tool or its caller. */
function wrong({ toolId }: ServedCall, what: string, cause?: unknown): FakeError {
  const options = cause === undefined ? {} : { cause };
  return new FakeError(`the fake of \`${toolId}\` ${what}`, options);
}
