/**
 * A child process that creates orders through the generated function, several at a time, with the
 * default ledger below its folder. It prints `started N` before a call and `answered N` after it;
 * standard output is a file. Arguments: folder, URL of the service, number of orders, number of
 * concurrent calls.
 */
import { writeSync } from "node:fs";
import { createRuntime } from "../../generated/index.js";
import { createOrder } from "../../generated/order-desk/index.js";
import { apiBuilder } from "../../examples/demo/api-builder.js";

const [directory = "", url = "", orders = "0", inFlight = "1"] = process.argv.slice(2);

const runtime = createRuntime({
  directory,
  inherit: false,
  credentials: { ORDERS_URL: url, ORDERS_TOKEN: "t-0k3n-of-the-writer" },
  handlers: {
    ...apiBuilder,
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
