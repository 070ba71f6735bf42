import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { approvalProjects, key, startService } from "./support/approval-project.js";

const bin = fileURLToPath(new URL("../../dist/cli/bin.js", import.meta.url));
const run = promisify(execFile);
const projectOf = approvalProjects();

/** Runs the built command line in a process of its own. */
async function skillc(cwd: string, env: Readonly<Record<string, string>>, argv: readonly string[]) {
  try {
    const { stdout, stderr } = await run(process.execPath, [bin, ...argv], {
      cwd,
      env: { PATH: process.env["PATH"], ...env },
    });
    return { code: 0, stdout, stderr };
  } catch (error) {
    // What `execFile` rejects with when the process exits with a code other than 0.
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
}

test("a call in one process is made after an approval in another, also with masked parameters", async () => {
  const { bodies, url } = await startService();
  const root = projectOf("key: ${GOVERNANCE_KEY}\n");
  const env = { ORDERS_URL: url, GOVERNANCE_KEY: key };
  for (const [tool, args] of [
    ["refund", '{"order_id":"7"}'],
    ["refund-card", '{"card":"4711"}'],
  ] as const) {
    const call = () =>
      skillc(root, env, [
        "call",
        `desk/${tool}`,
        "--args",
        args,
        "--caller",
        '{"tenant":"acme","subject":"ada"}',
        "--json",
      ]);
    const denied = JSON.parse((await call()).stdout) as {
      readonly error: { readonly code: string; readonly request: { readonly id: string } };
    };
    expect(denied.error.code).toBe("AUTH.APPROVAL_REQUIRED");
    const { id } = denied.error.request;
    const approve = ["approvals", "approve", id, "--as", "grace"];
    expect(await skillc(root, env, approve)).toMatchObject({ code: 0, stderr: "" });
    expect(await call()).toMatchObject({ code: 0 });
    expect(bodies.at(-1)).toBe(args);
  }
  expect(bodies).toHaveLength(2);
});

test("one of two processes that approve and deny at once wins, and the other says so", async () => {
  const { bodies, url } = await startService();
  const root = projectOf();
  const env = { ORDERS_URL: url };
  const call = () =>
    skillc(root, env, [
      "call",
      "desk/refund",
      "--args",
      '{"order_id":"7"}',
      "--caller",
      '{"subject":"ada"}',
      "--json",
    ]);
  const { error } = JSON.parse((await call()).stdout) as {
    readonly error: { readonly request: { readonly id: string } };
  };
  const [approved, denied] = await Promise.all([
    skillc(root, env, ["approvals", "approve", error.request.id, "--as", "grace"]),
    skillc(root, env, ["approvals", "deny", error.request.id, "--as", "eve"]),
  ]);
  expect([approved.code, denied.code].toSorted()).toEqual([0, 1]);
  expect(approved.code === 0 ? denied.stderr : approved.stderr).toMatch(/was (approved|denied)/);
  expect((await call()).code).toBe(approved.code);
  expect(bodies).toHaveLength(approved.code === 0 ? 1 : 0);
});
