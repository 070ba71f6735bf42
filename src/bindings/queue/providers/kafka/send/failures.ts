import type { WriteOutcome } from "../../../../../runtime/executor.js";
import { LostBroker, RejectedMessage } from "../../../send/failures.js";

const connectionLost = "connection lost";

/**
 * What kafkajs threw, reduced to the names in it: its texts quote hosts, topics and what brokers
 * say.
 */
export interface KafkaFailure {
  /** Kafka's name of the error: `MESSAGE_TOO_LARGE`. */
  readonly type?: string;
  /** The system's name: `ECONNREFUSED`. */
  readonly code?: string;
  /** Of kafkajs' class. */
  readonly name?: string;
}

/** Errors may have any properties; what is read of these is checked. */
type Named = Error & { readonly type?: unknown; readonly code?: unknown };

const aName = /^[A-Z][A-Z\d_]{1,60}$/;

/** Reads the error and its causes: the first that names a reason is the one. */
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

/** Errors that say something of one message, so that others of its batch may be fine. */
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

/** Errors that another attempt would meet again. */
const rejections: ReadonlyMap<string, string> = new Map([
  ["UNKNOWN_TOPIC_OR_PARTITION", "there is no such topic"],
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

/** kafkajs looks for a partition's leader among the brokers it knows. */
const leaderless = "KafkaJSBrokerNotFound";

/** Answers that brokers give before they write anything. */
const unwritten: ReadonlySet<string> = new Set([...rejections.keys(), "NOT_ENOUGH_REPLICAS"]);

/**
 * Whether an answer says for certain that a message was not written. `NOT_LEADER_FOR_PARTITION`
 * doesn't: brokers also give it when the leader moves while they wait for the replicas of what they
 * wrote.
 */
export function isUnwritten({ type }: KafkaFailure): boolean {
  return type !== undefined && unwritten.has(type);
}

/**
 * The error that a call ends with.
 *
 * @param outcome what is known of its message
 */
export function failureOf(error: unknown, outcome: WriteOutcome): LostBroker | RejectedMessage {
  if (error instanceof RejectedMessage) return error;
  if (error instanceof LostBroker) return new LostBroker(error.reason, outcome);
  const problem = readKafkaFailure(error);
  // What was refused after a message may have been written is a later request: that of a
  // repetition, or of a new connection's login.
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

/**
 * Brokers close the connection on requests that are larger than they read. By default they read 100
 * MiB.
 */
const largeBytes = 1_000_000;
const disconnections = new Set([connectionLost, "ECONNRESET", "EPIPE"]);

/** Adds what is likely to be the reason when a connection was lost. */
export function withSize<Failure extends Error>(
  failure: Failure,
  bytes: number,
): Failure | LostBroker {
  if (bytes < largeBytes || !(failure instanceof LostBroker) || !disconnections.has(failure.reason))
    return failure;
  const likely = `the request had ${bytes} bytes, maybe more than the broker's \`socket.request.max.bytes\``;
  return new LostBroker(`${failure.reason}; ${likely}`, failure.outcome);
}
