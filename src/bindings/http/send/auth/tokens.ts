import { onAborted } from "../../../../runtime/on-aborted.js";
import { UnreadableAnswer } from "../../../../runtime/executor.js";

/** What a token endpoint gave. */
export interface Token {
  readonly value: string;
  /** Milliseconds since 1970 from which on another is asked for; undefined where nobody said. */
  readonly staleAt: number | undefined;
  /** The refresh token that takes the place of the one it was got by. */
  readonly refreshToken: string | undefined;
}

/** Asks for a token. @param refreshToken the last one that was given */
export type AskForToken = (signal: AbortSignal, refreshToken: string | undefined) => Promise<Token>;

/** Milliseconds that a token endpoint may take, however long its callers would wait. */
const longestRequest = 30_000;

/**
 * The tokens of one runtime. A token that is fresh serves every call; one request is made for all
 * who wait for the next.
 */
class Tokens {
  readonly #kept = new Map<string, KeptToken>();

  /** @param key whose token it is: without a secret in it */
  of(key: string): KeptToken {
    let kept = this.#kept.get(key);
    if (kept === undefined) this.#kept.set(key, (kept = new KeptToken()));
    return kept;
  }
}

class KeptToken {
  #token: Token | undefined;
  #refreshToken: string | undefined;
  #asked: Asked | undefined;

  /**
   * @param signal ends the wait; the request goes on while somebody else waits for it
   * @throws what `ask` throws, and the signal's reason
   */
  async get(ask: AskForToken, signal: AbortSignal, now = Date.now()): Promise<string> {
    const known = this.#token;
    if (known !== undefined && (known.staleAt === undefined || now < known.staleAt))
      return known.value;
    this.#asked ??= this.#ask(ask);
    const { value } = await this.#asked.wait(signal);
    return value;
  }

  /** A token was refused: unless another took its place since, the next call asks for one. */
  forget(value: string): void {
    if (this.#token?.value === value) this.#token = undefined;
  }

  async #keep(answered: Promise<Token>): Promise<void> {
    const token = await answered.catch(() => undefined);
    if (token === undefined) return;
    this.#token = token;
    this.#refreshToken = token.refreshToken ?? this.#refreshToken;
  }

  #ask(ask: AskForToken): Asked {
    const over = () => {
      if (this.#asked === asked) this.#asked = undefined;
    };
    const asked: Asked = new Asked((signal) => ask(signal, this.#refreshToken), over);
    void this.#keep(asked.answered).finally(over);
    return asked;
  }
}

/** A request that is under way, and ends when nobody waits for it. */
class Asked {
  readonly answered: Promise<Token>;
  readonly #over = new AbortController();
  readonly #abandoned: () => void;
  #waiting = 0;

  /** @param abandoned told before a request ends that nobody waits for: nobody else may then */
  constructor(ask: (signal: AbortSignal) => Promise<Token>, abandoned: () => void) {
    this.#abandoned = abandoned;
    const limit = AbortSignal.timeout(longestRequest);
    this.answered = ask(AbortSignal.any([this.#over.signal, limit])).catch((error: unknown) => {
      if (limit.aborted) throw new UnreadableAnswer("the token endpoint did not answer in time");
      throw error;
    });
    // Whoever waits hears of it.
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

/** By runtime: a process may have one for each tenant. */
const tokens = new WeakMap<object, Tokens>();

/** The tokens of the runtime that makes a call. */
export function tokensOf(runtime: object): Tokens {
  let own = tokens.get(runtime);
  if (own === undefined) tokens.set(runtime, (own = new Tokens()));
  return own;
}
