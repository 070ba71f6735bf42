import { LostBroker, RefusedMessage } from "../faults.js";

/** What kafkajs threw, reduced to the names in it: its texts quote hosts, topics and what brokers say. */
export interface KafkaFault {
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
export function faultOf(error: unknown): KafkaFault {
  let fault: KafkaFault = {};
  for (let each = error, depth = 0; each instanceof Error && depth < 8; depth += 1) {
    const { type, code } = each as Named;
    fault = { ...fault, name: each.name };
    if (typeof type === "string" && aName.test(type)) return { ...fault, type };
    if (typeof code === "string" && aName.test(code)) return { ...fault, code };
    each = each.cause;
  }
  return fault;
}

/** Errors that say something of one message, so that others of its batch may be fine. */
const ofOneMessage = new Set([
  "MESSAGE_TOO_LARGE",
  "RECORD_LIST_TOO_LARGE",
  "INVALID_RECORD",
  "INVALID_TIMESTAMP",
]);

export function blamesOneMessage({ type }: KafkaFault): boolean {
  return type !== undefined && ofOneMessage.has(type);
}

export function isTooLarge({ type }: KafkaFault): boolean {
  return type === "MESSAGE_TOO_LARGE" || type === "RECORD_LIST_TOO_LARGE";
}

/** Errors that another attempt would meet again. */
const refusals: ReadonlyMap<string, string> = new Map([
  ["UNKNOWN_TOPIC_OR_PARTITION", "there is no such topic"],
  ["INVALID_TOPIC_EXCEPTION", "the topic's name is invalid"],
  ["TOPIC_AUTHORIZATION_FAILED", "the login may not write to the topic"],
  ["CLUSTER_AUTHORIZATION_FAILED", "the login may not write idempotently (`IdempotentWrite`)"],
  ["MESSAGE_TOO_LARGE", "the message is larger than the topic takes"],
  ["RECORD_LIST_TOO_LARGE", "the message is larger than the topic's segments"],
  ["INVALID_RECORD", "the topic does not take the message: it may need a key"],
  ["INVALID_TIMESTAMP", "this machine's clock is too far from the broker's"],
  ["POLICY_VIOLATION", "it violates a policy of the cluster"],
  ["SASL_AUTHENTICATION_FAILED", "the login is wrong"],
  ["UNSUPPORTED_SASL_MECHANISM", "the broker does not take this SASL mechanism"],
  ["ILLEGAL_SASL_STATE", "the broker takes no login here"],
  ["UNSUPPORTED_VERSION", "the broker's protocol is too old or too new"],
  ["UNSUPPORTED_FOR_MESSAGE_FORMAT", "the topic's message format is too old"],
]);

const refusalsByName: ReadonlyMap<string, string> = new Map([
  ["KafkaJSSASLAuthenticationError", "the login is wrong"],
  ["KafkaJSServerDoesNotSupportApiKey", "the broker's protocol is too old or too new"],
]);

/** What a call is told. */
export function failureOf(fault: KafkaFault): LostBroker | RefusedMessage {
  const { type, code, name } = fault;
  const refusal = type === undefined ? refusalsByName.get(name ?? "") : refusals.get(type);
  if (refusal !== undefined && code === undefined)
    return new RefusedMessage(type === undefined ? refusal : `${refusal} (${type})`);
  return new LostBroker(type ?? code ?? "connection lost");
}
