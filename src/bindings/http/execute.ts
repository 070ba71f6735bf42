import { randomUUID } from "node:crypto";
import type {
  AnyResult,
  Attempt,
  Binding,
  CallIdentity,
  HttpReach,
  JsonValue,
  AttemptOutcome,
  Paging,
  PollLimits,
  PreparedCall,
} from "../../runtime/executor.js";
import { boundCaller } from "../../runtime/caller.js";
import { withIntegers } from "../../runtime/validation/int64.js";
import { isCredential, isCredentialText, openText } from "../../runtime/values/text.js";
import {
  type HeaderValue,
  type HttpContract,
  type HttpRequest,
  type Pagination,
  type Polling,
  usualResponseBytes,
} from "./contract.js";
import type { Authenticator } from "./send/auth/authenticator.js";
import { acceptOf, type AnswerContent } from "./send/content.js";
import { headersOf } from "./send/answer.js";
import { statusesOf } from "./send/statuses.js";
import { exchange, type ExchangeOptions } from "./send/exchange.js";
import { nextPageOf } from "./send/next-page.js";
import type { AskAt } from "./send/polling.js";
import { placeholder, placeholders, reachOf } from "./send/openers.js";
import type { SealedBody } from "./send/payloads.js";
import { openRequest, type SealedRequest, sealRequest } from "./send/sealed-request.js";

export { credential, text } from "../../runtime/values/text.js";
export { basic } from "./send/auth/basic.js";
export { clientCertificate } from "./send/auth/client-certificate.js";
export { fieldParts, filePart, jsonPart, multipart, textPart } from "./send/multipart.js";
export { form, raw } from "./send/payloads.js";
export { rawFile } from "./send/raw-file.js";
export { segment, segmentOf } from "./send/segments.js";
export { bodyOf } from "./send/statuses.js";
export { styled } from "./send/styles.js";
export { omit, pick } from "../../runtime/values/pick.js";

/**
 * Makes the binding of an HTTP tool.
 *
 * @typeParam Result the tool's result. The contract is data, so only the compiler that wrote both
 * makes sure that its statuses and paths match this type. Without it, the binding fits any tool
 */
export function http<Arguments, Body = unknown, Result extends AnyResult = never>(
  contract: HttpContract<Arguments, Body>,
): Binding<Arguments, Result> {
  const { content, int64, method, idempotencyHeader, paginate, poll } = contract;
  const accept = acceptOf(content);
  const streams = content && streamedBy(content);
  const options: ExchangeOptions<Body> = {
    maxResponseBytes: contract.maxResponseBytes ?? (streams ? Infinity : usualResponseBytes),
    statuses: statusesOf(contract.statuses ?? {}, contract.bodies ?? {}),
    response: contract.response,
    data: contract.data,
    dataPath: contract.dataPath,
    error: contract.error,
    int64,
    headers: contract.answerHeaders,
    content,
    auth: contract.auth ?? [],
  };
  return {
    kind: "http",
    ...(paginate && { paging: pagingOf(paginate) }),
    ...(streams && { streams }),
    ...(content?.as === "file" && { saves: true }),
    ...(poll && { polling: pollLimitsOf(poll) }),
    ...(options.headers && { beside: { headers: headersOf({}, options.headers) } }),
    prepare(args, call) {
      const inBody = int64?.params ? withIntegers(int64.params, args) : args;
      const request = contract.request(args, boundCaller(call), inBody);
      const key = idempotencyHeader === undefined ? undefined : keyOf(request, call);
      const header = key && ([idempotencyHeader ?? "", key.value] as const);
      const paged = paginate ? { ...options, next: nextPageOf(paginate, args) } : options;
      const { page } = call;
      const polled = poll ? { polling: poll, keyHeader: idempotencyHeader } : undefined;
      const address = paginate?.by === "link_header" && page ? String(page.at) : undefined;
      const prepared = new HttpCall(
        paged,
        sealRequest(method, request, accept, header),
        key,
        address,
        polled,
      );
      // Safe for the reason given at `@typeParam Result`.
      return prepared as PreparedCall<AnyResult> as PreparedCall<Result>;
    },
  };
}

function streamedBy({ as }: AnswerContent): Binding<never, never>["streams"] {
  return as === "ndjson" ? "items" : as === "sse" ? "events" : undefined;
}

function pollLimitsOf({ mostPolls = 100, timeoutMs = 60_000 }: Polling): PollLimits {
  return { mostPolls, timeoutMs };
}

function pagingOf<Body>({ asked, by, items = [], more, parameter }: Pagination<Body>): Paging {
  const isToldByData = by === "cursor" || more !== undefined;
  return {
    items,
    next: asked,
    ...(parameter !== undefined && { parameter }),
    ...(isToldByData && { isToldByData }),
  };
}

/** Idempotency key in a call's header. */
interface Key {
  readonly value: HeaderValue;
  /** An author's key is built from the request and belongs to it. Other keys don't. */
  readonly by: "author" | "name" | "chance";
}

/**
 * Returns the call's key.
 *
 * @returns undefined if a parameter in the author's key is absent
 */
function keyOf(request: HttpRequest, { onceKey }: CallIdentity): Key | undefined {
  if (!("idempotencyKey" in request))
    return onceKey === undefined
      ? { value: randomUUID(), by: "chance" }
      : { value: onceKey, by: "name" };
  const { idempotencyKey: value } = request;
  return value === undefined || value === null ? undefined : { value, by: "author" };
}

/** How accepted work is polled. */
interface Polled {
  readonly polling: Polling;
  readonly keyHeader: string | undefined;
}

class HttpCall<Body> implements PreparedCall<AnyResult> {
  readonly #options: ExchangeOptions<Body>;
  readonly #request: SealedRequest;
  readonly #key: Key | undefined;
  readonly #page: string | undefined;
  readonly #polled: Polled | undefined;

  /**
   * @param key value of its last header, if it has one
   * @param page address of a later page
   * @param polled set if the target may accept work before it is done
   */
  constructor(
    options: ExchangeOptions<Body>,
    request: SealedRequest,
    key: Key | undefined,
    page: string | undefined,
    polled: Polled | undefined,
  ) {
    this.#options = options;
    this.#request = request;
    this.#key = key;
    this.#page = page;
    this.#polled = polled;
  }

  get idempotencyKey(): string | undefined {
    const { by, value } = this.#key ?? {};
    if (by !== "author") return undefined;
    return isCredentialText(value) ? openText(value.parts, placeholder) : String(value);
  }

  /** True if a repetition would have the same key. */
  get isRepeatable(): boolean {
    return this.#key !== undefined && this.#key.by !== "chance";
  }

  get credentials(): readonly string[] {
    const { credentials } = this.#request;
    const { auth } = this.#options;
    if (auth.length === 0) return credentials;
    return [...new Set([...credentials, ...auth.flatMap((each) => each.credentials)])];
  }

  get proofs(): readonly string[] {
    const { base } = this.#request.url;
    const { auth } = this.#options;
    const names = this.credentials;
    const all =
      auth.length === 0 ? names : [...names, ...auth.flatMap(({ proofs = [] }) => proofs)];
    return isCredential(base) ? all.filter((name) => name !== base.name) : all;
  }

  reach(open?: (name: string) => string): readonly HttpReach[] {
    const further = this.#options.auth.flatMap((each) => each.reach?.(open) ?? []);
    return [reachOf(this.#request, open), ...further];
  }

  /** Returns an `HttpRecord`. */
  describe(): JsonValue {
    return recordOf(this.#request, this.#options.auth);
  }

  /** Leaves out a key that doesn't identify the request. */
  fingerprint(): JsonValue {
    const { headers, ...request } = this.#request;
    const isOwn = this.#key === undefined || this.#key.by === "author";
    return recordOf(
      { ...request, headers: isOwn ? headers : headers.slice(0, -2) },
      this.#options.auth,
      (body) => (body.identify ? body.identify(placeholders.inBody) : shownBody(body)),
    );
  }

  get isSpent(): boolean {
    return this.#request.body?.isSpent === true;
  }

  send(attempt: Attempt): Promise<AttemptOutcome<AnyResult>> {
    if (this.#polled !== undefined) return this.#follow(this.#polled, undefined, attempt);
    const page = this.#page;
    return exchange(
      this.#options,
      this.#request,
      attempt,
      page === undefined ? page : { address: page },
    );
  }

  get follow(): PreparedCall<AnyResult>["follow"] {
    const polled = this.#polled;
    return polled && ((address, attempt) => this.#follow(polled, address, attempt));
  }

  #follow(
    polled: Polled,
    address: string | undefined,
    attempt: Attempt,
  ): Promise<AttemptOutcome<AnyResult>> {
    const { keyHeader, polling } = polled;
    const ask: AskAt = (next, later) => this.#follow(polled, next, later);
    const elsewhere = address === undefined ? undefined : { address, poll: { keyHeader } };
    const options = { ...this.#options, poll: { polling, ask, address } };
    return exchange(options, this.#request, attempt, elsewhere);
  }
}

function shownBody(body: SealedBody): JsonValue {
  return body.describe(placeholders.inBody);
}

function recordOf(
  request: SealedRequest,
  auth: readonly Authenticator[],
  ofBody: (body: SealedBody) => JsonValue = shownBody,
): JsonValue {
  const { body } = request;
  const { method, origin, path, headers } = openRequest(
    { ...request, body: undefined },
    placeholders,
  );
  const all = [...headers, ...auth.flatMap(({ shown = [] }) => shown)];
  const pairs = all.flatMap((name, at) => (at % 2 === 0 ? [[name, all[at + 1] ?? ""]] : []));
  return {
    method,
    url: `${origin}${path}`,
    headers: Object.fromEntries(pairs),
    ...(body === undefined ? {} : { body: ofBody(body) }),
  };
}
