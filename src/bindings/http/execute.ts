import { randomUUID } from "node:crypto";
import type {
  AnyResult,
  Attempt,
  Binding,
  HttpReach,
  JsonValue,
  AttemptOutcome,
  PreparedCall,
} from "../../runtime/executor.js";
import { boundCaller } from "../../runtime/caller.js";
import { isCredential } from "../../runtime/values/text.js";
import { type HttpContract, usualResponseBytes } from "./contract.js";
import { statusNames } from "./send/answer.js";
import { exchange, type ExchangePlan } from "./send/exchange.js";
import { placeholders, reachOf } from "./send/openers.js";
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
      const idempotency =
        idempotencyHeader === undefined ? undefined : ([idempotencyHeader, randomUUID()] as const);
      const request = contract.request(args, boundCaller(call));
      const prepared = new HttpCall(plan, sealRequest(method, request, idempotency));
      // See `Result`.
      return prepared as PreparedCall<AnyResult> as PreparedCall<Result>;
    },
  };
}

class HttpCall<Body> implements PreparedCall<AnyResult> {
  readonly #plan: ExchangePlan<Body>;
  readonly #request: SealedRequest;

  constructor(plan: ExchangePlan<Body>, request: SealedRequest) {
    this.#plan = plan;
    this.#request = request;
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
    const { method, origin, path, headers, body } = openRequest(this.#request, placeholders);
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

  send(attempt: Attempt): Promise<AttemptOutcome<AnyResult>> {
    return exchange(this.#plan, this.#request, attempt);
  }
}
