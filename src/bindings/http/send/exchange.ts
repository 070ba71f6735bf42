/**
 * One attempt over HTTP: opens the credentials of a `sealed-request.ts` (through `openers.ts` and
 * `base-url.ts`), waits for its turn (`traffic.ts`), sends it over shared `connections.ts`, follows
 * `redirects.ts`, and has `answer.ts` read what came back, or `early-answer.ts` while it comes.
 * `failures.ts` makes the errors. `json-path.ts` and `path-steps.ts`
 * find the data in a body; `i-regexp.ts` is the pattern language in JSONPath.
 */
import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import {
  type AnyResult,
  type Attempt,
  codingsOf,
  decompress,
  type AttemptOutcome,
  RefusedValue,
  ToolError,
  UnreadableAnswer,
  withOutcome,
  type WriteOutcome,
} from "../../../runtime/executor.js";
import { isCredential } from "../../../runtime/values/text.js";
import { type Answer, type AnswerOptions, readAnswer, single } from "./answer.js";
import { type Authenticated, authenticated, mayBeRefreshed } from "./auth/authenticate.js";
import type { Authenticator } from "./auth/authenticator.js";
import { CollectedBody } from "../../../kit/run/collected-body.js";
import { dispatcherFor } from "./connections.js";
import { beginEarly } from "./early-answer.js";
import { cutError, protocolError, throttledError, transportError } from "./failures.js";
import type { IncomingBody } from "./incoming-body.js";
import { AttemptOpener, openReachOf, placeholder } from "./openers.js";
import { requestOfPage } from "./next-page.js";
import type { OpenRequest } from "./open-request.js";
import { isRedirect, redirected } from "./redirects.js";
import { heard, placeFor } from "./traffic.js";
import { type PollOptions, pollRequest, readPolled } from "./polling.js";
import { openRequest, type SealedRequest } from "./sealed-request.js";

/** What an exchange needs to know of its tool. */
export interface ExchangeOptions<Body> extends AnswerOptions<Body> {
  readonly maxResponseBytes: number;
  readonly auth: readonly Authenticator[];
  /** Of a tool that follows what was accepted. */
  readonly poll?: PollOptions;
}

/** Where a request goes in place of its own address. */
export interface Elsewhere {
  /** What an answer named. */
  readonly address: string;
  /** Set when it only asks how far accepted work is; the header of its key is left out then. */
  readonly poll?: { readonly keyHeader: string | undefined };
}

/**
 * Opens the credentials of a request, sends it and reads the answer, following redirects.
 *
 * @param elsewhere a later page, or where accepted work is asked for
 */
export function exchange<Body>(
  options: ExchangeOptions<Body>,
  sealed: SealedRequest,
  attempt: Attempt,
  elsewhere?: Elsewhere,
): Promise<AttemptOutcome<AnyResult>> {
  return new Promise((resolve, reject) => {
    const first = withSlash(openRequest(sealed, new AttemptOpener(attempt)));
    const request = elsewhere === undefined ? first : requestAt(elsewhere, first, sealed, attempt);
    const { base } = sealed.url;
    const target = isCredential(base) ? placeholder(base) : base.origin;
    new Exchange(options, request, target, attempt, resolve, reject).start();
  });
}

function requestAt(
  { address, poll }: Elsewhere,
  first: OpenRequest,
  { querySecrets }: SealedRequest,
  attempt: Attempt,
): OpenRequest {
  const request = poll === undefined ? first : pollRequest(first, poll.keyHeader);
  return requestOfPage(request, address, querySecrets, attempt);
}

/** `${NAME}` alone, or with a query right after it, has no path of its own. */
function withSlash(request: OpenRequest): OpenRequest {
  return request.path.startsWith("/") ? request : { ...request, path: `/${request.path}` };
}

/**
 * One request on undici's dispatch interface, without the streams that its `request` makes. Settles
 * its promise once.
 */
class Exchange<Body> implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions<Body>;
  readonly #target: string;
  readonly #attempt: Attempt;
  readonly #resolve: (outcome: AttemptOutcome<AnyResult>) => void;
  readonly #reject: (error: unknown) => void;
  #request: OpenRequest;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #body = new CollectedBody();
  /** Of a body that is not collected: it is saved, or given item by item. */
  #incoming: IncomingBody | undefined;
  #redirects = 0;
  #authenticated: Authenticated | undefined;
  #isRefreshed = false;
  /** What is known of a write from how far its request got. */
  #outcome: WriteOutcome = "not-done";
  #settled = false;
  /** Gives back its place among the requests to the origin. */
  #leave: (() => void) | undefined;

  constructor(
    options: ExchangeOptions<Body>,
    request: OpenRequest,
    target: string,
    attempt: Attempt,
    resolve: (outcome: AttemptOutcome<AnyResult>) => void,
    reject: (error: unknown) => void,
  ) {
    this.#options = options;
    this.#request = request;
    this.#target = target;
    this.#attempt = attempt;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  start(): void {
    this.#attempt.onAbort((reason) => {
      this.#fail(reason);
      return this.#outcome;
    });
    if (!this.#settled) this.#dispatch();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Aborted while it waited for a connection: nothing has been sent, and nothing may be.
    if (this.#settled) return controller.abort(abandoned);
    this.#controller = controller;
    try {
      this.#attempt.requireTurn?.();
    } catch (error) {
      return this.#fail(error instanceof ToolError ? withOutcome(error, this.#outcome) : error);
    }
    this.#outcome = "unknown";
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    heard(this.#request.origin, status, headers, this.#attempt);
    // Whole with its headers: their length is that of what isn't sent (RFC 9110, 8.6), which undici
    // would miss.
    if (status === 304) return this.onResponseEnd();
    if (Number(headers["content-length"]) > this.#options.maxResponseBytes)
      return this.#failTooLong();
    try {
      this.#begin(controller);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Has what doesn't wait for the whole body take it. */
  #begin(controller: Dispatcher.DispatchController): void {
    // Work that was accepted has no answer yet.
    if (this.#options.poll !== undefined && this.#status === 202) return;
    const head = { status: this.#status, headers: this.#headers, controller };
    const early = beginEarly(this.#options, head, this.#attempt);
    if (early === undefined) return;
    this.#incoming = early.body;
    if (!(early.outcome instanceof Promise)) return this.#succeed(early.outcome);
    early.outcome.then(
      (outcome) => this.#succeed(outcome),
      (error: unknown) => this.#fail(error),
    );
  }

  #succeed(outcome: AttemptOutcome<AnyResult>): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#resolve(outcome);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#incoming !== undefined) return this.#incoming.take(chunk);
    if (this.#body.size + chunk.length > this.#options.maxResponseBytes) return this.#failTooLong();
    this.#body.add(chunk);
  }

  onResponseEnd(): void {
    this.#left();
    if (this.#incoming !== undefined) return this.#incoming.end();
    if (this.#settled) return;
    try {
      if (isRedirect(this.#status) && this.#follow()) return;
      if (this.#status === 401 && this.#refresh()) return;
      const codings = codingsOf(single(this.#headers["content-encoding"]));
      if (codings === undefined || this.#body.size === 0) this.#finish(this.#body.bytes());
      else this.#decode(codings);
    } catch (error) {
      this.#fail(error);
    }
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#left();
    // What looked at the connection before it was made has its own word.
    const isTold = error instanceof ToolError || error instanceof RefusedValue;
    if (this.#incoming !== undefined)
      return this.#incoming.destroy(isTold ? error : cutError(this.#attempt, this.#target, error));
    if (isTold) return this.#fail(error);
    this.#fail(transportError(this.#attempt, this.#target, error, this.#outcome));
  }

  /** What proves who asks is made anew for each request: a signature is of its path, too. */
  #dispatch(): void {
    const { auth } = this.#options;
    if (auth.length === 0) return this.#send(this.#request);
    this.#authenticate(auth).catch((error: unknown) => this.#fail(error));
  }

  async #authenticate(auth: readonly Authenticator[]): Promise<void> {
    this.#authenticated = await authenticated(this.#request, auth, this.#attempt);
    // Its time may have run out meanwhile.
    if (!this.#settled) this.#send(this.#authenticated.request);
  }

  #send(request: OpenRequest): void {
    const waiting = placeFor(request.origin, this.#attempt);
    if (waiting === undefined) return this.#sendNow(request);
    this.#sendLater(request, waiting).catch((error: unknown) => {
      this.#fail(throttledError(this.#attempt, this.#target, error, this.#outcome));
    });
  }

  async #sendLater(request: OpenRequest, place: Promise<() => void>): Promise<void> {
    this.#leave = await place;
    // Its time may have run out meanwhile.
    if (this.#settled) this.#left();
    else this.#sendNow(request);
  }

  #sendNow({ origin, path, method, headers, body }: OpenRequest): void {
    // undici reads header lists and never writes to them.
    const flat = headers as string[];
    dispatcherFor(this.#options.auth, this.#attempt).dispatch(
      { origin, path, method, headers: flat, body: body ?? null },
      this,
    );
  }

  #left(): void {
    const leave = this.#leave;
    this.#leave = undefined;
    leave?.();
  }

  /** Whether the request goes out once more, as what it proved itself by may be out of date. */
  #refresh(): boolean {
    const before = this.#authenticated;
    if (before === undefined || this.#isRefreshed) return false;
    this.#isRefreshed = true;
    if (isStream(this.#request) || !mayBeRefreshed(before, this.#attempt)) return false;
    // By its status (RFC 9110, 15.5.2), nothing was done.
    this.#outcome = "not-done";
    this.#again(this.#request);
    return true;
  }

  #again(request: OpenRequest): void {
    this.#request = request;
    this.#body = new CollectedBody();
    this.#controller = undefined;
    this.#dispatch();
  }

  /** Whether the redirect is followed. A status that the author named is an answer. */
  #follow(): boolean {
    if (this.#options.statuses.isNamed(this.#status)) return false;
    const next = redirected(this.#request, this.#status, single(this.#headers.location));
    if (next === undefined || isStream(next)) return false;
    this.#redirects += 1;
    if (this.#redirects > maxRedirects) {
      throw protocolError(this.#attempt, `more than ${maxRedirects} redirects`);
    }
    this.#attempt.hooks.redirecting?.(openReachOf(next));
    this.#again(next);
    return true;
  }

  #decode(codings: readonly string[]): void {
    decompress(this.#body.bytes(), codings, this.#options.maxResponseBytes)
      .then((body) => this.#finish(body))
      .catch((error: unknown) => {
        const unreadable = error instanceof UnreadableAnswer;
        this.#fail(unreadable ? protocolError(this.#attempt, error.message) : error);
      });
  }

  #finish(body: Uint8Array): void {
    if (this.#settled) return;
    const answer: Answer = {
      status: this.#status,
      request: this.#request,
      headers: this.#headers,
      body,
    };
    const { poll } = this.#options;
    const outcome =
      poll === undefined
        ? readAnswer(this.#options, answer, this.#attempt)
        : readPolled(this.#options, poll, answer, this.#attempt);
    this.#settled = true;
    this.#resolve(outcome);
    this.#letGo();
  }

  #failTooLong(): void {
    const { message } = UnreadableAnswer.tooLong(this.#options.maxResponseBytes);
    this.#fail(protocolError(this.#attempt, message));
  }

  #fail(error: unknown): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#left();
    this.#reject(error);
    this.#incoming?.destroy();
    // No more than a no-op when the exchange is over.
    this.#controller?.abort(abandoned);
    this.#letGo();
  }

  /** Of a stream that is not at its end: a server may answer before it has read all. */
  #letGo(): void {
    const { body } = this.#request;
    if (body instanceof Readable) body.destroy();
  }
}

/** Its body is read once, and can't be sent a second time. */
function isStream({ body }: OpenRequest): boolean {
  return body instanceof Readable;
}

/** undici wants a reason; no one sees it. */
const abandoned = new Error("abandoned");

const maxRedirects = 5;
