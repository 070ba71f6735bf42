import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import {
  type AnyResult,
  type Attempt,
  codingsOf,
  decompress,
  type Outcome,
  ToolError,
  UnreadableAnswer,
  type WriteOutcome,
} from "../../../runtime/sink.js";
import { type Answer, type AnswerPlan, readAnswer } from "./answer.js";
import { CollectedBody } from "./collected-body.js";
import { connections } from "./connections.js";
import { protocolError, transportError } from "./failures.js";
import { AttemptOpener, placeholder } from "./openers.js";
import { isCredential } from "../../../runtime/values/text.js";
import { isRedirect, mostRedirects, redirected } from "./redirect.js";
import { openReachOf } from "./reach.js";
import { type OpenRequest, openRequest, type SealedRequest } from "./sealed-request.js";

/** What an exchange needs to know of its tool. */
export interface ExchangePlan<Body> extends AnswerPlan<Body> {
  readonly maxResponseBytes: number;
}

/** Opens the credentials of a request, sends it and reads the answer, following redirects. */
export function exchange<Body>(
  plan: ExchangePlan<Body>,
  sealed: SealedRequest,
  attempt: Attempt,
): Promise<Outcome<AnyResult>> {
  return new Promise((resolve, reject) => {
    const request = withSlash(openRequest(sealed, new AttemptOpener(attempt)));
    const { base } = sealed.url;
    const target = isCredential(base) ? placeholder(base) : base.origin;
    new Exchange(plan, request, target, attempt, resolve, reject).start();
  });
}

/** `${NAME}` alone, or with a query right after it, has no path of its own. */
function withSlash(request: OpenRequest): OpenRequest {
  return request.path.startsWith("/") ? request : { ...request, path: `/${request.path}` };
}

/** One request on undici's dispatch interface, without the streams that its `request` makes. Settles its promise once. */
class Exchange<Body> implements Dispatcher.DispatchHandler {
  readonly #plan: ExchangePlan<Body>;
  readonly #target: string;
  readonly #attempt: Attempt;
  readonly #resolve: (outcome: Outcome<AnyResult>) => void;
  readonly #reject: (error: unknown) => void;
  #request: OpenRequest;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #body = new CollectedBody();
  #redirects = 0;
  /** What is known of a write from how far its request got. */
  #outcome: WriteOutcome = "not-done";
  #settled = false;

  constructor(
    plan: ExchangePlan<Body>,
    request: OpenRequest,
    target: string,
    attempt: Attempt,
    resolve: (outcome: Outcome<AnyResult>) => void,
    reject: (error: unknown) => void,
  ) {
    this.#plan = plan;
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
    this.#outcome = "unknown";
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (Number(headers["content-length"]) > this.#plan.maxResponseBytes) this.#failTooLong();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#body.size + chunk.length > this.#plan.maxResponseBytes) return this.#failTooLong();
    this.#body.add(chunk);
  }

  onResponseEnd(): void {
    if (this.#settled) return;
    try {
      if (isRedirect(this.#status) && this.#follow()) return;
      const codings = codingsOf(single(this.#headers["content-encoding"]));
      if (codings === undefined || this.#body.size === 0) this.#finish(this.#body.bytes());
      else this.#decode(codings);
    } catch (error) {
      this.#fail(error);
    }
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    // What looked at the connection before it was made has its own word.
    if (error instanceof ToolError) return this.#fail(error);
    this.#fail(transportError(this.#attempt, this.#target, error, this.#outcome));
  }

  #dispatch(): void {
    const { origin, path, method, headers, body } = this.#request;
    // undici reads header lists and never writes to them.
    const flat = headers as string[];
    connections(this.#attempt.hooks.connecting).dispatch(
      { origin, path, method, headers: flat, body: body ?? null },
      this,
    );
  }

  /** Whether the redirect is followed. A status that the author named is an answer. */
  #follow(): boolean {
    if (this.#plan.names.byCode.has(this.#status)) return false;
    const next = redirected(this.#request, this.#status, single(this.#headers.location));
    if (next === undefined) return false;
    this.#redirects += 1;
    if (this.#redirects > mostRedirects) {
      throw protocolError(this.#attempt, `more than ${mostRedirects} redirects`);
    }
    this.#attempt.hooks.redirecting?.(openReachOf(next));
    this.#request = next;
    this.#body = new CollectedBody();
    this.#controller = undefined;
    this.#dispatch();
    return true;
  }

  #decode(codings: readonly string[]): void {
    decompress(this.#body.bytes(), codings, this.#plan.maxResponseBytes)
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
      contentType: single(this.#headers["content-type"]),
      retryAfter: single(this.#headers["retry-after"]),
      body,
    };
    const outcome = readAnswer(this.#plan, answer, this.#attempt);
    this.#settled = true;
    this.#resolve(outcome);
  }

  #failTooLong(): void {
    const { message } = UnreadableAnswer.tooLong(this.#plan.maxResponseBytes);
    this.#fail(protocolError(this.#attempt, message));
  }

  #fail(error: unknown): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#reject(error);
    // No more than a no-op when the exchange is over.
    this.#controller?.abort(abandoned);
  }
}

/** undici wants a reason; no one sees it. */
const abandoned = new Error("abandoned");

/** A header that came more than once is a list, whose members commas part as well (RFC 9110, 5.3). */
function single(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === "string" || header === undefined ? header : header.join(", ");
}
