/**
 * Runs the order service until it is told to stop: `PORT` and `ORDERS_TOKEN` in the environment;
 * its URL on the first line it prints.
 */
import { startOrderService } from "./server.js";

const service = await startOrderService({
  port: Number(process.env["PORT"] ?? 0),
  token: process.env["ORDERS_TOKEN"] ?? "demo-token",
});
console.log(service.url);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void service.close());
}
