/** `skillc rollback` end to end: calls that the command line made, and undoes. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { userInfo } from "node:os";
import { describe, expect, test } from "vitest";
import { bin, desk, env, killedHandlers, project } from "./rollback-project.js";

describe("skillc rollback", () => {
  test("undoes a call by the other tool, and the rollback too", async () => {
    const { call, log, run, undo } = await project();
    const id = await call("desk/create", "a");
    const dry = await undo(id.slice(0, 8), "--dry-run");
    expect(dry).toMatchObject({ code: 0 });
    expect(dry.stdout).toContain("would be rolled back");
    expect(log()).toEqual(["create a"]);
    const made = await undo(id.slice(0, 8), "--json");
    expect(made).toMatchObject({ code: 0 });
    const { by, status } = JSON.parse(made.stdout) as { by: string; status: string };
    expect(status).toBe("rolled_back");
    expect(log()).toEqual(["create a", "cancel a"]);
    const { stdout } = await run("ledger", "show", id);
    expect(stdout).toContain("a call of desk/cancel");
    expect(stdout).toContain(`rolled back      by ${by}`);
    expect((await run("ledger", "show", by)).stdout).toContain(`undoes           ${id}`);
    const again = await undo(id);
    expect(again).toMatchObject({ code: 1 });
    expect(again.stderr).toContain(`skillc rollback ${by}`);
    expect(await undo(by)).toMatchObject({ code: 0 });
    expect(log()).toEqual(["create a", "cancel a", "create a"]);
  });

  test("only one of several processes at the same time undoes a call", async () => {
    const { call, log, root } = await project();
    const id = await call("desk/create", "a");
    const args = [bin, "rollback", id, "--handlers", "handlers.mjs"];
    const ends = await Promise.all(
      [1, 2, 3].map(async () => {
        const child = spawn(process.execPath, args, { cwd: root, env, stdio: "ignore" });
        const [code] = (await once(child, "close")) as [number];
        return code;
      }),
    );
    expect(ends.toSorted()).toEqual([0, 1, 1]);
    expect(log()).toEqual(["create a", "cancel a"]);
  });

  test("a rollback that was killed during the other tool's call is not repeated without a reason", async () => {
    const { call, log, root, run, undo } = await project({ "handlers.mjs": killedHandlers });
    const id = await call("desk/create", "a");
    const args = [bin, "rollback", id, "--handlers", "handlers.mjs"];
    expect(spawnSync(process.execPath, args, { cwd: root, env })).toMatchObject({
      signal: "SIGKILL",
    });
    expect(log()).toEqual(["create a", "cancel a"]);
    const { stdout } = await run("ledger", "list", "--json", "--status", "unknown");
    const [{ id: lost }] = (JSON.parse(stdout) as { calls: [{ id: string }] }).calls;
    for (const dry of [[], ["--dry-run"]]) {
      const next = await undo(id, ...dry);
      expect(next).toMatchObject({ code: 1, stdout: "" });
      expect(next.stderr).toContain(
        `nobody knows whether its earlier rollback \`${lost}\` was made`,
      );
      expect(next.stderr).toContain(`skillc ledger settle ${lost} --as done`);
    }
    expect(log()).toEqual(["create a", "cancel a"]);
    expect(await undo(id, "--force", "the shop has no cancellation")).toMatchObject({ code: 0 });
    expect(log()).toEqual(["create a", "cancel a", "cancel a"]);
    expect((await run("ledger", "list", "--json")).stdout).toContain(
      "the shop has no cancellation",
    );
    expect((await undo(id)).stderr).toContain("was rolled back before");
  });

  test("undoes a trace, and says which calls are left", async () => {
    const { call, log, run, undo } = await project();
    const trace = ["--caller", '{"trace":"t-1"}'];
    await call("desk/create", "a", ...trace);
    await call("desk/mail", "b", ...trace);
    await call("desk/create", "c", ...trace);
    const { code, stderr, stdout } = await undo("--trace", "t-1");
    expect(code).toBe(1);
    expect(stderr).toContain("an e-mail cannot be unsent");
    expect(stdout).toContain("left, and not undone");
    expect(log()).toEqual(["create a", "mail b", "create c", "cancel c"]);
    const { stdout: shown } = await run("ledger", "list", "--json");
    expect((JSON.parse(shown) as { calls: unknown[] }).calls).toHaveLength(4);
  });

  test.each([
    [[], "either a call or a trace"],
    [["x", "--trace", "t"], "either a call or a trace"],
    [["x", "--force", " "], "needs a reason"],
    [["x", "--caller", "{"], "not a caller"],
    [["--trace", "t", "--path", "a"], "cannot be used with"],
  ])("rejects %j", async (args, message) => {
    const { undo } = await project();
    const { code, stderr } = await undo(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test("names an unknown call, and the tenant that may be missing", async () => {
    const { call, undo } = await project(
      desk({ governance: { limits: { calls_per_minute: 100 } } }),
    );
    const id = await call("desk/create", "a", "--caller", '{"tenant":"acme","subject":"ada"}');
    const unknown = await undo("ffffffff");
    expect(unknown).toMatchObject({ code: 1 });
    expect(unknown.stderr).toContain("no call has an id that begins with `ffffffff`");
    const other = await undo(id);
    expect(other).toMatchObject({ code: 1 });
    expect(other.stderr).toContain('--caller \'{"tenant": "acme"');
    expect(await undo(id, "--caller", '{"tenant":"acme"}')).toMatchObject({ code: 0 });
  });

  test("the ledger marks the callers of the command line as claimed", async () => {
    const { call, run, undo } = await project(
      desk({ governance: { limits: { calls_per_minute: 100 } } }),
    );
    const id = await call("desk/create", "a", "--caller", '{"subject":"ada"}');
    const { by } = JSON.parse((await undo(id, "--json")).stdout) as { by: string };
    await undo(by, "--caller", '{"subject":"grace"}');
    const { stdout } = await run("ledger", "list", "--json");
    const { calls } = JSON.parse(stdout) as { calls: { caller: object }[] };
    expect(calls.map(({ caller }) => caller)).toEqual([
      { subject: "grace", claimed: true },
      { subject: userInfo().username, claimed: true },
      { subject: "ada", claimed: true },
    ]);
    expect((await run("ledger", "show", id)).stdout).toMatch(/caller +ada, who was not checked/);
    expect(await run("ledger", "verify")).toMatchObject({ code: 0 });
  });

  test("an approver sees how the call can be undone", async () => {
    const { run } = await project(desk({ governance: { approval: { ttl: "1h" } } }));
    for (const tool of ["create", "mail"])
      await run(
        "call",
        `desk/${tool}`,
        "--args",
        '{"id":"a"}',
        "--caller",
        '{"subject":"ada"}',
        "--handlers",
        "handlers.mjs",
      );
    const { stdout } = await run("approvals", "list", "--json");
    const { requests } = JSON.parse(stdout) as { requests: { id: string }[] };
    const shown = await Promise.all(requests.map(({ id }) => run("approvals", "show", id)));
    expect(shown.map((each) => each.stdout).join("\n")).toMatch(
      /way back {2}none: an e-mail cannot be unsent[^]*way back {2}a call of desk\/cancel/,
    );
  });
});
