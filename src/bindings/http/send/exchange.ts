/**
 * One attempt over HTTP. The steps, with their files:
 *
 * - open the credentials of a `sealed-request.ts`: `openers.ts`, `base-url.ts`
 * - wait for a turn: `traffic.ts`
 * - send the request over shared connections: `connections.ts`
 * - follow redirects: `redirects.ts`
 * - read the response: `answer.ts`, or `early-answer.ts` while it arrives
 * - find the data in the body: `json-path.ts`, `path-steps.ts`; `i-regexp.ts` for patterns in
 *   JSONPath
 * - make errors: `failures.ts`
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

/** The parts of a contract that an exchange needs. */
export interface ExchangeOptions<Body> extends AnswerOptions<Body> {
  readonly maxResponseBytes: number;
  readonly auth: readonly Authenticator[];
  /** Set for a tool that follows accepted work. */
  readonly poll?: PollOptions;
}

/** An address that replaces the request's own. */
export interface Elsewhere {
  /** The address, as a response named it. */
  readonly address: string;
  /** Set for a poll of accepted work. The header with the idempotency key is then left out. */
  readonly poll?: { readonly keyHeader: string | undefined };
}

/**
 * Opens the credentials of a request, sends it, follows redirects and reads the response.
 *
 * @param elsewhere the address of a later page, or of a poll
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

/** Adds the missing slash if `${NAME}` stands alone, or directly before a query. */
function withSlash(request: OpenRequest): OpenRequest {
  return request.path.startsWith("/") ? request : { ...request, path: `/${request.path}` };
}

/**
 * One request on undici's dispatch interface, which avoids the streams of undici's `request`.
 * Settles its promise once.
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
  /** The body, if it is saved or read item by item instead of collected. */
  #incoming: IncomingBody | undefined;
  #redirects = 0;
  #authenticated: Authenticated | undefined;
  #isRefreshed = false;
  /** Outcome of a write, as far as the progress of its request shows. */
  #outcome: WriteOutcome = "not-done";
  #settled = false;
  /** Frees its place among the requests to the origin. */
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
    // Aborted while it waited for a connection. Nothing has been sent, and nothing may be.
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
    // A 304 is complete after its headers. Their length describes the body that isn't sent (RFC
    // 9110, 8.6), and undici would wait for it.
    if (status === 304) return this.onResponseEnd();
    if (Number(headers["content-length"]) > this.#options.maxResponseBytes)
      return this.#failTooLong();
    try {
      this.#begin(controller);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Starts reading the body if its form doesn't need all of it. */
  #begin(controller: Dispatcher.DispatchController): void {
    // Accepted work has no result yet.
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
    // The check before a connection makes its own error.
    const isTold = error instanceof ToolError || error instanceof RefusedValue;
    if (this.#incoming !== undefined)
      return this.#incoming.destroy(isTold ? error : cutError(this.#attempt, this.#target, error));
    if (isTold) return this.#fail(error);
    this.#fail(transportError(this.#attempt, this.#target, error, this.#outcome));
  }

  /** Authenticates each request anew, because a signature covers the path too. */
  #dispatch(): void {
    const { auth } = this.#options;
    if (auth.length === 0) return this.#send(this.#request);
    this.#authenticate(auth).catch((error: unknown) => this.#fail(error));
  }

  async #authenticate(auth: readonly Authenticator[]): Promise<void> {
    this.#authenticated = await authenticated(this.#request, auth, this.#attempt);
    // The attempt may have timed out meanwhile.
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
    // The attempt may have timed out meanwhile.
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

  /** Sends the request again if its credentials may have expired. Returns false otherwise. */
  #refresh(): boolean {
    const before = this.#authenticated;
    if (before === undefined || this.#isRefreshed) return false;
    this.#isRefreshed = true;
    if (isStream(this.#request) || !mayBeRefreshed(before, this.#attempt)) return false;
    // Status 401 means that nothing was done (RFC 9110, 15.5.2).
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

  /** Follows a redirect, if allowed. If the author named the status, it is a result instead. */
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
    // Does nothing if the exchange is over.
    this.#controller?.abort(abandoned);
    this.#letGo();
  }

  /**
   * Destroys a request body that was not read to its end. A server may respond before it has read
   * everything.
   */
  #letGo(): void {
    const { body } = this.#request;
    if (body instanceof Readable) body.destroy();
  }
}

/** True if the body is a stream, which can't be sent a second time. */
function isStream({ body }: OpenRequest): boolean {
  return body instanceof Readable;
}

/** undici requires a reason, but nobody sees it. */
const abandoned = new Error("abandoned");

const maxRedirects = 5;
