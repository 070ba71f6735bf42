/**
 * The entry point `@skillc/runtime/v1/nats`: imports for generated modules of tools that publish to
 * NATS JetStream.
 */
import { ifMissing } from "../../../../runtime/executor.js";
import { defineProvider } from "../../execute.js";
import type { Broker } from "../../send/broker.js";
import type { NatsPlace, NatsReceipt, NatsTarget } from "./contract.js";
import { natsNames } from "./names.js";

export type { NatsPublication, NatsReceipt } from "./contract.js";

/** Makes the binding of a tool that publishes to NATS JetStream. */
export const nats = defineProvider<NatsTarget, Broker<NatsPlace, NatsReceipt>>({
  name: "nats",
  names: natsNames,
  async open(...where) {
    await import("@nats-io/transport-node").catch(ifMissing("@nats-io/transport-node"));
    await import("@nats-io/jetstream").catch(ifMissing("@nats-io/jetstream"));
    const { openNats } = await import("./send/open-nats.js");
    return openNats(...where);
  },
  async publish(broker, { subject }, message, attempt) {
    const outgoing = { subject: String(subject), ...message };
    return { status: "success", data: await broker.publish(outgoing, attempt) };
  },
});
