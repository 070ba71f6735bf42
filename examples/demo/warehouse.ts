import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openPglite } from "@skillc/runtime/pglite";
import { lowStock, moveStock } from "../../generated/warehouse/index.js";
import { root } from "./command.js";
import { aside, heading, show, showRows, showYaml, source } from "./screen.js";

/** A PostgreSQL in this process. It loses its data when the process ends. */
export const warehouseUrl = "pglite://:memory:";

const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** Calls two SQL tools on a database with the tables and data of examples/warehouse. */
export async function showWarehouse(): Promise<void> {
  const skillFile = "skills/warehouse/metadata.yaml";
  heading("SQL is checked against the real schema", skillFile);
  showYaml(read(skillFile), "  low-stock:", "ORDER BY left_over");
  aside("    │ PostgreSQL itself has parsed, described and planned it while it was compiled.");

  heading("The functions run it", `WAREHOUSE_URL=${warehouseUrl}`);
  process.stdout.write("  starting PostgreSQL in this process, with examples/warehouse … ");
  const since = performance.now();
  const engine = await openPglite(warehouseUrl);
  await engine.exec(read("examples/warehouse/schema.sql"));
  await engine.exec(read("examples/warehouse/data.sql"));
  console.log(`${((performance.now() - since) / 1000).toFixed(1)} s\n`);

  source(`await lowStock({ below: 100 })`);
  const { data } = await lowStock({ below: 100 });
  showRows(data);

  const movement = { sku: "MUG-BLUE", location: "A-01", reason: "order" } as const;
  source(`await moveStock({ sku: "MUG-BLUE", location: "A-01", reason: "order", quantity: -20 })`);
  show(await moveStock({ ...movement, quantity: -20 }));

  source(
    `await moveStock({ …, quantity: -200 })   // more than there is: the database's own constraint, an answer`,
  );
  show(await moveStock({ ...movement, quantity: -200 }));
}
