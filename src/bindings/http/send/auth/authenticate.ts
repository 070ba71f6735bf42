import type { Attempt } from "../../../../runtime/executor.js";
import type { OpenRequest } from "../open-request.js";
import type { Authenticator } from "./authenticator.js";

/** A request with what its authenticators add, and what each of them gave. */
export interface Authenticated {
  readonly request: OpenRequest;
  readonly sent: ReadonlyMap<Authenticator, readonly string[]>;
}

/** Adds what the authenticators give, one after another: the last may sign what the others added. */
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

/** After a 401: whether any of them has something else to send. */
export function mayBeRefreshed({ sent }: Authenticated, attempt: Attempt): boolean {
  return [...sent]
    .map(([each, headers]) => each.refused?.(attempt, headers) ?? false)
    .includes(true);
}
