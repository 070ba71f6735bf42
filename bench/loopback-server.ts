/**
 * Server for benchmarks. It runs in another process, so that its work is not measured with the
 * client's, and prints its URL. GET responds with an order. POST reads a body and responds with an
 * order.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const order = JSON.stringify({
  data: {
    id: "ord_1001",
    customer_id: "cus_ada",
    status: "open",
    lines: [{ sku: "MUG-BLUE", quantity: 2, price: 1200 }],
    total: 2400,
    reference: null,
    note: null,
    created_at: "2026-01-02T03:04:05.000Z",
  },
});

const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(order);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  // The address of a TCP server that listens has this type.
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on("disconnect", () => process.exit());
