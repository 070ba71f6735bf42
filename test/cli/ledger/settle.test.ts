import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFileLedger } from "../../../src/runtime/ledger/files/file-store.js";
import { entryOf } from "../../../src/runtime/ledger/store.js";
import {
  appendWrite,
  beginRecord,
  fileIn,
  filesIn,
  linesIn,
  temporaryDirectory,
} from "../../runtime/ledger/fixtures.js";
import { makeProject, put, skillc } from "../support/command-line.js";

/** A project whose application, which has the ledger open, made a write that ended, and two that didn't. */
function project(directory?: string) {
  const root = makeProject({ "skillc.yaml": "skills: skills\n" });
  const folder = directory ?? join(root, ".skillc/ledger");
  const ledger = createFileLedger({ directory: folder });
  appendWrite(ledger, { id: "aaaa-1" });
  for (const id of ["bbbb-1", "bbbb-2"]) ledger.append(entryOf(beginRecord({ id })));
  const settle = (...args: readonly string[]) => skillc(root, ["ledger", "settle", ...args]);
  return { folder, root, settle };
}

const found = ["--as", "done", "--because", "the shop lists ord_1001"];

test("settles a write by the beginning of its id, and every command shows the reason", async () => {
  const { root, settle } = project();
  const { code, stdout, stderr } = await settle("bbbb-1", ...found);
  expect(code).toBe(0);
  expect(stderr).toMatch(/^note: the process of the call may still run here/);
  expect(stdout).toMatch(/^order-desk\/create-order {2}settled-done$/m);
  for (const argv of [["show", "bbbb-1"], ["verify"]]) {
    const shown = (await skillc(root, ["ledger", ...argv])).stdout;
    expect(shown).toMatch(/done.*\n?.*the shop lists ord_1001/);
  }
  expect((await skillc(root, ["ledger", "list"])).stdout).toMatch(/^bbbb-1 .* settled-done/m);
  expect((await skillc(root, ["ledger", "report"])).stdout).toContain("settled-done");
  const open = await skillc(root, ["ledger", "list", "--status", "unknown", "--json"]);
  expect(JSON.parse(open.stdout)).toMatchObject({ calls: [{ id: "bbbb-2" }] });
});

test("prints the call as JSON, as `show` does", async () => {
  const { settle } = project();
  const { code, stdout } = await settle("bbbb-2", ...found, "--json");
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    id: "bbbb-2",
    outcome: "settled",
    settlement: { as: "done", because: "the shop lists ord_1001" },
  });
});

describe("skillc ledger settle", () => {
  test.each([
    ["an id that no call has", ["cccc", ...found], 1, "no call has an id that begins with `cccc`"],
    ["one that several have", ["bbbb", ...found], 1, "the ids of several calls begin with"],
    ["a call that ended", ["aaaa", ...found], 1, "has a known outcome: it ended as `success`"],
    [
      "a correction of nothing",
      ["bbbb-1", ...found, "--correct"],
      1,
      "there is nothing to correct",
    ],
    ["no reason", ["bbbb-1", "--as", "done"], 2, "--because"],
    ["no outcome", ["bbbb-1", "--because", "x"], 2, "--as"],
    ["another outcome", ["bbbb-1", "--as", "maybe", "--because", "x"], 2, "done, not-done"],
    ["a blank reason", ["bbbb-1", "--as", "done", "--because", " "], 2, "`--because` is blank"],
    [
      "a reason that is too long",
      ["bbbb-1", "--as", "done", "--because", "x".repeat(501)],
      2,
      "`--because` has 501 characters, but at most 500 are allowed",
    ],
    ["an empty id, which every id begins with", ["", ...found], 2, "the id is empty"],
  ])("rejects %s, and writes nothing", async (_, args, exit, told) => {
    const { folder, settle } = project();
    const { code, stderr, stdout } = await settle(...args);
    expect(stderr).toContain(told);
    expect(stdout).toBe("");
    expect(code).toBe(exit);
    expect(filesIn(folder)).toHaveLength(1);
  });

  test("rejects a call that is already settled, unless it is a correction", async () => {
    const { folder, settle } = project();
    await settle("bbbb-1", ...found);
    const other = ["bbbb-1", "--as", "not-done", "--because", "asked again"];
    const refused = await settle(...other);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/was settled as `done` at .*: the shop lists ord_1001/);
    expect(refused.stderr).toContain("add `--correct`");
    expect(filesIn(folder)).toHaveLength(2);
    const corrected = await settle(...other, "--correct");
    expect(corrected.stdout).toMatch(/not-done, at .*, which replaces an earlier finding/);
  });

  test("rejects a link in place of the ledger", async () => {
    const elsewhere = temporaryDirectory();
    const { root, settle } = project(elsewhere);
    mkdirSync(join(root, ".skillc"));
    symlinkSync(elsewhere, join(root, ".skillc/ledger"));
    const { code, stderr } = await settle("bbbb-1", ...found);
    expect(stderr).toMatch(/^error: the ledger can't be written: /);
    expect(code).toBe(1);
    expect(filesIn(elsewhere)).toHaveLength(1);
  });
});

test("writes no credential of the project's tools into the record, and no control character onto the console", async () => {
  const { folder, root, settle } = project();
  put(root, ".env", "ORDERS_TOKEN=tok-4711-secret\n");
  const skill =
    "---\nname: a\ndescription: A.\ntools:\n  b:\n    description: B.\n    binding:\n" +
    "      type: http\n      method: GET\n      url: https://a.example/b\n" +
    '      headers: { Authorization: "Bearer ${ORDERS_TOKEN}" }\n---\nB.\n';
  put(root, "skills/a/SKILL.md", skill);
  expect((await skillc(root, ["generate"])).code).toBe(0);
  const reason = "curl -H 'X-Key: tok-4711-secret' \u001b[2J shows it";
  const { stdout } = await settle("bbbb-1", "--as", "done", "--because", reason);
  expect(stdout).toContain("curl -H 'X-Key: ${ORDERS_TOKEN}' \\u001b[2J shows it");
  expect(linesIn(fileIn(folder, 1)).join("\n")).not.toContain("tok-4711-secret");
});
