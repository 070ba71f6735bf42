import { mkdirSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { FileContract } from "../../../../src/bindings/file/run/contract.js";
import { below, folderPath, path } from "../../../../src/bindings/file/run/file-path.js";
import { judging } from "../../../../src/bindings/file/run/judging.js";
import { preflight } from "../../../../src/runtime/call/preflight.js";
import type { CallOptions } from "../../../../src/runtime/call/call-options.js";
import { PathChanged } from "../../../../src/runtime/files/open-judged.js";
import { createMemoryStore, governance } from "../../../../src/runtime/governance/index.js";
import type { GovernedTool } from "../../../../src/runtime/governance/policy.js";
import { createMemoryLedger } from "../../../../src/runtime/ledger/memory-store.js";
import { queryStore } from "../../../../src/runtime/ledger/query.js";
import { credential } from "../../../../src/runtime/values/text.js";
import { pathPolicy } from "../../../runtime/governance/path-policy.js";
import { notesProject, type Operation, type Params } from "./support.js";

const caller = { tenant: "acme", subject: "ada" };

interface Guard {
  readonly operation?: Operation;
  readonly parameters?: readonly string[];
  readonly contract?: Partial<FileContract<Params>>;
  readonly tool?: Partial<GovernedTool>;
}

/** A project with `notes/open` and `notes/private`, and one tool that a policy guards. */
function guarded(
  policyText: (directory: string) => string,
  { contract = {}, operation = "write", parameters = ["path"], tool = {} }: Guard = {},
) {
  const ledger = createMemoryLedger();
  const effect = operation === "read" ? "read" : "write";
  const made = notesProject((directory) => ({
    ledger,
    credentials: { NOTES: join(directory, "notes") },
    governance: governance({
      policy: pathPolicy({
        toolId: `desk/${operation}`,
        parameters,
        text: policyText(directory),
        tool: { effect, capabilities: ["fs.read .", "fs.write .", "fs.read ${NOTES}"], ...tool },
      }),
      store: createMemoryStore(),
    }),
  }));
  for (const name of ["open", "private"]) {
    mkdirSync(join(made.directory, "notes", name));
    writeFileSync(join(made.directory, "notes", name, "a.md"), name);
  }
  symlinkSync("../private/a.md", join(made.directory, "notes/open/link.md"));
  symlinkSync("../private", join(made.directory, "notes/open/folder"));
  symlinkSync("../open/a.md", join(made.directory, "notes/private/open.md"));
  const outcome = async (params: Params, options: CallOptions = {}): Promise<string> => {
    const ended = made.call(operation, params, { contract, caller, ...options });
    return ended.then(
      ({ status }) => status,
      (error: { readonly failure?: { readonly code: string } }) => error.failure?.code ?? "thrown",
    );
  };
  return { ...made, ledger, outcome };
}

const forbidPrivate = () =>
  'forbid(principal, action, resource) when { context.paths.contains("notes/private") };';
const onlyOpen = () =>
  'forbid(principal, action, resource) unless { context.within.contains("notes/open") };';

/** Spellings of files in `notes/private`. */
const spellings: readonly (readonly [string, (directory: string) => string])[] = [
  ["plainly", () => "notes/private/a.md"],
  ["by `.` and empty parts", () => "./notes//./private/a.md"],
  ["by `..`", () => "notes/open/../private/a.md"],
  ["by a link to the file", () => "notes/open/link.md"],
  ["by a link to the folder", () => "notes/open/folder/a.md"],
  ["by a new file below a link", () => "notes/open/folder/new.md"],
  ["by an absolute path", (directory) => join(directory, "notes/private/a.md")],
  ["by `..` after a link", () => "notes/open/folder/../../private/a.md"],
];

describe.each([
  ["`context.paths`", forbidPrivate],
  ["`context.within`", onlyOpen],
  [
    "an absolute name in `context.paths`",
    (directory: string) =>
      `forbid(principal, action, resource) when { context.paths.contains("${directory}/notes/private") };`,
  ],
  [
    "the parameter itself",
    () =>
      'forbid(principal, action, resource) when { context.args.path like "*/notes/private/*" };',
  ],
])("a policy that asks %s", (_, policy) => {
  test.each(spellings)("forbids a file of the folder that is named %s", async (__, spelling) => {
    const { directory, outcome, textOf } = guarded(policy);
    const params = { path: spelling(directory), text: "changed", overwrite: true };
    expect(await outcome(params)).toBe("AUTH.FORBIDDEN");
    expect(await outcome(params, { mode: "shadow" })).toBe("AUTH.FORBIDDEN");
    expect(textOf("notes/private/a.md")).toBe("private");
  });

  test("permits a file outside of the folder, also by a link from there", async () => {
    const { outcome, textOf } = guarded(policy);
    const params = { text: "changed", overwrite: true };
    expect(await outcome({ ...params, path: "notes/open/a.md" })).toBe("success");
    expect(await outcome({ ...params, path: "notes/private/open.md" })).toBe("success");
    expect(textOf("notes/open/a.md")).toBe("changed");
  });
});

test("a path outside the allowed folders is rejected as before if no policy forbids it", async () => {
  const { outcome } = guarded(forbidPrivate);
  for (const each of ["/etc/passwd", "notes/../../x", "notes/a\0b", "notes/\ud800"])
    expect(await outcome({ path: each, text: "x" })).toBe("SCHEMA.VALIDATION_FAILED");
});

test.each([
  { path: "notes/open/a.md", to: "notes/open/folder/b.md" },
  { path: "notes/open/link.md", to: "notes/open/b.md" },
])("a policy sees both paths of a move: %j", async (params) => {
  for (const policy of [forbidPrivate, onlyOpen]) {
    const parameters = ["path", "to"];
    const { outcome } = guarded(policy, { operation: "move", parameters });
    expect(await outcome(params)).toBe("AUTH.FORBIDDEN");
    expect(await outcome({ path: "notes/open/a.md", to: "notes/open/c.md" })).toBe("success");
  }
});

test("a policy sees the path that a template makes of a parameter", async () => {
  const request = (p: Params) => ({ path: path("./notes/", below("/name", String(p["name"]))) });
  const contract = { request } as unknown as Partial<FileContract<Params>>;
  const { outcome } = guarded(forbidPrivate, { operation: "read", parameters: ["name"], contract });
  expect(await outcome({ name: "open/a.md" })).toBe("success");
  expect(await outcome({ name: "private/a.md" })).toBe("AUTH.FORBIDDEN");
  expect(await outcome({ name: "open/folder/a.md" })).toBe("AUTH.FORBIDDEN");
});

test("a policy sees a path with the value of its setting", async () => {
  const request = (p: Params) => ({
    path: path(credential("NOTES"), "/", below("/name", String(p["name"]))),
  });
  const contract = {
    request,
    allowed: [credential("NOTES")],
  } as unknown as Partial<FileContract<Params>>;
  const { outcome } = guarded(forbidPrivate, { operation: "read", parameters: ["name"], contract });
  expect(await outcome({ name: "open/a.md" })).toBe("success");
  expect(await outcome({ name: "open/link.md" })).toBe("AUTH.FORBIDDEN");
});

test("a dry run asks the policy about the same path", async () => {
  const { call, runtime } = guarded(forbidPrivate, { operation: "read" });
  const fly = (given: string) =>
    preflight(
      (params: Params, options?: CallOptions) => call("read", params, { ...options }),
      { path: given },
      {
        runtime,
        caller,
      },
    );
  expect(await fly("notes/open/link.md")).toMatchObject({
    allow: false,
    reason: { code: "AUTH.FORBIDDEN" },
  });
  expect(await fly("notes/open/a.md")).toMatchObject({ allow: true });
});

test("a path that leads elsewhere since the decision is not used", () => {
  const { directory } = notesProject();
  symlinkSync("private.md", join(directory, "notes/a.md"));
  const rules = { access: "read" } as const;
  const decidedPaths = new Set([join(directory, "notes/a.md")]);
  const place = { directory, decidedPaths, open: (name: string) => name };
  const { judge } = judging([folderPath("./notes")], rules, place);
  expect(() => judge(path("notes/a.md"))).toThrow(PathChanged);
  const other = new Set([join(directory, "notes/private.md")]);
  const { path: real } = judging([folderPath("./notes")], rules, {
    ...place,
    decidedPaths: other,
  }).judge(path("notes/a.md"));
  expect(real).toBe(join(directory, "notes/private.md"));
});

test("an approval permits the file that its request shows, and no other behind the same path", async () => {
  const tool = { approval: { conditional: false, ttlMs: 60_000 } } as const;
  const params = { path: "notes/open/late.md", text: "x", overwrite: true };
  const { call, directory, errorOf, ledger, runtime } = guarded(allowNotes, { tool });
  const place = join(directory, "notes/open/late.md");
  symlinkSync("a.md", place);
  const asked = await errorOf("write", params, { caller });
  if (asked.failure.code !== "AUTH.APPROVAL_REQUIRED") throw asked;
  const id = await runtime.approve(asked.failure.request, { subject: "grace" });
  unlinkSync(place);
  symlinkSync("../private/a.md", place);
  expect(await errorOf("write", params, { caller, approval: id })).toMatchObject({
    failure: { code: "AUTH.APPROVAL_REQUIRED", reason: "other-call" },
  });
  unlinkSync(place);
  symlinkSync("a.md", place);
  expect(await call("write", params, { caller, approval: id })).toMatchObject({
    status: "success",
  });
  const requests: unknown[] = [];
  for await (const each of queryStore(ledger, { status: "denied" }))
    if (each.outcome === "ended") requests.push(each.request);
  expect(requests).toMatchObject([
    { path: params.path, paths: ["notes/private/a.md"] },
    { path: params.path, paths: ["notes/open/a.md"] },
  ]);
});

function allowNotes(): string {
  return 'forbid(principal, action, resource) unless { context.within.contains("notes") };';
}
