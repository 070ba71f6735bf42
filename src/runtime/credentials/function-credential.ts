import { onAborted } from "../on-aborted.js";
import type { Secret } from "./secret.js";

/**
 * Supplies a credential when a call needs it. Return text to use it for that call only. Return text
 * with an expiry time to use it for all calls until then; calls that wait at the same time share
 * one question. If the function returns undefined or empty text, or fails, the call fails with
 * `CREDENTIAL.MISSING`.
 */
export type CredentialFunction = (
  question: CredentialQuestion,
) => CredentialAnswer | Promise<CredentialAnswer>;

/** The question to a credential function. */
export interface CredentialQuestion {
  /** Name of the credential. One function may serve several. */
  readonly name: string;
  /** Aborts when no call waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** The answer of a credential function: a value, no value, or a value that expires. */
export type CredentialAnswer = string | undefined | ExpiringCredential;

/** A credential that all calls use until it expires. */
export interface ExpiringCredential {
  /** Value of the credential; undefined for none. */
  readonly value: string | undefined;
  /** Expiry time: a date, or milliseconds since 1970; `Infinity` for never. */
  readonly expiresAt: Date | number;
}

/** Result of a question. */
interface FunctionAnswer {
  /** The credential; undefined if the function returned none. */
  readonly secret: Secret | undefined;
  /** True if other calls that waited may use it too. */
  readonly isShared: boolean;
}

/** Smaller numbers are seconds: `expires_in` of a token endpoint, or a time in seconds. */
const fewestMs = 1e11;

/** A credential that a function supplies. */
export class FunctionCredential {
  readonly #name: string;
  readonly #ask: CredentialFunction;
  readonly #keep: (value: string) => Secret;
  readonly #now: () => number;
  #kept: { readonly secret: Secret; readonly expiresMs: number } | undefined;
  #question: Question | undefined;
  /** True if each answer is for one call only; undefined before the first answer. */
  #isPersonal: boolean | undefined;

  /**
   * @param keep makes a `Secret` of a value, and makes the value known to the scrubber
   * @param now returns the current time in milliseconds since 1970
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

  /** The current value, if it has not expired. */
  get present(): Secret | undefined {
    return this.#kept !== undefined && this.#now() < this.#kept.expiresMs
      ? this.#kept.secret
      : undefined;
  }

  /**
   * Finds the credential; undefined if the function returns none.
   *
   * @param signal ends the wait
   * @throws the signal's reason; any error of the function; TypeError if the function's answer is
   * not valid
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
        // Nobody waits for this answer any more, and a newer question may already be answered.
        if (signal.aborted) throw signal.reason;
        return this.#read(answer);
      },
      // Forget the question, so that the next call asks again.
      () => {
        if (this.#question === question) this.#question = undefined;
      },
    );
    this.#question = question;
    return question;
  }

  #read(answer: CredentialAnswer | null): FunctionAnswer {
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
 * Checks an expiring credential.
 *
 * @throws TypeError if the answer is not valid; the message doesn't contain the answer
 */
function readExpiring(answer: ExpiringCredential): {
  readonly value: string;
  readonly expiresMs: number;
} {
  const isObject = typeof answer === "object" && "value" in answer && "expiresAt" in answer;
  if (!isObject)
    throw new TypeError("a credential's function must return a text or { value, expiresAt }");
  const { expiresAt, value = "" } = answer;
  if (typeof value !== "string") throw new TypeError("`value` of a credential must be a text");
  const expiresMs = expiresAt instanceof Date ? expiresAt.getTime() : expiresAt;
  if (typeof expiresMs === "number" && expiresMs >= fewestMs) return { value, expiresMs };
  throw new TypeError(
    "`expiresAt` of a credential must be a Date or milliseconds since 1970: for seconds from now, write `Date.now() + 1000 * seconds`",
  );
}

/** One question to a function, with the calls that wait for its answer. */
class Question {
  readonly #controller = new AbortController();
  readonly #answer: Promise<FunctionAnswer>;
  readonly #forget: () => void;
  #waiting = 0;

  /** @param forget called when it is answered, or no call waits for it any more */
  constructor(ask: (signal: AbortSignal) => Promise<FunctionAnswer>, forget: () => void) {
    this.#forget = forget;
    this.#answer = ask(this.#controller.signal).finally(forget);
    // Each waiting call handles the error.
    this.#answer.catch(() => {});
  }

  wait(signal: AbortSignal | undefined): Promise<FunctionAnswer> {
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
