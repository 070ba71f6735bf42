/*
 * Errors for RabbitMQ's answers, by AMQP's reply codes. Some codes have several meanings that lead
 * to different results: a refused vhost (530 or 403), the message for which a channel was closed
 * (403 and 406), and the maximum message size (406). For these, RabbitMQ's reply text is compared
 * with the texts in its source. If the text is another one, only the code counts.
 */
import { LostBroker, RejectedMessage } from "../../../send/failures.js";
import type { RabbitmqPlace } from "../contract.js";
import { handshakeCode } from "./amqplib-internals.js";

/**
 * The code and message of a client error. The message is not passed on, because it may name hosts,
 * users and exchanges.
 */
interface Reported {
  readonly code: unknown;
  readonly message: string;
}

/** AMQP's reply codes, by their names. */
const names: ReadonlyMap<unknown, string> = new Map([
  [311, "CONTENT_TOO_LARGE"],
  [320, "CONNECTION_FORCED"],
  [402, "INVALID_PATH"],
  [403, "ACCESS_REFUSED"],
  [404, "NOT_FOUND"],
  [405, "RESOURCE_LOCKED"],
  [406, "PRECONDITION_FAILED"],
  [501, "FRAME_ERROR"],
  [502, "SYNTAX_ERROR"],
  [503, "COMMAND_INVALID"],
  [504, "CHANNEL_ERROR"],
  [505, "UNEXPECTED_FRAME"],
  [506, "RESOURCE_ERROR"],
  [530, "NOT_ALLOWED"],
  [540, "NOT_IMPLEMENTED"],
  [541, "INTERNAL_ERROR"],
]);

/** Returns the error for a connection that could not be opened. */
export function connectError(error: unknown): LostBroker | RejectedMessage {
  if (handshakeCode(error) === 403)
    return new RejectedMessage("RabbitMQ refused the login (ACCESS_REFUSED)");
  return new LostBroker(reasonOf(error));
}

/** @param reason RabbitMQ's text, which quotes the vhost and the user */
export function vhostError(reason: string): LostBroker | RejectedMessage {
  if (/user connection limit \(\d+\) is reached$/.test(reason))
    return new LostBroker("the user has reached the limit of connections");
  if (/connection limit \(\d+\) is reached$/.test(reason))
    return new LostBroker("the vhost has reached its limit of connections");
  if (/^NOT_ALLOWED - vhost .* not found$/s.test(reason))
    return new RejectedMessage("RabbitMQ has no such vhost (NOT_ALLOWED)");
  if (/^(NOT_ALLOWED|ACCESS_REFUSED) - access to vhost .* refused for user '[^']*'$/s.test(reason))
    return new RejectedMessage("the RabbitMQ user may not access this vhost (NOT_ALLOWED)");
  // The vhost may be starting.
  return new LostBroker("RabbitMQ refused the vhost");
}

/** Returns the system's or the protocol's name for the error that ended a connection or channel. */
export function reasonOf(error: unknown): string {
  const { code, message } = reported(error);
  const name = names.get(code);
  if (name !== undefined) return name;
  if (message === "Heartbeat timeout") return "heartbeat timeout";
  if (message === "No channels left to allocate") return "no channel left";
  return typeof code === "string" && code !== "ABORT_ERR" ? code : "connection lost";
}

/**
 * Returns the maximum message size in bytes if a channel was closed because of a larger message.
 */
export function sizeLimitOf(error: unknown): number | undefined {
  const { code, message } = reported(error);
  if (code !== 406) return undefined;
  const [, limit] = /larger than (?:configured )?max size (\d+)/.exec(message) ?? [];
  return limit === undefined ? undefined : Number(limit);
}

export function tooLarge(bytes: number, limit: number): RejectedMessage {
  return new RejectedMessage(
    `the message has ${bytes} bytes, but RabbitMQ accepts at most ${limit} (max_message_size)`,
  );
}

/**
 * Returns whether a channel was closed because the user may not publish to this place. RabbitMQ's
 * text ends with names that contain no quote. Both ends of the text are compared, so a routing key
 * that imitates the text can't match another message.
 */
export function isForbiddenTopic(error: unknown, { exchange, routingKey }: RabbitmqPlace): boolean {
  const { code, message } = reported(error);
  if (code !== 403) return false;
  const start = `access to topic '${routingKey}' in exchange '${exchange}' in vhost '`;
  const at = message.indexOf(" - ") + " - ".length;
  return (
    message.startsWith(start, at) &&
    /^[^']*' refused for user '[^']*'"$/.test(message.slice(at + start.length))
  );
}

/**
 * Returns the error of the message for which RabbitMQ closed its channel.
 *
 * @param hidden secrets that the error must not contain
 */
export function rejectionOf(
  error: unknown,
  { bytes }: { readonly bytes: number },
  hidden: readonly string[],
): LostBroker | RejectedMessage {
  const limit = sizeLimitOf(error);
  if (limit !== undefined && bytes > limit) return tooLarge(bytes, limit);
  const { code, message } = reported(error);
  switch (code) {
    case 403:
      if (replyTextOf(message).startsWith("cannot publish to internal exchange "))
        return new RejectedMessage(
          "RabbitMQ accepts no messages for this exchange, because it is internal (ACCESS_REFUSED)",
        );
      return new RejectedMessage(
        "the RabbitMQ user may not publish to this exchange with this routing key (ACCESS_REFUSED)",
      );
    case 404:
      return new RejectedMessage("RabbitMQ has no such exchange (NOT_FOUND)");
    case 406:
      return new RejectedMessage(
        `RabbitMQ refused the message${quotedReply(message, hidden)} (PRECONDITION_FAILED)`,
      );
    default:
      return new LostBroker(reasonOf(error));
  }
}

function reported(error: unknown): Reported {
  if (!(error instanceof Error)) return { code: undefined, message: "" };
  return { code: "code" in error ? error.code : undefined, message: error.message };
}

/** Maximum length of a quoted reply, in characters. */
const maxCharacters = 160;

/** Shorter values are not masked: they occur in any text, so their presence reveals nothing. */
const shortestHidden = 4;

/** The client's text around RabbitMQ's reply, and the name of the code. */
const replyFrame = /^.*? with message "(?:[A-Z_]+(?: - |(?="$)))?(.*)"$/s;

/** @param message message of the client's error */
function replyTextOf(message: string): string {
  return replyFrame.exec(message)?.[1] ?? "";
}

/**
 * Returns a colon and RabbitMQ's reply text; empty if there is none. Quoted names and values are
 * removed, except RabbitMQ's own header names.
 *
 * @param message message of the client's error
 * @param hidden secrets that are removed too
 */
function quotedReply(message: string, hidden: readonly string[]): string {
  const unquoted = replyTextOf(message)
    .replace(/'.*'|'.*$/s, "'…'")
    .replace(/"(B?CC)"|"[^"]*(?:"|$)/g, (quote, name?: string) => (name ? quote : '"…"'));
  const secrets = hidden.filter(({ length }) => length >= shortestHidden);
  const clean = secrets.reduce((text, each) => text.replaceAll(each, "…"), unquoted);
  const short = clean.length > maxCharacters ? `${clean.slice(0, maxCharacters)}…` : clean;
  return short.trim() === "" ? "" : `: ${short.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, encoded)}`;
}

function encoded(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
