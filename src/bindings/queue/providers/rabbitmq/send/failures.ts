/*
 * What RabbitMQ answers, by AMQP's reply codes. One code has several meanings that lead to
 * different results, and no code tells them apart: why a vhost was refused (530, or 403), which
 * message a closed channel is about (403 and 406), and how large a message may be (406). For these
 * RabbitMQ's reply text is compared with what its source has; another text counts as the code
 * alone.
 */
import { LostBroker, RejectedMessage } from "../../../send/failures.js";
import type { RabbitmqPlace } from "../contract.js";
import { handshakeCode } from "./amqplib-internals.js";

/**
 * What the client reports: its own words and the broker's, which name hosts, users and exchanges,
 * and go no further.
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

/** Why there is no connection. */
export function connectError(error: unknown): LostBroker | RejectedMessage {
  if (handshakeCode(error) === 403)
    return new RejectedMessage("RabbitMQ refused the login (ACCESS_REFUSED)");
  return new LostBroker(reasonOf(error));
}

/** @param reason in RabbitMQ's words, which quote the vhost and the user */
export function vhostError(reason: string): LostBroker | RejectedMessage {
  if (/user connection limit \(\d+\) is reached$/.test(reason))
    return new LostBroker("the user has reached the limit of connections");
  if (/connection limit \(\d+\) is reached$/.test(reason))
    return new LostBroker("the vhost has reached its limit of connections");
  if (/^NOT_ALLOWED - vhost .* not found$/s.test(reason))
    return new RejectedMessage("RabbitMQ has no such vhost (NOT_ALLOWED)");
  if (/^(NOT_ALLOWED|ACCESS_REFUSED) - access to vhost .* refused for user '[^']*'$/s.test(reason))
    return new RejectedMessage("the RabbitMQ user may not access this vhost (NOT_ALLOWED)");
  // It is being started.
  return new LostBroker("RabbitMQ refused the vhost");
}

/** The system's or the protocol's name for what ended a connection or a channel. */
export function reasonOf(error: unknown): string {
  const { code, message } = reported(error);
  const name = names.get(code);
  if (name !== undefined) return name;
  if (message === "Heartbeat timeout") return "heartbeat timeout";
  if (message === "No channels left to allocate") return "no channel left";
  return typeof code === "string" && code !== "ABORT_ERR" ? code : "connection lost";
}

/** How large a message may be, when a channel was closed because one was larger. In bytes. */
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
 * Whether a channel was closed because its user may not publish there. RabbitMQ's text of it ends
 * with names that hold no quote, and is longer if a routing key looks like that: no other message
 * is taken for it.
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
 * What RabbitMQ says of a message by closing its channel.
 *
 * @param hidden what must not be told, whatever RabbitMQ says
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

/** Characters of what RabbitMQ says. */
const maxCharacters = 160;

/** Shorter ones are in every text, and say nothing by being seen. */
const shortestHidden = 4;

/** The client's words around RabbitMQ's, and the name of the code. */
const replyFrame = /^.*? with message "(?:[A-Z_]+(?: - |(?="$)))?(.*)"$/s;

/** @param message of the client's error */
function replyTextOf(message: string): string {
  return replyFrame.exec(message)?.[1] ?? "";
}

/**
 * RabbitMQ's reply text behind a colon; empty when there is none. It quotes names and values: these
 * are left out, but for RabbitMQ's own names of headers.
 *
 * @param message of the client's error
 * @param hidden left out too, wherever it stands
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
