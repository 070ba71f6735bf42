/**
 * A process that publishes one message. Arguments: `nats|rabbitmq|redis`, a URL, the queue, stream
 * or subject, and `close` or `forget`. With `forget` it closes nothing, and prints a JSON array of
 * Node's names for the resources that keep it alive.
 */
import { randomUUID } from "node:crypto";
import { openNats } from "../../../../src/bindings/queue/providers/nats/send/open-nats.js";
import { openRabbitmq } from "../../../../src/bindings/queue/providers/rabbitmq/send/open-rabbitmq.js";
import { openRedis } from "../../../../src/bindings/queue/providers/redis/send/open-redis.js";
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
} else if (provider === "nats") {
  const broker = openNats(url);
  await publishWithin(5000, broker, { ...message, subject: name });
  if (end === "close") await broker.close();
} else {
  const broker = openRedis(url);
  await publishWithin(5000, broker, { ...message, stream: name });
  if (end === "close") await broker.close();
}

if (end === "forget") {
  // Wait until the answer's turn of the event loop has released its resources.
  await new Promise(setImmediate);
  // Pipes are the standard streams.
  const kept = process.getActiveResourcesInfo().filter((name) => name !== "PipeWrap");
  process.stdout.write(JSON.stringify(kept));
}
