import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { filesIn, put, skillc } from "../../cli/support/command-line.js";
import { hubTool, importAgain, importManifest, reasonsIn } from "./support.js";

const metadata = "skills/tools/metadata.yaml";
const knowledge = "skills/tools/SKILL.md";

function edit(root: string, path: string, from: string, to: string): void {
  const before = readFileSync(join(root, path), "utf8");
  expect(before).toContain(from);
  put(root, path, before.replace(from, to));
}

function change(root: string, manifest: unknown): void {
  put(root, "tools.json", JSON.stringify(manifest));
}

const two = [hubTool("list_files"), hubTool("count_words", { name: "Count" })];

test("importing again changes nothing when neither side did", async () => {
  const { root } = await importManifest(two);
  const before = filesIn(root);
  const { code, report, told } = await importAgain(root);
  expect([code, told, report.changes]).toEqual([0, [], { skills: [], tooLow: [], verdict: null }]);
  expect(filesIn(root)).toEqual(before);
});

test("importing again keeps what people wrote, and brings what the hub changed", async () => {
  const { root } = await importManifest(two);
  edit(root, metadata, "  list-files:", "  # Ask Ada first.\n  list-files:\n    tags: [desk]");
  edit(root, metadata, "Does list_files.", "Lists files.");
  edit(root, knowledge, "Each tool starts", "Never on a Sunday. Each tool starts");
  change(root, [
    hubTool("list_files", { timeout_sec: 90 }),
    hubTool("count_words", { name: "Count words" }),
    hubTool("search"),
  ]);
  const checked = await importAgain(root, ["--check"]);
  expect(checked.told.map(({ code, file }) => [code, file])).toEqual([
    ["import/out-of-date", knowledge],
    ["import/out-of-date", metadata],
  ]);
  const { code, files, report, told } = await importAgain(root);
  expect([code, told]).toEqual([0, []]);
  expect(files[metadata]).toContain("# Ask Ada first.");
  expect(files[metadata]).toContain("Lists files.");
  expect(files[metadata]).toContain("timeout_ms: 90000");
  expect(files[metadata]).toContain("display_name: Count words");
  expect(files[metadata]).toContain("search:");
  expect(files[knowledge]).toContain("Never on a Sunday.");
  expect(report.changes).toMatchObject({ verdict: "minor" });
  expect((await importAgain(root, ["--check"])).code).toBe(0);
});

test("a place that both changed is reported, and keeps the person's change", async () => {
  const { root } = await importManifest(two);
  edit(root, metadata, "/app/list_files.py", "/srv/list.py");
  change(root, [hubTool("list_files", { command: ["python3", "/opt/list.py"] }), two[1]]);
  const { files, told } = await importAgain(root);
  expect(told.map(({ code, message }) => [code, message])).toEqual([
    ["import/conflict", "you and the hub manifest changed `command`: the import keeps your text"],
  ]);
  expect(files[metadata]).toContain("/srv/list.py");
});

test("a choice is made once, and a tool that the hub removed goes", async () => {
  const { root } = await importManifest(
    [...two, hubTool("search", { args_schema: { properties: { text: { type: "string" } } } })],
    ["--only", "search", "list_files", "--arguments", "flags", "--skill", "desk"],
  );
  const path = "skills/desk/metadata.yaml";
  expect(readFileSync(join(root, path), "utf8")).toContain("--text={text?}");
  change(root, [two[1], hubTool("list_files")]);
  const { code, files, report } = await importAgain(root);
  expect(code).toBe(0);
  expect(Object.keys(files)).toEqual(["skills/desk/SKILL.md", path]);
  expect(files[path]).not.toMatch(/search|count-words/);
  expect(report.changes).toMatchObject({ verdict: "major" });
});

test("another hub manifest of the same name is not taken for a new version", async () => {
  const { root } = await importManifest(two);
  put(root, "other/tools/tools.json", JSON.stringify([hubTool("deploy")]));
  const { code, told } = await importAgain(root, ["other/tools/tools.json"]);
  expect([code, told.map((each) => each.code)]).toEqual([1, ["import/other-document"]]);
  const named = await importAgain(root, ["other/tools/tools.json", "--name", "desk"]);
  expect(Object.keys(named.files)).toContain("skills/desk/metadata.yaml");
});

test("a script that lies beside SKILL.md makes its tool compile", async () => {
  const manifest = [hubTool("count", { command: ["python3", "./count.py"] }), hubTool("list")];
  const first = await importManifest(manifest);
  expect(reasonsIn(first)["count"]).toContain("./count.py");
  put(first.root, "skills/tools/count.py", "print(1)\n");
  const { files, report } = await importAgain(first.root);
  expect(report.tools.map(({ tool }) => tool)).toEqual(["count", "list"]);
  expect(files[metadata]).toContain("./count.py");
});

test("a tool that the hub has disabled begins paused, until the hub enables it", async () => {
  const { files, root } = await importManifest([hubTool("list", { is_enabled: false })]);
  expect(files[metadata]).toContain("state: paused");
  expect((await skillc(root, ["generate"])).code).toBe(0);
  const policy = (): string => readFileSync(join(root, "generated/policy.ts"), "utf8");
  expect(policy()).toMatch(/"?state"?: "paused"/);
  change(root, [hubTool("list", { is_enabled: true })]);
  const { report } = await importAgain(root);
  expect(report.changes).toMatchObject({ verdict: "minor" });
  expect((await skillc(root, ["generate"])).code).toBe(0);
  expect(policy()).not.toContain("paused");
});

test("a write gets a backup of its folders, and a read or a confined process gets none", async () => {
  const { files } = await importManifest([
    hubTool("a", { risk_level: "write", allowed_paths: ["/data/{x}"] }),
    hubTool("b", { risk_level: "exec_low", executor: "host", allowed_paths: [] }),
    hubTool("c", { risk_level: "read" }),
    hubTool("d", { risk_level: "write", executor: "sandbox", allowed_paths: [] }),
  ]);
  const { tools_schema: tools } = parse(files[metadata] ?? "");
  expect(["a", "b", "c", "d"].map((name) => tools[name].rollback)).toEqual([
    { strategy: "backup", paths: ["/data/{{x}}"] },
    { strategy: "none", reason: "the hub does not say which files the command changes" },
    undefined,
    undefined,
  ]);
});

test("an image that skillc.yaml names is used for the hub's container", async () => {
  const image = `python@sha256:${"0123456789abcdef".repeat(4)}`;
  const { files } = await importManifest([hubTool("a", { executor: "docker" })], [], {
    "skillc.yaml": `commands: { docker: { image: "${image}" } }\n`,
  });
  expect(files[metadata]).toContain("executor: docker");
  expect(files[metadata]).not.toContain("image");
});
