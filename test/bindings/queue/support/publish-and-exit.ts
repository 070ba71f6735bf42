/**
 * A process that publishes one message, with the arguments `rabbitmq|redis`, a URL, the queue or stream, and `close`; with `forget` it closes nothing, and
 * prints in the end how many milliseconds it has lived since.
 */
import { randomUUID } from "node:crypto";
import { openRabbitmq } from "../../../../src/bindings/queue/send/rabbitmq/open-rabbitmq.js";
import { openRedis } from "../../../../src/bindings/queue/send/redis/open-redis.js";
import { publishWithin } from "./attempt.js";

const [provider, url = "", name = "", end] = process.argv.slice(2);
const message = {
  body: Buffer.from("bye"),
  contentType: "text/plain",
  headers: [["bye-header", "bye-value"]] as const,
  idempotencyKey: `bye-${randomUUID()}`,
};

if (provider === "rabbitmq") {
  const broker = openRabbitmq(url);
  await publishWithin(5000, broker, { ...message, exchange: "", routingKey: name });
  if (end === "close") await broker.close();
} else {
  const broker = openRedis(url);
  await publishWithin(5000, broker, { ...message, stream: name });
  if (end === "close") await broker.close();
}

const published = performance.now();
if (end === "forget")
  process.once("exit", () => process.stdout.write(`${performance.now() - published}`));
