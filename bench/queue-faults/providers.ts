import { startMockKafka } from "../../test/bindings/queue/support/kafka.js";
import { startRabbitmq } from "../../test/bindings/queue/support/rabbitmq.js";
import { startRedis } from "../../test/bindings/queue/support/redis.js";
import { kafkaSubject } from "./kafka.js";
import { rabbitmqSubject } from "./rabbitmq.js";
import { redisSubject } from "./redis.js";
import type { Subject } from "./subject.js";

type Work<Result> = (subject: Subject) => Promise<Result>;

/** Starts a broker, runs the work on it, and stops the broker. */
export const providers: ReadonlyMap<string, <Result>(work: Work<Result>) => Promise<Result>> =
  new Map([
    ["kafka", (work) => withBroker(startMockKafka, kafkaSubject, work)],
    ["rabbitmq", (work) => withBroker(startRabbitmq, rabbitmqSubject, work)],
    ["redis", (work) => withBroker(startRedis, redisSubject, work)],
  ]);

async function withBroker<Broker extends { close(): Promise<void> }, Result>(
  start: () => Promise<Broker>,
  subjectOf: (broker: Broker) => Promise<Subject>,
  work: Work<Result>,
): Promise<Result> {
  const broker = await start();
  try {
    return await work(await subjectOf(broker));
  } finally {
    await broker.close();
  }
}
