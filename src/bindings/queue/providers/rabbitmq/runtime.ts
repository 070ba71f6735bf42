/**
 * The entry point `@skillc/runtime/v1/rabbitmq`: imports for generated modules of tools that
 * publish to RabbitMQ.
 */
import { ifMissing } from "../../../../runtime/executor.js";
import { defineProvider } from "../../execute.js";
import type { Broker } from "../../send/broker.js";
import type { RabbitmqPlace, RabbitmqReceipt, RabbitmqTarget, Routed } from "./contract.js";
import { rabbitmqNames } from "./names.js";

export type { RabbitmqPublication, RabbitmqReceipt, Unroutable } from "./contract.js";

/** Makes the binding of a tool that publishes to RabbitMQ. */
export const rabbitmq = defineProvider<
  RabbitmqTarget,
  Broker<RabbitmqPlace, Routed<RabbitmqReceipt>>
>({
  name: "rabbitmq",
  names: rabbitmqNames,
  async open(...where) {
    await import("amqplib").catch(ifMissing("amqplib"));
    const { openRabbitmq } = await import("./send/open-rabbitmq.js");
    return openRabbitmq(...where);
  },
  async publish(broker, target, message, attempt) {
    const place = {
      exchange: String(target["exchange"]),
      routing_key: String(target["routing_key"]),
    };
    const outgoing = { exchange: place.exchange, routingKey: place.routing_key, ...message };
    const receipt = await broker.publish(outgoing, attempt);
    return "unroutable" in receipt
      ? { status: "unroutable", error: place }
      : { status: "success", data: receipt };
  },
});
