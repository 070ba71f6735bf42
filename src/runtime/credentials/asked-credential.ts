import { onAborted } from "../on-aborted.js";
import type { Secret } from "./secret.js";

/**
 * Gives a credential when a call needs it. A text is used for that call alone. A text with an
 * expiry time is used for all calls until then, and is asked for once, however many calls wait for
 * it. When the function gives undefined or an empty text, or fails, the call fails with
 * `CREDENTIAL.MISSING`.
 */
export type CredentialFunction = (
  question: CredentialQuestion,
) => CredentialAnswer | Promise<CredentialAnswer>;

export interface CredentialQuestion {
  /** Of the credential: one function may serve several. */
  readonly name: string;
  /** Aborts when no call waits for the answer any more. */
  readonly signal: AbortSignal;
}

export type CredentialAnswer = string | undefined | ExpiringCredential;

export interface ExpiringCredential {
  readonly value: string | undefined;
  /** A date, or milliseconds since 1970; `Infinity` for never. */
  readonly expiresAt: Date | number;
}

/** What became of a question. */
interface Answered {
  /** Undefined when the function gave nothing. */
  readonly secret: Secret | undefined;
  /** Whether it is for others who waited, too. */
  readonly isShared: boolean;
}

/**
 * Fewer milliseconds since 1970 are seconds: what a token endpoint's `expires_in` says, or a time
 * in seconds.
 */
const fewestMs = 1e11;

/** A credential that a function gives. */
export class AskedCredential {
  readonly #name: string;
  readonly #ask: CredentialFunction;
  readonly #keep: (value: string) => Secret;
  readonly #now: () => number;
  #kept: { readonly secret: Secret; readonly expiresMs: number } | undefined;
  #question: Question | undefined;
  /** Whether its answers are for one call each; unknown before the first. */
  #isPersonal: boolean | undefined;

  /**
   * @param keep makes the secret of a value, and has it known wherever it must not be seen
   * @param now milliseconds since 1970
   */
  constructor(
    name: string,
    ask: CredentialFunction,
    keep: (value: string) => Secret,
    now: () => number,
  ) {
    this.#name = name;
    this.#ask = ask;
    this.#keep = keep;
    this.#now = now;
  }

  /** What was given and is not over. */
  get present(): Secret | undefined {
    return this.#kept !== undefined && this.#now() < this.#kept.expiresMs
      ? this.#kept.secret
      : undefined;
  }

  /**
   * Undefined when the function gives nothing.
   *
   * @param signal ends the wait
   * @throws the signal's reason; whatever the function throws; TypeError when what it gives is no
   * answer
   */
  async find(signal?: AbortSignal): Promise<Secret | undefined> {
    signal?.throwIfAborted();
    const { present } = this;
    if (present !== undefined) return present;
    if (this.#question !== undefined && this.#isPersonal !== true) {
      const { isShared, secret } = await this.#question.wait(signal);
      if (isShared) return secret;
    }
    return (await this.#start().wait(signal)).secret;
  }

  #start(): Question {
    const question = new Question(
      async (signal) => {
        const answer = await this.#ask({ name: this.#name, signal });
        // Nobody waits for it: a newer question may have its answer by now.
        if (signal.aborted) throw signal.reason;
        return this.#read(answer);
      },
      // So that the next call asks anew.
      () => {
        if (this.#question === question) this.#question = undefined;
      },
    );
    this.#question = question;
    return question;
  }

  #read(answer: CredentialAnswer | null): Answered {
    if (answer === undefined || answer === null || answer === "")
      return { secret: undefined, isShared: this.#isPersonal === false };
    if (typeof answer === "string") {
      this.#isPersonal = true;
      return { secret: this.#keep(answer), isShared: false };
    }
    const { value, expiresMs } = readExpiring(answer);
    this.#isPersonal = false;
    if (value === "") return { secret: undefined, isShared: true };
    const secret = this.#keep(value);
    this.#kept = { secret, expiresMs };
    return { secret, isShared: true };
  }
}

/**
 * @throws TypeError for anything that JavaScript lets a function give, without a word of what it is
 */
function readExpiring(answer: ExpiringCredential): {
  readonly value: string;
  readonly expiresMs: number;
} {
  const isObject = typeof answer === "object" && "value" in answer && "expiresAt" in answer;
  if (!isObject)
    throw new TypeError("a credential's function gives a text or { value, expiresAt }");
  const { expiresAt, value = "" } = answer;
  if (typeof value !== "string") throw new TypeError("`value` of a credential must be a text");
  const expiresMs = expiresAt instanceof Date ? expiresAt.getTime() : expiresAt;
  if (typeof expiresMs === "number" && expiresMs >= fewestMs) return { value, expiresMs };
  throw new TypeError(
    "`expiresAt` of a credential must be a Date, or milliseconds since 1970: for seconds from now write `Date.now() + 1000 * seconds`",
  );
}

/** One question to a function, and those who wait for its answer. */
class Question {
  readonly #controller = new AbortController();
  readonly #answer: Promise<Answered>;
  readonly #forget: () => void;
  #waiting = 0;

  /** @param forget called when it is answered, or nobody waits for it any more */
  constructor(ask: (signal: AbortSignal) => Promise<Answered>, forget: () => void) {
    this.#forget = forget;
    this.#answer = ask(this.#controller.signal).finally(forget);
    // Whoever waits is told.
    this.#answer.catch(() => {});
  }

  wait(signal: AbortSignal | undefined): Promise<Answered> {
    this.#waiting += 1;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        reject(signal?.reason);
        this.#waiting -= 1;
        if (this.#waiting > 0) return;
        this.#forget();
        this.#controller.abort(signal?.reason);
      };
      const stopListening = signal && onAborted(signal, leave);
      this.#answer.finally(stopListening).then(resolve, reject);
    });
  }
}
