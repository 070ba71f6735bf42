import { LostBroker, RefusedMessage } from "../faults.js";

/** What the client reports: its own words and the broker's, which name hosts, users and exchanges, and go no further. */
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
export function connectFault(error: unknown): LostBroker | RefusedMessage {
  const { message } = reported(error);
  if (message.includes("ACCESS_REFUSED"))
    return new RefusedMessage("RabbitMQ refused the login (ACCESS_REFUSED)");
  // There is none, the user may not enter it, it is being started, or has as many connections as it may: the client doesn't pass on which.
  if (message.startsWith("Expected ConnectionOpenOk; got <ConnectionClose"))
    return new LostBroker("the vhost was refused");
  return new LostBroker(reasonOf(error));
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
  const [, limit] =
    /larger than (?:configured )?max size (\d+)/.exec(reported(error).message) ?? [];
  return limit === undefined ? undefined : Number(limit);
}

export function tooLarge(bytes: number, limit: number): RefusedMessage {
  return new RefusedMessage(
    `the message has ${bytes} bytes, and RabbitMQ takes ${limit} at most (max_message_size)`,
  );
}

/** What RabbitMQ says of a message by closing the channel on which it was the only one. */
export function refusalOf(error: unknown): LostBroker | RefusedMessage {
  switch (reported(error).code) {
    case 403:
      return new RefusedMessage(
        "RabbitMQ doesn't let the user publish to this exchange with this routing key (ACCESS_REFUSED)",
      );
    case 404:
      return new RefusedMessage("RabbitMQ has no such exchange (NOT_FOUND)");
    case 406:
      return new RefusedMessage("RabbitMQ refused the message (PRECONDITION_FAILED)");
    default:
      return new LostBroker(reasonOf(error));
  }
}

function reported(error: unknown): Reported {
  if (!(error instanceof Error)) return { code: undefined, message: "" };
  return { code: "code" in error ? error.code : undefined, message: error.message };
}
