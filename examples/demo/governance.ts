import { withCaller } from "@skillc/runtime";
import { governance } from "@skillc/runtime/governance";
import { configure } from "../../generated/index.js";
import { quoteShipping, refundOrder } from "../../generated/order-desk/index.js";
import { policy } from "../../generated/policy.js";
import { ownOrders } from "../../generated/warehouse/index.js";
import { root, run } from "./command.js";
import { aside, heading, show, showRefusal, showRows, showYaml, source } from "./screen.js";

type Configuration = Parameters<typeof configure>[0];

const ada = {
  tenant: "Ada",
  subject: "support-7",
  roles: ["support"],
  scopes: ["orders.refund"],
  origin: "llm",
} as const;

/** Runs tools under governance: a policy, an idempotency key, a quota and the rows of one tenant. */
export async function showGovernance(
  configuration: Configuration,
  read: (path: string) => string,
): Promise<void> {
  heading("A tool says what its callers need", "skills/order-desk/metadata.yaml");
  showYaml(read("skills/order-desk/metadata.yaml"), "    governance:", "limits:");

  heading("Policies are type-checked, and tested", "skillc policy test");
  await run("skillc", ["policy", "test", "--cwd", root]);

  const governed = governance({ policy });
  configure({ ...configuration, governance: governed });
  heading("Every call is governed", "configure({ governance: governance({ policy }) })");
  aside('  On behalf of a company, for a model: withCaller({ tenant: "Ada", … }, …)\n');
  await withCaller(ada, async () => {
    const much = { order_id: "ord_1003", amount_cents: 8900 };
    source(
      `await refundOrder({ order_id: "ord_1003", amount_cents: 8900 })   // a policy forbids it`,
    );
    await showRefusal(() => refundOrder(much));

    source(
      `await refundOrder({ order_id: "ord_1003", amount_cents: 1200 }, { idempotencyKey: "case-7" })`,
    );
    const little = { order_id: "ord_1003", amount_cents: 1200 };
    show(await refundOrder(little, { idempotencyKey: "case-7" }));
    source(`// the same again: made once, and answered as before`);
    show(await refundOrder(little, { idempotencyKey: "case-7" }));

    source(`await quoteShipping(…)   // four times in a minute: a quota of three`);
    for (let times = 0; times < 3; times += 1) await quoteShipping({ country: "DE", weight_kg: 3 });
    await showRefusal(() => quoteShipping({ country: "DE", weight_kg: 3 }));

    source(`await ownOrders({})   // whose they are, the caller says: no argument can`);
    const { data } = await ownOrders({});
    showRows(data);
  });
}
