/**
 * Publishes one message to a topic, prints its receipt, and closes nothing. Arguments: URL, topic.
 */
import { openKafka } from "../../../../src/bindings/queue/providers/kafka/send/open-kafka.js";
import { startAttempt } from "../support/attempt.js";

const [url = "", topic = ""] = process.argv.slice(2);
const message = { topic, body: Buffer.from("x"), contentType: "text/plain", headers: [] };
process.stdout.write(
  JSON.stringify(await openKafka(url).publish(message, startAttempt(10_000).attempt)),
);
