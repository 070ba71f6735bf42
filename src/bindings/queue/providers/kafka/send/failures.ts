import type { WriteOutcome } from "../../../../../runtime/executor.js";
import { LostBroker, RejectedMessage } from "../../../send/failures.js";

const connectionLost = "connection lost";

/**
 * The names in a kafkajs error. Its messages are left out, because they quote hosts, topics and
 * broker texts.
 */
export interface KafkaFailure {
  /** Kafka's name of the error: `MESSAGE_TOO_LARGE`. */
  readonly type?: string;
  /** System error code: `ECONNREFUSED`. */
  readonly code?: string;
  /** Name of the kafkajs class. */
  readonly name?: string;
}

/** Errors may have any properties, so the values are checked when they are read. */
type Named = Error & { readonly type?: unknown; readonly code?: unknown };

const aName = /^[A-Z][A-Z\d_]{1,60}$/;

/** Reads the first reason in the chain of an error and its causes. */
export function readKafkaFailure(error: unknown): KafkaFailure {
  let problem: KafkaFailure = {};
  for (let each = error, depth = 0; each instanceof Error && depth < 8; depth += 1) {
    const { type, code } = each as Named;
    problem = { ...problem, name: each.name };
    if (typeof type === "string" && aName.test(type)) return { ...problem, type };
    if (typeof code === "string" && aName.test(code)) return { ...problem, code };
    each = each.cause;
  }
  return problem;
}

/** Errors about a single message; the others of its batch may be valid. */
const ofOneMessage = new Set([
  "MESSAGE_TOO_LARGE",
  "RECORD_LIST_TOO_LARGE",
  "INVALID_RECORD",
  "INVALID_TIMESTAMP",
]);

export function isOfOneMessage({ type }: KafkaFailure): boolean {
  return type !== undefined && ofOneMessage.has(type);
}

export function isTooLarge({ type }: KafkaFailure): boolean {
  return type === "MESSAGE_TOO_LARGE" || type === "RECORD_LIST_TOO_LARGE";
}

/** Errors that another attempt would get again. */
const rejections: ReadonlyMap<string, string> = new Map([
  ["UNKNOWN_TOPIC_OR_PARTITION", "the topic does not exist"],
  ["INVALID_TOPIC_EXCEPTION", "the topic's name is invalid"],
  ["TOPIC_AUTHORIZATION_FAILED", "the user may not write to the topic"],
  ["CLUSTER_AUTHORIZATION_FAILED", "the user lacks the permission `IdempotentWrite`"],
  ["MESSAGE_TOO_LARGE", "the message is larger than the topic allows"],
  ["RECORD_LIST_TOO_LARGE", "the message is larger than the topic's segments"],
  ["INVALID_RECORD", "the topic rejects the message: it may need a key"],
  ["INVALID_TIMESTAMP", "this machine's clock is too far from the broker's"],
  ["POLICY_VIOLATION", "the message violates a policy of the cluster"],
  ["SASL_AUTHENTICATION_FAILED", "the user name or password is wrong"],
  ["UNSUPPORTED_SASL_MECHANISM", "the broker doesn't support this SASL mechanism"],
  ["ILLEGAL_SASL_STATE", "the broker accepts no login on this connection"],
  ["UNSUPPORTED_VERSION", "the broker's protocol is too old or too new"],
  ["UNSUPPORTED_FOR_MESSAGE_FORMAT", "the topic's message format is too old"],
]);

const rejectionsByName: ReadonlyMap<string, string> = new Map([
  ["KafkaJSSASLAuthenticationError", "the user name or password is wrong"],
  ["KafkaJSServerDoesNotSupportApiKey", "the broker's protocol is too old or too new"],
]);

/** kafkajs throws this error if a partition's leader is not among the brokers it knows. */
const leaderless = "KafkaJSBrokerNotFound";

/** Errors that brokers return before they write anything. */
const unwritten: ReadonlySet<string> = new Set([...rejections.keys(), "NOT_ENOUGH_REPLICAS"]);

/**
 * Returns whether an error proves that a message was not written. `NOT_LEADER_FOR_PARTITION` is no
 * proof: brokers also return it if the leader moves while they wait for the replicas of a written
 * message.
 */
export function isUnwritten({ type }: KafkaFailure): boolean {
  return type !== undefined && unwritten.has(type);
}

/**
 * Returns the error of a call.
 *
 * @param outcome whether its message was written, as far as it is known
 */
export function failureOf(error: unknown, outcome: WriteOutcome): LostBroker | RejectedMessage {
  if (error instanceof RejectedMessage) return error;
  if (error instanceof LostBroker) return new LostBroker(error.reason, outcome);
  const problem = readKafkaFailure(error);
  // If the message may have been written, the rejection belongs to a later request: a repetition,
  // or the login of a new connection.
  const rejection = outcome === "unknown" ? undefined : rejectionOf(problem);
  return rejection ?? new LostBroker(reasonOf(problem), outcome);
}

function rejectionOf({ type, code, name }: KafkaFailure): RejectedMessage | undefined {
  const meaning = type === undefined ? rejectionsByName.get(name ?? "") : rejections.get(type);
  if (meaning === undefined || code !== undefined) return undefined;
  return new RejectedMessage(type === undefined ? meaning : `${meaning} (${type})`);
}

function reasonOf({ type, code, name }: KafkaFailure): string {
  return type ?? code ?? (name === leaderless ? "LEADER_NOT_AVAILABLE" : connectionLost);
}

/** Brokers close the connection if a request is larger than they accept, by default 100 MiB. */
const largeBytes = 1_000_000;
const disconnections = new Set([connectionLost, "ECONNRESET", "EPIPE"]);

/** Adds the size as the likely reason if a connection was lost. */
export function withSize<Failure extends Error>(
  failure: Failure,
  bytes: number,
): Failure | LostBroker {
  if (bytes < largeBytes || !(failure instanceof LostBroker) || !disconnections.has(failure.reason))
    return failure;
  const likely = `the request had ${bytes} bytes, maybe more than the broker's \`socket.request.max.bytes\``;
  return new LostBroker(`${failure.reason}; ${likely}`, failure.outcome);
}
