/** `skillc call` and `skillc rollback` with a ledger and a store in PostgreSQL. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { migrateGovernance } from "../../../src/runtime/governance/store/postgres/postgres-store.js";
import { migratePostgresLedger } from "../../../src/runtime/ledger/postgres/index.js";
import { ownDatabase } from "../../runtime/ledger/kinds.js";
import { postgresService } from "../../support/postgres.js";
import { describeWithService } from "../../support/service.js";
import { bin, desk, env, project } from "./rollback-project.js";

await describeWithService(postgresService, () => {
  const database = ownDatabase();

  test("only one of two processes undoes a call, and nobody undoes it again", async () => {
    const { url } = database();
    await migratePostgresLedger({ connectionString: url });
    await migrateGovernance({ url });
    const settings = { DESK_LEDGER: url, DESK_STORE: url };
    const { call, log, root, run, undo } = await project(
      {
        ...desk({ governance: { limits: { calls_per_minute: 100 } } }),
        "skillc.yaml": "ledger: ${DESK_LEDGER}\nstore: ${DESK_STORE}\nkey: ${DESK_KEY}\n",
      },
      settings,
    );
    const caller = ["--caller", '{"tenant":"acme","subject":"ada"}'];
    const id = await call("desk/create", "a", ...caller);
    expect(id).not.toBe("");
    expect(existsSync(join(root, ".skillc/ledger"))).toBe(false);
    const args = [bin, "rollback", id, "--handlers", "handlers.mjs", ...caller];
    const ends = await Promise.all(
      [1, 2].map(async () => {
        const options = { cwd: root, env: { ...env, ...settings }, stdio: "ignore" } as const;
        const [code] = (await once(spawn(process.execPath, args, options), "close")) as [number];
        return code;
      }),
    );
    expect(ends.toSorted()).toEqual([0, 1]);
    expect(log()).toEqual(["create a", "cancel a"]);
    const again = await undo(id, ...caller);
    expect(again).toMatchObject({ code: 1 });
    expect(again.stderr).toContain("was rolled back before");
    expect(await run("ledger", "verify")).toMatchObject({ code: 0 });
  });
});
