import { onAborted } from "../../../../runtime/on-aborted.js";
import { UnreadableAnswer } from "../../../../runtime/executor.js";

/** A token from a token endpoint. */
export interface Token {
  readonly value: string;
  /**
   * Time from which on a new token is needed, in milliseconds since 1970; undefined if the server
   * didn't say.
   */
  readonly staleAt: number | undefined;
  /** The refresh token that replaces the previous one. */
  readonly refreshToken: string | undefined;
}

/**
 * Requests a token.
 *
 * @param refreshToken the last one that the server gave
 */
export type AskForToken = (signal: AbortSignal, refreshToken: string | undefined) => Promise<Token>;

/** Time limit of a token request, in milliseconds, however long its callers would wait. */
const longestRequest = 30_000;

/**
 * The tokens of one runtime. All calls share a valid token, and all that wait for the next one
 * share one request.
 */
class Tokens {
  readonly #kept = new Map<string, CachedToken>();

  /** @param key identifies the token; contains no secret */
  of(key: string): CachedToken {
    let kept = this.#kept.get(key);
    if (kept === undefined) this.#kept.set(key, (kept = new CachedToken()));
    return kept;
  }
}

class CachedToken {
  #token: Token | undefined;
  #refreshToken: string | undefined;
  #asked: PendingToken | undefined;

  /**
   * @param signal ends the wait; the request continues while others wait for it
   * @throws errors of `ask`, and the signal's reason
   */
  async get(ask: AskForToken, signal: AbortSignal, now = Date.now()): Promise<string> {
    const known = this.#token;
    if (known !== undefined && (known.staleAt === undefined || now < known.staleAt))
      return known.value;
    this.#asked ??= this.#ask(ask);
    const { value } = await this.#asked.wait(signal);
    return value;
  }

  /**
   * Drops a rejected token, so that the next call requests a new one. Does nothing if it was
   * replaced already.
   */
  forget(value: string): void {
    if (this.#token?.value === value) this.#token = undefined;
  }

  async #keep(answered: Promise<Token>): Promise<void> {
    const token = await answered.catch(() => undefined);
    if (token === undefined) return;
    this.#token = token;
    this.#refreshToken = token.refreshToken ?? this.#refreshToken;
  }

  #ask(ask: AskForToken): PendingToken {
    const over = () => {
      if (this.#asked === asked) this.#asked = undefined;
    };
    const asked: PendingToken = new PendingToken((signal) => ask(signal, this.#refreshToken), over);
    void this.#keep(asked.answered).finally(over);
    return asked;
  }
}

/** A running request, which is aborted when nobody waits for it any more. */
class PendingToken {
  readonly answered: Promise<Token>;
  readonly #over = new AbortController();
  readonly #abandoned: () => void;
  #waiting = 0;

  /** @param abandoned called before an unneeded request is aborted, so that nobody joins it */
  constructor(ask: (signal: AbortSignal) => Promise<Token>, abandoned: () => void) {
    this.#abandoned = abandoned;
    const limit = AbortSignal.timeout(longestRequest);
    this.answered = ask(AbortSignal.any([this.#over.signal, limit])).catch((error: unknown) => {
      if (limit.aborted) throw new UnreadableAnswer("the token endpoint did not answer in time");
      throw error;
    });
    // Waiting callers get the error; this handler prevents an unhandled rejection.
    this.answered.catch(() => {});
  }

  wait(signal: AbortSignal): Promise<Token> {
    this.#waiting += 1;
    return new Promise<Token>((resolve, reject) => {
      const leave = () => {
        reject(signal.reason);
        this.#waiting -= 1;
        if (this.#waiting > 0) return;
        this.#abandoned();
        this.#over.abort(signal.reason);
      };
      if (signal.aborted) return leave();
      const stopListening = onAborted(signal, leave);
      this.answered.then(resolve, reject).finally(stopListening);
    });
  }
}

/** Tokens by runtime, because a process may have a runtime for each tenant. */
const tokens = new WeakMap<object, Tokens>();

/** The tokens of the runtime that makes a call. */
export function tokensOf(runtime: object): Tokens {
  let own = tokens.get(runtime);
  if (own === undefined) tokens.set(runtime, (own = new Tokens()));
  return own;
}
