/**
 * The entry point `@skillc/runtime/v1/kafka`: imports for generated modules of tools that publish
 * to Kafka.
 */
import { ifMissing } from "../../../../runtime/executor.js";
import { defineProvider } from "../../execute.js";
import type { Broker } from "../../send/broker.js";
import type { KafkaPlace, KafkaReceipt, KafkaTarget } from "./contract.js";
import { kafkaNames } from "./names.js";

export type { KafkaPublication, KafkaReceipt } from "./contract.js";

/** Makes the binding of a tool that publishes to Kafka. */
export const kafka = defineProvider<KafkaTarget, Broker<KafkaPlace, KafkaReceipt>>({
  name: "kafka",
  names: kafkaNames,
  async open(...where) {
    await import("kafkajs").catch(ifMissing("kafkajs"));
    const { openKafka } = await import("./send/open-kafka.js");
    return openKafka(...where);
  },
  async publish(broker, { key, topic }, message, attempt) {
    // An object literal with the spread at its end is ten times as fast as one with the spread
    // first.
    const outgoing = {
      topic: String(topic),
      key: key === undefined ? undefined : String(key),
      ...message,
    };
    return { status: "success", data: await broker.publish(outgoing, attempt) };
  },
});
