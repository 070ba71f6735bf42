import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { path, paths } from "../../../../src/bindings/command/run/arguments.js";
import { governance, createMemoryStore } from "../../../../src/runtime/governance/index.js";
import { pathPolicy } from "../../../runtime/governance/path-policy.js";
import { projectWith } from "./support.js";

const caller = { tenant: "acme", subject: "ada" };

/** A project with a command that prints files of `work`, and a policy about `work/private`. */
function guarded(guard: string) {
  const policy = pathPolicy({
    toolId: "desk/do-it",
    parameters: ["folder"],
    text: `forbid(principal, action, resource) ${guard};`,
    tool: { effect: "read", capabilities: ["proc.exec cat", "fs.read work"] },
  });
  const made = projectWith(
    {
      executor: "host",
      argv: (p) => [
        "cat",
        path("/folder", String(p["folder"]), "/a.txt"),
        ...paths("/files", p["files"] as readonly string[] | undefined),
      ],
      cwd: "work",
      read: ["work"],
    },
    { governance: governance({ policy, store: createMemoryStore() }) },
  );
  for (const name of ["open", "private"]) {
    mkdirSync(join(made.directory, "work", name), { recursive: true });
    writeFileSync(join(made.directory, "work", name, "a.txt"), name);
  }
  symlinkSync("../private", join(made.directory, "work/open/folder"));
  symlinkSync("../private/a.txt", join(made.directory, "work/open/link.txt"));
  return made;
}

test.each([
  'when { context.paths.contains("work/private") }',
  'unless { context.within.contains("work/open") }',
])("a policy %s sees the paths that a command gets", async (guard) => {
  const { call, errorOf } = guarded(guard);
  const open = { folder: "open", files: ["open/a.txt"] };
  expect(await call(open, { caller })).toMatchObject({ data: "openopen" });
  for (const params of [
    { folder: "private" },
    { folder: "./open/../private" },
    { folder: "open/folder" },
    { folder: "open", files: ["open/a.txt", "open/link.txt"] },
    { folder: "open", files: ["open/folder/gone.txt"] },
  ])
    expect(await errorOf(params, { caller })).toMatchObject({
      failure: { code: "AUTH.FORBIDDEN" },
    });
});

test("a policy sees a parameter of a command as an absolute path", async () => {
  const { call, errorOf } = guarded('when { context.args.folder like "*/work/private" }');
  expect(await call({ folder: "open" }, { caller })).toMatchObject({ data: "open" });
  expect(await errorOf({ folder: "open/folder" }, { caller })).toMatchObject({
    failure: { code: "AUTH.FORBIDDEN" },
  });
});
