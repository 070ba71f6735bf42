import type { Delivery } from "./delivery.js";
import { isForbiddenTopic, sizeLimitOf } from "./refusals.js";

/** The messages on a channel that RabbitMQ closed because of one of them, in the order in which they were sent. */
export interface Blamed {
  /** It may have taken these; when it doesn't say which one it refused, they are all. */
  readonly before: readonly Delivery[];
  readonly refused: Delivery | undefined;
  /** It reads in order, and nothing after it has closed the channel: it has not taken these. */
  readonly behind: readonly Delivery[];
}

/**
 * It is about none of those that were read.
 *
 * @param error of the channel
 */
export function blame(sent: readonly Delivery[], error: Error): Blamed {
  const read = sent.filter(({ isRead }) => isRead);
  const unread = sent.slice(read.length);
  const at = refusedAmong(unread, error);
  const refused = unread[at];
  if (refused !== undefined)
    return { before: [...read, ...unread.slice(0, at)], refused, behind: unread.slice(at + 1) };
  const last = unread.findLastIndex((each) => isForbiddenTopic(error, each));
  if (last === -1) return { before: sent, refused, behind: [] };
  return {
    before: [...read, ...unread.slice(0, last + 1)],
    refused,
    behind: unread.slice(last + 1),
  };
}

/** -1: it doesn't say. */
function refusedAmong(sent: readonly Delivery[], error: Error): number {
  if (sent.length === 1) return 0;
  const limit = sizeLimitOf(error);
  if (limit !== undefined) return sent.findIndex(({ bytes }) => bytes > limit);
  // Of several to one place, an earlier one may have been taken while it was allowed.
  const [only, ...others] = sent.filter((each) => isForbiddenTopic(error, each));
  return only !== undefined && others.length === 0 ? sent.indexOf(only) : -1;
}
