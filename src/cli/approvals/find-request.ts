/** Finds requests for approval by the beginning of their id. */
import type { Governance, StoredRequest } from "@skillc/runtime/governance";
import { CommandFailure } from "../exit.js";
import { printable } from "../ledger/console-style.js";

/** Length of a whole id. */
const idLength = 43;
/** Minimum length of the beginning of an id. */
const minPrefix = 6;
/** Minimum length of an id in a list. */
const minShown = 8;
/** Maximum number of requests that an abbreviation is compared with, the newest first. */
const maxCompared = 10_000;
/** Maximum number of requests that a message names. */
const maxNamed = 10;

/**
 * Finds the request with this id, or with this beginning of an id.
 *
 * @throws CommandFailure if there is none, or several ids begin like this
 */
export async function findRequest(governance: Governance, id: string): Promise<StoredRequest> {
  if (id.length >= idLength) return (await governance.store.readRequest(id)) ?? noRequest(id);
  if (id.length < minPrefix)
    throw CommandFailure.usage(
      `\`${printable(id)}\` is too short: write at least ${minPrefix} characters of the request's id`,
      "`skillc approvals list` shows the ids",
    );
  const found = (await allRequests(governance)).filter((each) => each.id.startsWith(id));
  const [first, second] = found;
  if (first === undefined) return noRequest(id);
  if (second === undefined) return first;
  const named = found.slice(0, maxNamed).map(({ id, state, subject = "", tool }) => {
    const what = `${printable(tool, 80)} of ${printable(subject, 80)}, ${state}`;
    return `\`${id}\`: ${what}`;
  });
  throw CommandFailure.input(
    `the ids of ${found.length} requests begin with \`${printable(id)}\``,
    ["write more of the id", ...named].join("\n"),
  );
}

/** Returns the newest requests in any state, with which ids are abbreviated. */
export async function allRequests(governance: Governance): Promise<readonly StoredRequest[]> {
  return governance.requests({ limit: maxCompared });
}

/** Returns the beginnings of ids that tell the requests apart, by id. */
export function shortIds(requests: readonly StoredRequest[]): ReadonlyMap<string, string> {
  const sorted = requests.map(({ id }) => id).toSorted();
  return new Map(
    sorted.map((id, at) => {
      const shared = [sorted[at - 1], sorted[at + 1]].map((other = "") => sharedLength(id, other));
      return [id, id.slice(0, Math.max(minShown, Math.max(...shared) + 1))];
    }),
  );
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

function noRequest(id: string): never {
  throw CommandFailure.input(
    `there is no request for approval \`${printable(id, 80)}\``,
    "`skillc approvals list` shows the requests; a request is removed when it expires",
  );
}
