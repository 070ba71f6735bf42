import { expect, test } from "vitest";
import { planWorkflow } from "../../../../../src/bindings/plan/run/dbos/index.js";
import { ownDatabase } from "../../../../runtime/ledger/kinds.js";
import { postgresService } from "../../../../support/postgres.js";
import { describeWithService } from "../../../../support/service.js";
import { governed } from "../governed-project.js";
import { createMemoryRuns } from "../memory-runs.js";
import { type Any, planOf, writes } from "../plan-project.js";
import { launch } from "./launched.js";

await describeWithService(postgresService, () => {
  const database = ownDatabase();

  // DBOS looks every ten seconds.
  test("a time limit of DBOS cancels a workflow that waits", async () => {
    const { runtime } = governed(
      { w: () => 2 },
      {},
      {
        options: { runs: createMemoryRuns() },
        tools: { w: { approval: { ttlMs: 60_000 } } as Any },
      },
    );
    const plan = planOf([writes("1", "w")]);
    const workflow = await launch(database().url, () =>
      planWorkflow(plan, { name: "desk/plan", runtime }),
    );
    const handle = await workflow.start({}, { timeoutMS: 300 });
    await expect(handle.getResult()).rejects.toThrow(/cancelled/);
  });
});
