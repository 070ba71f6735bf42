/**
 * The demo's part about queues. Shadow mode checks and encodes a message, and records it instead of
 * sending it. So the demo needs no broker.
 */
import { announceOrderCreated } from "../../generated/order-events/index.js";
import { aside, heading, show, source } from "./screen.js";

export async function showOrderEvents(): Promise<void> {
  heading("A tool may publish a message", "skills/order-events, Avro to Kafka, in shadow mode");
  source(`await announceOrderCreated({ order_id, total: "89.00", … }, { mode: "shadow" })`);
  const order = {
    order_id: "0b0e7f3c-5a54-4f2e-9d3a-2f6c1d7e8a90",
    customer_id: 42,
    total: "89.00",
    currency: "EUR",
    created_at: "2026-03-01T12:00:00Z",
    lines: [{ sku: "LAMP-OAK", quantity: 1 }],
  } as const;
  show(await announceOrderCreated({ ...order, lines: [...order.lines] }, { mode: "shadow" }));
  aside("The size and the hash are those of the bytes that Kafka would have got.");
}
