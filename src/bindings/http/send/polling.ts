/**
 * Work that a server accepted with 202: reads its responses, and makes the polls. The call path
 * decides how long to wait (`poll.ts`).
 */
import { requestedPauseMs } from "../../../runtime/http/requested-pause.js";
import {
  type Accepted,
  type AnyResult,
  type Attempt,
  type AttemptOutcome,
  retryAfterMs,
} from "../../../runtime/executor.js";
import { type Polling, usualIntervalMs } from "../contract.js";
import {
  type Answer,
  type AnswerOptions,
  contentTypeOf,
  failedWork,
  parseErrorBody,
  readAnswer,
  single,
  worthRetrying,
} from "./answer.js";
import { protocolError } from "./failures.js";
import type { OpenRequest } from "./open-request.js";
import { sameOriginUrl } from "./same-origin.js";

/** Sends a poll to an address at the request's origin. */
export type AskAt = (address: string, attempt: Attempt) => Promise<AttemptOutcome<AnyResult>>;

/** How to read the responses of one request. */
export interface PollOptions {
  readonly polling: Polling;
  readonly ask: AskAt;
  /** Address of the poll; undefined for the request itself. */
  readonly address: string | undefined;
}

/**
 * @throws ToolError for an address that is invalid or of another origin; the work continues there
 */
export function readPolled<Body>(
  options: AnswerOptions<Body>,
  poll: PollOptions,
  answer: Answer,
  attempt: Attempt,
): AttemptOutcome<AnyResult> {
  const { address, polling } = poll;
  const { status } = answer;
  const isPoll = address !== undefined;
  if (status === 202)
    return later(poll, answer, addressIn(polling, answer, attempt) ?? address, attempt);
  if (!isPoll) return readAnswer(options, answer, attempt);
  if (worthRetrying.has(status)) return later(poll, answer, address, attempt);
  if (status < 200 || status > 299) {
    const { result } = readAnswer(options, answer, attempt);
    // A failed poll says nothing about the work itself.
    return { result, outcome: "unknown" };
  }
  if (polling.state === undefined) return readAnswer(options, answer, attempt);
  const state = polling.state(bodyOf(answer));
  const isIn = (states: readonly string[] = []) => states.some((each) => each === String(state));
  if (isIn(polling.done)) return readAnswer(options, answer, attempt);
  if (isIn(polling.failed)) return failedWork(options, answer, attempt);
  return later(poll, answer, address, attempt);
}

function later(
  { ask, polling }: PollOptions,
  answer: Answer,
  address: string | undefined,
  attempt: Attempt,
): AttemptOutcome<AnyResult> {
  if (address === undefined)
    throw protocolError(
      attempt,
      "the service accepted the work, but the response has no address to poll",
    );
  const accepted: Accepted<AnyResult> = {
    at: shownAddress(address),
    address,
    waitMs: Math.max(polling.intervalMs ?? usualIntervalMs, requestedWaitMs(answer)),
    ask: (next) => ask(address, next),
  };
  return { result: { status: "accepted" }, accepted };
}

function requestedWaitMs({ headers, status }: Answer): number {
  const now = Date.now();
  return Math.max(
    retryAfterMs(single(headers["retry-after"]), now) ?? 0,
    requestedPauseMs(status, headers, now) ?? 0,
  );
}

/** Hides the query, which may contain a secret that gives access. */
function shownAddress(address: string): string {
  const { pathname, search } = new URL(address);
  return search === "" ? pathname : `${pathname}?…`;
}

/** The whole address in a response; undefined if there is none. */
function addressIn(polling: Polling, answer: Answer, attempt: Attempt): string | undefined {
  const found = polling.at?.(bodyOf(answer)) ?? headerIn(polling, answer);
  if (found === undefined || found === null || found === "") return undefined;
  const url = typeof found === "string" ? sameOriginUrl(answer.request, found) : undefined;
  if (url !== undefined) return `${url.origin}${url.pathname}${url.search}`;
  throw protocolError(
    attempt,
    "the service accepted the work, but the address to poll is at another origin or is not a URL",
  );
}

/** If the address is in the body, headers are ignored. */
function headerIn({ at, location = "location" }: Polling, { headers }: Answer): string | undefined {
  return at === undefined && Object.hasOwn(headers, location)
    ? single(headers[location])
    : undefined;
}

function bodyOf(answer: Answer): unknown {
  return parseErrorBody(answer.body, contentTypeOf(answer));
}

/** Headers that describe the request itself: its conditions and its body. */
const ofRequest = /^(?:content-|if-|prefer$|expect$)/i;

/**
 * Makes a poll.
 *
 * @param request request whose address is that of the poll already
 */
export function pollRequest(request: OpenRequest, keyHeader: string | undefined): OpenRequest {
  const headers: string[] = [];
  for (let at = 0; at + 1 < request.headers.length; at += 2) {
    const [name = "", value = ""] = request.headers.slice(at, at + 2);
    if (!ofRequest.test(name) && name.toLowerCase() !== keyHeader?.toLowerCase())
      headers.push(name, value);
  }
  return { ...request, method: "GET", headers, body: undefined };
}
