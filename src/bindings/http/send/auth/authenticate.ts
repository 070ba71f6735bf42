import type { Attempt } from "../../../../runtime/executor.js";
import type { OpenRequest } from "../open-request.js";
import type { Authenticator } from "./authenticator.js";

/** A request with the headers of its authenticators, and the headers that each of them added. */
export interface Authenticated {
  readonly request: OpenRequest;
  readonly sent: ReadonlyMap<Authenticator, readonly string[]>;
}

/** Applies the authenticators in order; the last may sign headers of the others. */
export async function authenticated(
  request: OpenRequest,
  by: readonly Authenticator[],
  attempt: Attempt,
): Promise<Authenticated> {
  const sent = new Map<Authenticator, readonly string[]>();
  let whole = request;
  for (const each of by) {
    const headers = (await each.headers?.(whole, attempt)) ?? [];
    sent.set(each, headers);
    whole = { ...whole, headers: [...whole.headers, ...headers] };
  }
  return { request: whole, sent };
}

/** True if an authenticator may succeed with other headers after a 401. */
export function mayBeRefreshed({ sent }: Authenticated, attempt: Attempt): boolean {
  return [...sent]
    .map(([each, headers]) => each.refused?.(attempt, headers) ?? false)
    .includes(true);
}
