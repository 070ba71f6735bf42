import kafkajs from "kafkajs";
import type { Kafka, RetryOptions, SASLOptions } from "kafkajs";
import { type Produce, repair } from "./repair.js";
import type { KafkaSettings, Login } from "./settings.js";
import type { Sockets } from "./sockets.js";

/** If an answer takes longer, it counts as lost, and its connection is opened anew. */
export const requestMs = 10_000;

/**
 * kafkajs requires one retry for an idempotent producer; it happens at once, with refreshed
 * metadata. We make all further retries ourselves. Every option is set, because kafkajs has other
 * defaults if NODE_ENV is `test`.
 */
export const sendRetry: RetryOptions = {
  retries: 1,
  initialRetryTime: 20,
  maxRetryTime: 100,
  factor: 0.2,
  multiplier: 2,
};

/** Our sockets have shorter limits of their own. */
const connectMs = 60_000;

export interface Client {
  readonly kafka: Kafka;
  /** False if the repairs did not take hold; `produce` is then never called. */
  readonly isRepaired: boolean;
}

/**
 * Creates a kafkajs client that logs nothing, whatever `KAFKAJS_LOG_LEVEL` is, and runs no timers
 * while it waits.
 *
 * @param produce called for each write request
 */
export function createClient(settings: KafkaSettings, sockets: Sockets, produce?: Produce): Client {
  const { brokers, clientId, login, tls } = settings;
  const kafka = new kafkajs.Kafka({
    brokers: startingAnywhere(brokers),
    clientId,
    ...(login && { sasl: saslOf(login) }),
    ...(tls && { ssl: tls }),
    connectionTimeout: connectMs,
    authenticationTimeout: connectMs,
    requestTimeout: requestMs,
    enforceRequestTimeout: false,
    // After each failure, kafkajs asks the next broker of the URL.
    retry: { ...sendRetry, retries: brokers.length },
    socketFactory: sockets.factory,
    logLevel: kafkajs.logLevel.NOTHING,
    logCreator: () => () => {},
  });
  return { kafka, isRepaired: repair(kafka, produce) };
}

/**
 * kafkajs asks the first broker first. If that broker is down, each new connection would wait for
 * it.
 */
function startingAnywhere(brokers: readonly string[]): string[] {
  const start = Math.floor(Math.random() * brokers.length);
  return [...brokers.slice(start), ...brokers.slice(0, start)];
}

function saslOf({ mechanism, ...login }: Login): SASLOptions {
  if (mechanism === "plain") return { mechanism, ...login };
  if (mechanism === "scram-sha-256") return { mechanism, ...login };
  return { mechanism, ...login };
}
