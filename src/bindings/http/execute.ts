import { randomUUID } from "node:crypto";
import type {
  AnyResult,
  Attempt,
  Binding,
  CallIdentity,
  HttpReach,
  JsonValue,
  AttemptOutcome,
  PreparedCall,
} from "../../runtime/executor.js";
import { boundCaller } from "../../runtime/caller.js";
import { isCredential, isCredentialText, openText } from "../../runtime/values/text.js";
import {
  type HeaderValue,
  type HttpContract,
  type HttpRequest,
  usualResponseBytes,
} from "./contract.js";
import { statusNames } from "./send/answer.js";
import { exchange, type ExchangePlan } from "./send/exchange.js";
import { placeholder, placeholders, reachOf } from "./send/openers.js";
import { openRequest, type SealedRequest, sealRequest } from "./send/sealed-request.js";

export { credential, text } from "../../runtime/values/text.js";
export { segment, segmentOf } from "./send/segments.js";
export { omit, pick } from "../../runtime/values/pick.js";

/**
 * The binding of an HTTP tool.
 *
 * @typeParam Result the tool's result. The contract is data, so nothing ties its statuses and paths
 * to this type but the compiler that wrote both; left out, the binding fits any tool.
 */
export function http<Arguments, Body = unknown, Result extends AnyResult = never>(
  contract: HttpContract<Arguments, Body>,
): Binding<Arguments, Result> {
  const { method, idempotencyHeader } = contract;
  const plan: ExchangePlan<Body> = {
    maxResponseBytes: contract.maxResponseBytes ?? usualResponseBytes,
    names: statusNames(contract.statuses ?? {}),
    response: contract.response,
    data: contract.data,
    dataPath: contract.dataPath,
    error: contract.error,
  };
  return {
    kind: "http",
    prepare(args, call) {
      const request = contract.request(args, boundCaller(call));
      const key = idempotencyHeader === undefined ? undefined : keyOf(request, call);
      const header = key && ([idempotencyHeader ?? "", key.value] as const);
      const prepared = new HttpCall(plan, sealRequest(method, request, header), key);
      // See `Result`.
      return prepared as PreparedCall<AnyResult> as PreparedCall<Result>;
    },
  };
}

/** The key that a call's header carries. */
interface Key {
  readonly value: HeaderValue;
  /** The author's is made of the request, and is a part of it; the others say nothing of it. */
  readonly by: "author" | "name" | "chance";
}

/** @returns undefined where the author's key is of a parameter that is not there */
function keyOf(request: HttpRequest, { onceKey }: CallIdentity): Key | undefined {
  if (!("idempotencyKey" in request))
    return onceKey === undefined
      ? { value: randomUUID(), by: "chance" }
      : { value: onceKey, by: "name" };
  const { idempotencyKey: value } = request;
  return value === undefined || value === null ? undefined : { value, by: "author" };
}

class HttpCall<Body> implements PreparedCall<AnyResult> {
  readonly #plan: ExchangePlan<Body>;
  readonly #request: SealedRequest;
  readonly #key: Key | undefined;

  /** @param key the value of its last header, where it has one */
  constructor(plan: ExchangePlan<Body>, request: SealedRequest, key: Key | undefined) {
    this.#plan = plan;
    this.#request = request;
    this.#key = key;
  }

  get idempotencyKey(): string | undefined {
    const { by, value } = this.#key ?? {};
    if (by !== "author") return undefined;
    return isCredentialText(value) ? openText(value.parts, placeholder) : String(value);
  }

  /** A repeated call has the same key. */
  get isRepeatable(): boolean {
    return this.#key !== undefined && this.#key.by !== "chance";
  }

  get credentials(): readonly string[] {
    return this.#request.credentials;
  }

  get proofs(): readonly string[] {
    const { credentials, url } = this.#request;
    const { base } = url;
    return isCredential(base) ? credentials.filter((name) => name !== base.name) : credentials;
  }

  reach(open?: (name: string) => string): readonly HttpReach[] {
    return [reachOf(this.#request, open)];
  }

  /** An `HttpRecord`. */
  describe(): JsonValue {
    return recordOf(this.#request);
  }

  /** Without a key that says nothing of what is asked for. */
  fingerprint(): JsonValue {
    const { headers, ...request } = this.#request;
    const isOwn = this.#key === undefined || this.#key.by === "author";
    return recordOf({ ...request, headers: isOwn ? headers : headers.slice(0, -2) });
  }

  send(attempt: Attempt): Promise<AttemptOutcome<AnyResult>> {
    return exchange(this.#plan, this.#request, attempt);
  }
}

function recordOf(request: SealedRequest): JsonValue {
  const { method, origin, path, headers, body } = openRequest(request, placeholders);
  const pairs = headers.flatMap((name, at) =>
    at % 2 === 0 ? [[name, headers[at + 1] ?? ""]] : [],
  );
  return {
    method,
    url: `${origin}${path}`,
    headers: Object.fromEntries(pairs),
    // `openRequest` wrote it.
    ...(body === undefined ? {} : { body: JSON.parse(body) as JsonValue }),
  };
}
