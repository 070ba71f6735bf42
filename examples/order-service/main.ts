/**
 * Runs the order service until a signal stops it. Reads `PORT` and `ORDERS_TOKEN` from the
 * environment, and prints the URL first.
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
