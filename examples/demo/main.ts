/**
 * Shows skillc in a minute: compiles the skills, type-checks the generated code, calls a real
 * service and a real database, and breaks a skill.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pc from "picocolors";
import { queryLedger, shutdown } from "@skillc/runtime";
import { configure } from "../../generated/index.js";
import {
  cancelOrder,
  createOrder,
  getOrder,
  listOrders,
  quoteShipping,
} from "../../generated/order-desk/index.js";
import { startOrderService } from "../order-service/server.js";
import { apiBuilder } from "./api-builder.js";
import { showCleanUp } from "./clean-up.js";
import { root, run } from "./command.js";
import { showGovernance } from "./governance.js";
import { showOrderEvents } from "./order-events.js";
import { showPlans } from "./plans.js";
import { aside, heading, show, showTypes, showYaml, source } from "./screen.js";
import { showWarehouse, warehouseUrl } from "./warehouse.js";

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const skillFile = "skills/order-desk/metadata.yaml";
const folder = mkdtempSync(join(tmpdir(), "skillc-demo-"));

console.log(`\n${pc.bold("skillc")} compiles the tools of Agent Skills into typed functions.`);

heading("An author describes a tool", skillFile);
showYaml(read(skillFile), "  get-order:", "Authorization");
aside("    │ … then what an answer means: its statuses, and where its data is");

heading("skillc compiles it", "skillc generate");
await run("skillc", ["generate"]);
console.log("\nOut came, in generated/order-desk/get-order.ts:\n");
await showTypes(read("generated/order-desk/get-order.ts"), [
  /export interface GetOrderParams {[^]*?\n}/,
  /\/\*\* Every answer[^]*?;/,
  /export function getOrder[^{]*/,
]);

heading("TypeScript checks what came out", "tsc --noEmit");
const project = join(root, ".skillc/demo");
const typeCheck = async (callers: Readonly<Record<string, string>>, fails: boolean) => {
  mkdirSync(project, { recursive: true });
  const include = ["../../generated", "../../examples/demo", "*.ts"];
  const settings = { extends: "../../tsconfig.json", include };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify(settings));
  for (const [name, text] of Object.entries(callers)) writeFileSync(join(project, name), text);
  await run("tsc", ["--noEmit", "--project", project], { fails });
  rmSync(project, { recursive: true });
};
await typeCheck({}, false);
console.log(`${pc.green("✓")} no type errors`);

heading("… and every caller", "tsc --noEmit, with a careless caller");
const careless = `import { getOrder } from "../../generated/order-desk/index.js";

const order = await getOrder({ order_id: 1001 });
console.log(order.data.total);
`;
await typeCheck({ "careless.ts": careless }, true);

const service = await startOrderService({ token: "demo-token" });
heading("The functions call a real HTTP service", service.url);
const configuration = {
  credentials: {
    ORDERS_URL: service.url,
    ORDERS_TOKEN: "demo-token",
    WAREHOUSE_URL: warehouseUrl,
  },
  handlers: {
    ...apiBuilder,
    "order-desk/quote-shipping": ({ weight_kg }) => ({ price: 4 + 2 * weight_kg, currency: "EUR" }),
  },
  directory: folder,
} satisfies Parameters<typeof configure>[0];
configure(configuration);

source(`await listOrders({ customer_id: "cus_ada" })`);
const orders = await listOrders({ customer_id: "cus_ada" });
if (orders.status !== "success") throw new Error(orders.status);
for (const { id, status, total } of orders.data)
  console.log(`  ${id}  ${status}  ${total / 100} EUR`);
console.log();

source(`await createOrder({ customer_id: "cus_ada", reference: "A-2", lines: [lamp] })`);
const lamp = { sku: "LAMP-OAK", quantity: 1, price: 8900 };
const order = { customer_id: "cus_ada", reference: "A-2", lines: [lamp] };
show(await createOrder(order));

source(`await createOrder(…)   // the same again: an answer, not an exception`);
show(await createOrder(order));

source(`await getOrder({ order_id: "ord_9999" })`);
show(await getOrder({ order_id: "ord_9999" }));

source(`await quoteShipping({ country: "DE", weight_kg: 3 })   // this app's own`);
show(await quoteShipping({ country: "DE", weight_kg: 3 }));

heading("In shadow mode a write is recorded, not sent", `mode: shadow, in SKILL.md`);
source(`await cancelOrder({ order_id: "ord_1001" })`);
show(await cancelOrder({ order_id: "ord_1001" }));
aside("The credential stands there by its name: its value was never opened.");

await showWarehouse();
await showPlans(configuration, read);
await showGovernance(configuration, read);
await showCleanUp(configuration, read);
await service.close();
await showOrderEvents();
await shutdown();

heading(
  "Every call is in the ledger",
  "skillc ledger list && skillc ledger show && skillc ledger verify",
);
await run("skillc", ["ledger", "list", "--cwd", folder]);
console.log();
const written = { tool: "move-stock", status: "success", limit: 1 };
const calls = queryLedger({ ...written, directory: join(folder, ".skillc/ledger") });
for await (const { id } of calls) await run("skillc", ["ledger", "show", id, "--cwd", folder]);
console.log();
await run("skillc", ["ledger", "verify", "--cwd", folder]);

heading("A mistake in a skill stops here", "skillc generate, with {order_id} misspelt");
cpSync(join(root, "skills/order-desk"), join(folder, "skills/order-desk"), { recursive: true });
const broken = read(skillFile).replace("/orders/{order_id}", "/orders/{oder_id}");
writeFileSync(join(folder, skillFile), broken);
await run("skillc", ["generate", "--cwd", folder], { fails: true });
rmSync(folder, { recursive: true });

console.log(
  `\nNothing was generated from it. ${pc.bold("That is skillc;")} README.md goes on from here.\n`,
);
