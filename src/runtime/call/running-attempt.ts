import type { Call } from "./call.js";
import type { ToolError, WriteOutcome } from "../errors.js";
import { Secret, type Secrets } from "../credentials/secret.js";
import { takeMisfit } from "./misfits.js";
import { bytesPolicyOf } from "../ledger/attachments.js";
import { ProducedBytes, wantsBytes } from "../ledger/produced-bytes.js";
import { keeperOf } from "../rollback/backups/attempt-keeper.js";
import type {
  AbortListener,
  Attempt,
  BytesSink,
  CallHooks,
  Containment,
  ProducedFacts,
} from "./attempt.js";

/** An attempt as a binding sees it, which can be aborted. */
export class RunningAttempt implements Attempt {
  readonly tool: string;
  readonly number: number;
  readonly timeoutMs?: number;
  readonly directory: string;
  readonly downloads: string | undefined;
  readonly hooks: CallHooks;
  readonly runtime: object;
  /** For a plan, which makes calls of its own: see `inner-call.ts`. */
  readonly call: Call;
  readonly #secrets: Secrets;
  readonly #endsAt: number | undefined;
  #listeners: AbortListener[] | undefined;
  #abortWork: (() => Promise<void>)[] | undefined;
  #ended: { readonly reason: unknown } | undefined;
  #controller: AbortController | undefined;

  constructor(call: Call, timeoutMs: number | undefined) {
    this.tool = call.toolId;
    this.number = call.attempts;
    if (timeoutMs !== undefined) {
      this.timeoutMs = timeoutMs;
      this.#endsAt = performance.now() + timeoutMs;
    }
    this.directory = call.runtime.directory;
    this.downloads = call.runtime.downloads;
    this.hooks = call.hooks;
    this.runtime = call.runtime;
    this.call = call;
    this.#secrets = call.secrets;
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
    else notify(listener, this.#ended.reason);
  }

  /**
   * Aborts the attempt. Returns `not-done` if there are listeners and all return it, because each
   * knows only its own part.
   */
  abort(reason: unknown): WriteOutcome {
    this.#ended = { reason };
    const outcomes = (this.#listeners ?? []).map((each) => notify(each, reason));
    this.#controller?.abort(reason);
    return outcomes.length > 0 && outcomes.every((each) => each === "not-done")
      ? "not-done"
      : "unknown";
  }

  /** Work that ends what the attempt has begun runs at once if the attempt is already aborted. */
  get whenAborted(): (work: () => Promise<void>) => void {
    return (work) => {
      if (this.#ended === undefined) (this.#abortWork ??= []).push(work);
      else void work();
    };
  }

  /** True if something must be ended before an aborted attempt ends. */
  get hasWork(): boolean {
    return this.#abortWork !== undefined;
  }

  /** Ends what an aborted attempt has begun. It never rejects. */
  async endWork(): Promise<void> {
    await Promise.allSettled((this.#abortWork ?? []).map((each) => each()));
  }

  get decidedPaths(): ReadonlySet<string> | undefined {
    const { paths } = this.call;
    return paths && new Set(paths.used.map(({ path }) => path));
  }

  get scrubber(): NonNullable<Attempt["scrubber"]> {
    return this.call.runtime.credentials.scrubber;
  }

  get noteContainment(): (containment: Containment) => void {
    return (containment) => {
      this.call.containment = containment;
    };
  }

  /** Learned values are removed from the answer, like the credentials known from the beginning. */
  get learn(): (name: string, value: string) => void {
    return (name, value) => {
      const call = this.call;
      const { release } = call;
      const { end, secret } = call.runtime.credentials.learn(name, value);
      call.secrets = new Map(call.secrets).set(name, secret);
      call.release = () => {
        release?.();
        end();
      };
    };
  }

  get requireTurn(): (() => void) | undefined {
    const { cancel } = this.call;
    if (cancel === undefined) return undefined;
    return () => {
      if (cancel.error !== undefined) throw cancel.error;
    };
  }

  get takeBytes(): ((facts: ProducedFacts) => BytesSink | undefined) | undefined {
    const call = this.call;
    const { credentials, ledger } = call.runtime;
    const { attachments } = ledger;
    const policy = attachments && bytesPolicyOf(attachments.policy);
    if (!wantsBytes(policy, call.toolId)) return undefined;
    return (facts) => {
      if ((call.produced?.attempt ?? 0) > this.number) return undefined;
      if (call.produced?.attempt !== this.number)
        call.produced = new ProducedBytes(this.number, policy);
      return call.produced.open(facts, () => credentials.scrubber.longest());
    };
  }

  get keeper(): Attempt["keeper"] {
    return (this.call.keeper ??= keeperOf(this.call));
  }

  get takeMisfit(): (error: ToolError) => void {
    return (error) => takeMisfit(this.call, error);
  }

  open = (name: string): string => {
    const secret = this.#secrets.get(name);
    if (secret === undefined)
      throw new Error(`the binding did not request \`${name}\` before the call`);
    return Secret.reveal(secret);
  };
}

/** Calls a listener. If it throws, the outcome is unknown, and other listeners are still called. */
function notify(listener: AbortListener, reason: unknown): WriteOutcome | void {
  try {
    return listener(reason);
  } catch {
    return "unknown";
  }
}
