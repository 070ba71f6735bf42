/** Waits for the decision about a request for approval. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { pause } from "../../call/retry.js";
import type { GovernanceStore, StoredRequest } from "../../governance/store/store.js";
import type { Awaited } from "../own-tools/awaited.js";
import { failedResult, valueResult } from "../own-result.js";
import { ownerDigest } from "../owner.js";
import type { Connection } from "../served.js";

/** Maximum time of one wait, in milliseconds. */
const longestWaitMs = 25_000;
/** First and longest delay before the store is asked again, in milliseconds. */
const firstDelayMs = 20;
const longestDelayMs = 1000;

/** Decisions, by the ids of requests for approval. */
export const decisions: Awaited = {
  form: /^[\w-]{43}$/,
  await: (connection, id, signal) => awaitDecision(connection, id, { signal }),
};

/** Limits of a wait. */
interface WaitOptions {
  readonly signal: AbortSignal;
  /** Time to wait, in milliseconds. */
  readonly withinMs?: number;
}

/**
 * Waits for the decision about a request. It makes no call.
 *
 * @returns undefined if the request is unknown, has expired, or is another caller's
 */
export async function awaitDecision(
  connection: Connection,
  id: string,
  { signal, withinMs = longestWaitMs }: WaitOptions,
): Promise<CallToolResult | undefined> {
  const { client, served } = connection;
  const { store } = served.runtime.governance ?? {};
  if (store === undefined) return undefined;
  const { subject, tenant } = client.caller;
  const isOwn = (request: StoredRequest): boolean =>
    request.subject === subject && request.tenant === tenant;
  try {
    let found = await store.readRequest(id);
    if (found === undefined || !isOwn(found)) return undefined;
    if (found.state === "pending") {
      const wait = (): Promise<void> => untilDecided(store, id, { signal, withinMs });
      await served.waits(ownerDigest(client.caller), wait);
      found = await store.readRequest(id);
    }
    return found && decisionResult(found);
  } catch (error) {
    served.onError(error);
    return failedResult("UNKNOWN.INTERNAL", "the decision can't be read now");
  }
}

async function untilDecided(
  store: GovernanceStore,
  id: string,
  { signal, withinMs }: Required<WaitOptions>,
): Promise<void> {
  const until = performance.now() + withinMs;
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(2 * delayMs, longestDelayMs)) {
    const leftMs = until - performance.now();
    if (leftMs <= 0 || signal.aborted) return;
    await pause(Math.min(delayMs, leftMs), signal).catch(() => undefined);
    if ((await store.readRequest(id))?.state !== "pending") return;
  }
}

function decisionResult({ decision, state }: StoredRequest): CallToolResult {
  const note = state === "denied" ? decision?.note : undefined;
  return valueResult({ status: state, ...(note !== undefined && { note }), message: words[state] });
}

const words: { readonly [State in StoredRequest["state"]]: string } = {
  approved: "repeat the call unchanged now",
  denied: "a person denied this call; do not repeat it",
  pending: "nobody has decided yet",
};
