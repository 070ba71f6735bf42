/**
 * Makes one call of a generated tool, and then leaves it to Node.js to end the process. Arguments:
 * folder, URL, `read` or `write`.
 */
import { configure } from "../../../generated/index.js";
import { createOrder, getOrder } from "../../../generated/order-desk/index.js";
import { apiBuilder } from "../../../examples/demo/api-builder.js";

const [, , directory = "", url = "", effect = "read"] = process.argv;
configure({
  directory,
  credentials: { ORDERS_URL: url, ORDERS_TOKEN: "t-0k3n" },
  handlers: { ...apiBuilder, "order-desk/quote-shipping": () => ({ price: 0, currency: "EUR" }) },
});

const lines = [{ sku: "LAMP-OAK", quantity: 1, price: 8900 }];
const answer =
  effect === "read"
    ? await getOrder({ order_id: "ord_1001" })
    : await createOrder({ customer_id: "cus_ada", lines });
console.log(answer.status);
