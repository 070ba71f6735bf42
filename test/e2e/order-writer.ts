/**
 * A child process that creates orders as fast as it can through the generated function, some in flight at a time, with the default ledger
 * below its folder. It tells on standard output (a file) what it does: `started N` before a call, `answered N` after it.
 * Arguments: folder, URL of the service, number of orders, how many in flight.
 */
import { writeSync } from "node:fs";
import { createRuntime } from "../../generated/index.js";
import { createOrder } from "../../generated/order-desk/index.js";

const [directory = "", url = "", orders = "0", inFlight = "1"] = process.argv.slice(2);

const runtime = createRuntime({
  directory,
  inherit: false,
  credentials: { ORDERS_URL: url, ORDERS_TOKEN: "t-0k3n-of-the-writer" },
  handlers: {
    "order-desk/quote-shipping": () => ({ price: 0, currency: "EUR" }),
  },
});

const lines = [{ sku: "LAMP-OAK", quantity: 1, price: 8900 }];
let next = 0;

async function write(): Promise<void> {
  while (next < Number(orders)) {
    const reference = `${next}`;
    next += 1;
    writeSync(1, `started ${reference}\n`);
    const answer = await createOrder({ customer_id: "cus_load", reference, lines }, { runtime });
    if (answer.status !== "success") throw new Error(answer.status);
    writeSync(1, `answered ${reference}\n`);
  }
}

await Promise.all(Array.from({ length: Number(inFlight) }, write));
await runtime.close();
