/**
 * The entry point `@skillc/runtime/v1/kafka`: what generated modules of tools that publish to Kafka
 * import.
 */
import { ifMissing } from "../../../../runtime/executor.js";
import { defineProvider } from "../../execute.js";
import type { Broker } from "../../send/broker.js";
import type { KafkaPlace, KafkaReceipt, KafkaTarget } from "./contract.js";
import { kafkaNames } from "./names.js";

export type { KafkaPublication, KafkaReceipt } from "./contract.js";

export const kafka = defineProvider<KafkaTarget, Broker<KafkaPlace, KafkaReceipt>>({
  name: "kafka",
  names: kafkaNames,
  async open(...where) {
    await import("kafkajs").catch(ifMissing("kafkajs"));
    const { openKafka } = await import("./send/open-kafka.js");
    return openKafka(...where);
  },
  async publish(broker, { key, topic }, message, attempt) {
    // A literal that ends with what it spreads is made in a tenth of the time that one takes that
    // begins with it.
    const outgoing = {
      topic: String(topic),
      key: key === undefined ? undefined : String(key),
      ...message,
    };
    return { status: "success", data: await broker.publish(outgoing, attempt) };
  },
});
