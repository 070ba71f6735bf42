/** The warehouse's database is migrated, and the tools are not generated again. */
import { describe, expect, test } from "vitest";
import { cancelOrder, stockHistory, stockOf } from "../../generated/warehouse/index.js";
import { isToolError } from "../../src/runtime/index.js";
import { onEachEngine } from "./warehouse-database.js";

const drifted = "the database is not the one that the tool was generated for; generate again";

async function reasonOf(call: Promise<unknown>): Promise<unknown> {
  const thrown: unknown = await call.then(
    (answer) => new Error(`answered ${JSON.stringify(answer)}`),
    (error: unknown) => error,
  );
  if (!isToolError(thrown)) throw thrown;
  return { failure: thrown.failure, outcome: thrown.outcome };
}

function protocol(reason: string): unknown {
  const failure = { code: "PROVIDER.PROTOCOL", reason: `${reason}: ${drifted}` };
  return { failure, outcome: "not-done" };
}

await onEachEngine((desk) => {
  describe("the database after a migration that the tools don't know", () => {
    test("fails a read that meets a new label of an enum", async () => {
      const { as, rows } = desk();
      const [moved] = await rows("SELECT sku FROM movements LIMIT 1");
      await rows("ALTER TYPE movement_reason ADD VALUE IF NOT EXISTS 'theft'");
      await rows("UPDATE movements SET reason = 'theft'");
      expect(await reasonOf(stockHistory({ sku: String(moved?.["sku"]) }, as))).toEqual(
        protocol("column `reason` contains a label that its type did not have"),
      );
    });

    test("fails a read that meets NULL in a column that did not allow it", async () => {
      const { as, rows } = desk();
      const [kept] = await rows("SELECT sku FROM stock LIMIT 1");
      await rows("ALTER TABLE stock ALTER COLUMN quantity DROP NOT NULL");
      await rows("UPDATE stock SET quantity = NULL");
      expect(await reasonOf(stockOf({ sku: String(kept?.["sku"]) }, as))).toEqual(
        protocol("column `quantity` is NULL, which it could not be"),
      );
    });

    test("a write whose RETURNING gives such a label is rolled back", async () => {
      const { as, everything, rows } = desk();
      await rows("ALTER TYPE order_status ADD VALUE IF NOT EXISTS 'returned'");
      await rows(`
        CREATE OR REPLACE FUNCTION returned() RETURNS trigger LANGUAGE plpgsql
          AS $$ BEGIN NEW.status := 'returned'; RETURN NEW; END $$;
        CREATE OR REPLACE TRIGGER returned BEFORE UPDATE ON orders
          FOR EACH ROW WHEN (NEW.status = 'cancelled') EXECUTE FUNCTION returned();
      `);
      const [open] = await rows("SELECT id::text FROM orders WHERE status = 'open' LIMIT 1");
      const before = await everything();
      expect(await reasonOf(cancelOrder({ order_id: String(open?.["id"]) }, as))).toEqual(
        protocol("column `status` contains a label that its type did not have"),
      );
      expect(await everything()).toEqual(before);
    });
  });
});
