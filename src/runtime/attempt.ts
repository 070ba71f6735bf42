import type { CallInProgress } from "./call-in-progress.js";
import { isToolError, ToolError, type WriteOutcome, withOutcome } from "./errors.js";
import type { AnyResult } from "./result.js";
import { pause, waitBeforeNext } from "./retry.js";
import { Secret } from "./secret.js";
import type { AbortListener, Attempt, Outcome, PreparedCall } from "./tool.js";

/** Sends a prepared call, and again as its retry policy allows. */
export async function attemptCall<Result extends AnyResult>(
  prepared: PreparedCall<Result>,
  secrets: ReadonlyMap<string, Secret>,
  call: CallInProgress,
): Promise<Result> {
  const { retry } = call.tool;
  for (;;) {
    // The caller may have done so while credentials or the ledger were waited for.
    if (call.options.signal?.aborted) throw abortedError(call);
    call.attempts += 1;
    const ended = await once(prepared, secrets, call).catch((error: unknown) => retryable(error));
    call.outcome = outcomeAfter(ended, call.outcome);
    const wait = ended.retry && waitBeforeNext(retry, call.attempts, ended.retry.afterMs);
    if (wait === undefined) {
      if ("result" in ended) return ended.result;
      throw ended.error;
    }
    await pause(wait, call.options.signal).catch(() => {
      throw abortedError(call);
    });
  }
}

/** What is known of the write if the call ends after that. An answer that asks for another attempt tells nothing for certain. */
function outcomeAfter(ended: Outcome<AnyResult> | Lost, before: WriteOutcome): WriteOutcome {
  const isDone = "result" in ended ? ended.retry === undefined : !isUnknown(ended.error);
  return isDone ? before : "unknown";
}

function isUnknown(error: unknown): boolean {
  return !isToolError(error) || error.outcome === "unknown";
}

interface Lost {
  readonly error: unknown;
  readonly retry?: { readonly afterMs?: number };
}

/** Only what the network lost is worth another attempt. */
function retryable(error: unknown): Lost {
  if (isToolError(error, "PROVIDER.TIMEOUT")) return { error, retry: {} };
  if (!isToolError(error, "PROVIDER.UNAVAILABLE")) return { error };
  const { retryAfterMs: afterMs } = error.failure;
  return { error, retry: afterMs === undefined ? {} : { afterMs } };
}

/** One attempt, over when it answers, when its time is up, or when the caller aborts; never later. */
function once<Result extends AnyResult>(
  prepared: PreparedCall<Result>,
  secrets: ReadonlyMap<string, Secret>,
  call: CallInProgress,
): Promise<Outcome<Result>> {
  const { timeoutMs } = call.tool;
  const caller = call.options.signal;
  return new Promise((resolve, reject) => {
    const attempt = new RunningAttempt(call, secrets);
    const stop = (error: ToolError) => {
      settle();
      let outcome: WriteOutcome = "unknown";
      try {
        outcome = attempt.abort(error);
      } finally {
        // Over, even if a listener throws.
        reject(withOutcome(error, outcome));
      }
    };
    const abort = () => stop(abortedError(call));
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => stop(timeoutError(call, timeoutMs)), timeoutMs);
    const settle = () => {
      clearTimeout(timer);
      caller?.removeEventListener("abort", abort);
    };
    caller?.addEventListener("abort", abort, { once: true });
    sendOnce(prepared, attempt, settle).then(resolve, reject);
  });
}

/** A binding that throws where it should reject has failed all the same. */
async function sendOnce<Result extends AnyResult>(
  prepared: PreparedCall<Result>,
  attempt: Attempt,
  settle: () => void,
): Promise<Outcome<Result>> {
  try {
    return await prepared.send(attempt);
  } finally {
    settle();
  }
}

class RunningAttempt implements Attempt {
  readonly tool: string;
  readonly number: number;
  readonly timeoutMs?: number;
  readonly directory: string;
  readonly #secrets: ReadonlyMap<string, Secret>;
  readonly #endsAt: number | undefined;
  #listeners: AbortListener[] | undefined;
  #ended: { readonly reason: unknown } | undefined;
  #controller: AbortController | undefined;

  constructor(call: CallInProgress, secrets: ReadonlyMap<string, Secret>) {
    this.tool = call.toolId;
    this.number = call.attempts;
    const { timeoutMs } = call.tool;
    if (timeoutMs !== undefined) {
      this.timeoutMs = timeoutMs;
      this.#endsAt = performance.now() + timeoutMs;
    }
    this.directory = call.runtime.directory;
    this.#secrets = secrets;
  }

  get remainingMs(): number | undefined {
    return this.#endsAt === undefined ? undefined : Math.max(0, this.#endsAt - performance.now());
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#ended !== undefined) this.#controller.abort(this.#ended.reason);
    return this.#controller.signal;
  }

  onAbort(listener: AbortListener): void {
    if (this.#ended === undefined) (this.#listeners ??= []).push(listener);
    else listener(this.#ended.reason);
  }

  /** `not-done` when every listener says so: each knows of its own part of the attempt alone. */
  abort(reason: unknown): WriteOutcome {
    this.#ended = { reason };
    const said = (this.#listeners ?? []).map((each) => each(reason));
    this.#controller?.abort(reason);
    return said.length > 0 && said.every((each) => each === "not-done") ? "not-done" : "unknown";
  }

  open = (name: string): string => {
    const secret = this.#secrets.get(name);
    if (secret === undefined) throw new Error(`\`${name}\` was not asked for before the call`);
    return Secret.reveal(secret);
  };
}

function timeoutError(call: CallInProgress, timeoutMs: number): ToolError {
  return new ToolError(
    call.toolId,
    { code: "PROVIDER.TIMEOUT", timeoutMs },
    `\`${call.toolId}\` had no answer within ${timeoutMs} ms`,
    { attempts: call.attempts },
  );
}

export function abortedError(call: CallInProgress): ToolError {
  return new ToolError(
    call.toolId,
    { code: "UNKNOWN.INTERNAL", reason: "aborted" },
    `\`${call.toolId}\` was aborted by its caller`,
    { attempts: call.attempts, outcome: call.outcome },
  );
}
