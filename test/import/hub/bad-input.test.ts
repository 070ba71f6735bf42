import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { filesIn, makeProject, put, skillc } from "../../cli/support/command-line.js";
import { hubTool, importAgain, importManifest, reasonsIn } from "./support.js";

describe("a hub manifest that can't be read", () => {
  test.each([
    ["null", "import/unknown-format"],
    ["7", "import/unknown-format"],
    ['"tools"', "import/unknown-format"],
    ["{}", "import/unknown-format"],
    ["[]", "import/unknown-format"],
    ['{ "tools": [] }', "import/unknown-format"],
    ['{ "tools": { "data": { "items": [] } } }', "import/unknown-format"],
    ['{ "openapi": "3.1.0", "paths": {} }', "import/unknown-format"],
    ['{ "name": "app", "scripts": { "build": "tsc" } }', "import/unknown-format"],
    ["", "parse/invalid-json"],
    ["{ tools: ]", "parse/invalid-json"],
    ['[{ "id": "a", "id": "b", "command": ["x"] }]', "parse/duplicate-key"],
    [`${"[".repeat(100_000)}${"]".repeat(100_000)}`, "parse/too-deep"],
    [`[${'{"id":1},'.repeat(1000)}{}]`, "import/too-large"],
    [`[${"[],".repeat(200_000)}[]]`, "parse/too-large"],
  ])("an unreadable hub manifest is one error, and writes nothing: %.60s", async (text, code) => {
    const { files, told, ...ran } = await importManifest(text);
    expect([ran.code, files]).toEqual([1, {}]);
    expect(told.map((each) => each.code)).toEqual([code]);
  });

  test("two tools with one id are an error at the second, and nothing is written", async () => {
    const { code, files, told } = await importManifest([hubTool("a"), hubTool("b"), hubTool("a")]);
    expect([code, files]).toEqual([1, {}]);
    expect(told.map((each) => [each.code, each.message])).toEqual([
      ["import/repeated-tool", "two tools have the id `a`"],
    ]);
  });

  test.each([
    [["https://hub.example.com/tools"], 2, "skillc reads hub manifests from files only"],
    [["missing.json"], 1, "there is no such file"],
    [["folder"], 1, "can't be read"],
    [["tools.json", "--skill", "No Name"], 2, "is not a valid name for a skill"],
    [["tools.json", "--skill", "skillc"], 2, "is reserved for tools of skillc itself"],
    [["tools.json", "--into", "../elsewhere"], 2, "is not a folder below"],
    [["tools.json", "--arguments", "shell"], 2, "Allowed choices are stdin, flags"],
    [["tools.json", "--only", "ghost"], 2, "`ghost` is not the id of a tool in the hub manifest"],
    [[], 2, "no hub manifest was imported into `skills` yet"],
  ])("an invalid command line has one message: %j", async (argv, code, message) => {
    const root = makeProject({ "tools.json": JSON.stringify([hubTool("a")]) });
    mkdirSync(join(root, "folder"));
    const ran = await skillc(root, ["import", "manifest", ...argv]);
    expect(ran.code).toBe(code);
    expect(ran.stderr).toContain(message);
    expect(readdirSync(root)).not.toContain("skills");
  });

  test("a second command line that hides what runs is reported", async () => {
    const { report } = await importManifest([hubTool("a", { cmd: "git status" })]);
    const told = report.tools.flatMap(({ notes }) => notes.map(({ message }) => message));
    expect(told).toEqual(["the import does not read `cmd`"]);
  });

  test("a record can't make the import read a file outside of the project", async () => {
    const root = makeProject({ "tools.json": JSON.stringify([hubTool("a")]) });
    await importAgain(root, ["tools.json"]);
    const record = "skills/.import/tools/import.json";
    put(
      root,
      record,
      JSON.stringify({
        format: 1,
        kind: "manifest",
        request: { source: "../../etc/hostname" },
        operations: {},
        files: [],
      }),
    );
    const { code, stderr } = await skillc(root, ["import", "manifest", "--check"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/outside of the project|there is no such file/);
  });

  test("a link in the place of a skill's file is not followed", async () => {
    const root = makeProject({
      "tools.json": JSON.stringify([hubTool("a")]),
      "victim.md": "mine\n",
    });
    mkdirSync(join(root, "skills/tools"), { recursive: true });
    symlinkSync(join(root, "victim.md"), join(root, "skills/tools/SKILL.md"));
    const { code } = await importAgain(root, ["tools.json"]);
    expect(code).toBe(1);
    expect(readdirSync(join(root, "skills/tools"))).toEqual(["SKILL.md"]);
  });
});

describe("a tool that can't be imported", () => {
  const spoilt: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ["`name` is not text", { name: 7 }],
    ["`description` is not text", { description: ["x"] }],
    ["`risk_level` is not text", { risk_level: 1 }],
    ["`executor` is not text", { executor: {} }],
    ["`cwd` is not text", { cwd: false }],
    ["`args_schema` is not the JSON Schema of an object", { args_schema: [] }],
    ["`args_schema` is not the JSON Schema of an object", { args_schema: { source: "string" } }],
    ["JavaScript can't hold this integer without rounding it", { args_schema: "BIG" }],
    ["`command` is not a list of texts", { command: ["ls", 7] }],
    ["`command` is not a list of texts", { command: {} }],
    ["`command` is empty", { command: [] }],
    ["`command` is empty", { command: "  " }],
    ["the tool has no `command`", { command: null }],
    ["`timeout_sec` is not a number above 0", { timeout_sec: 0 }],
    ["`timeout_sec` is not a number above 0", { timeout_sec: "60" }],
    ["`allowed_paths` is not a list of texts", { allowed_paths: "/tmp" }],
    ["`is_enabled` is neither `true` nor `false`", { is_enabled: "yes" }],
    ["`name` is not text; `cwd` is not text", { name: 7, cwd: 7 }],
    ["there is no executor `lambda`", { executor: "lambda" }],
    ["makes `sh` run text as code", { command: ["sh", "-c", "x"] }],
    ["is a command line", { command: ["git status"] }],
    ["there is no file `./run.sh`", { command: ["./run.sh"] }],
    ["has a NUL", { command: ["ls", "a\0b"] }],
    ["`parameters` must describe an object", { args_schema: { type: "array" } }],
    [
      "is not a regular expression",
      { args_schema: { properties: { a: { type: "string", pattern: "(" } } } },
    ],
    ["default", { args_schema: { properties: { a: { type: "string", default: 7 } } } }],
    ["refers to nothing", { args_schema: { properties: { a: { $ref: "#/$defs/none" } } } }],
    [
      "is not in this skill",
      { args_schema: { properties: { a: { $ref: "https://x.example/a" } } } },
    ],
    ["like a", { description: `Uses ghp_${"a1B2c3D4e5F6".repeat(3)}.` }],
  ];

  test.each(spoilt)(
    "a faulty tool is left out with the reason, and a sound one is not: %s",
    async (why, more) => {
      const text = JSON.stringify([hubTool("bad", more), hubTool("good")]).replace(
        '"BIG"',
        '{"type":"object","properties":{"a":{"type":"integer","maximum":90071992547409931}}}',
      );
      const imported = await importManifest(text);
      expect(imported.code).toBe(0);
      expect(reasonsIn(imported)["bad"]).toContain(why);
      const { tools_schema: tools } = parse(imported.files["skills/tools/metadata.yaml"] ?? "");
      expect(Object.keys(tools)).toEqual(["good"]);
    },
  );

  test("an entry of another kind is named by its position", async () => {
    const imported = await importManifest([null, "x", {}, { id: "" }, hubTool("good")]);
    expect(reasonsIn(imported)).toEqual({
      "tool 1": "this is not a tool",
      "tool 2": "this is not a tool",
      "tool 3": "the tool has no `id`; the tool has no `command`",
      "": "the tool has no `id`; the tool has no `command`",
    });
  });

  test("if no tool is left, the import fails, and keeps the skill of the last import", async () => {
    const { root } = await importManifest([hubTool("a")]);
    const before = filesIn(root);
    const manifest = JSON.stringify([hubTool("a", { executor: "k8s_job" })]);
    put(root, "tools.json", manifest);
    const { code, told } = await importAgain(root);
    expect([code, told.map((each) => each.code).toSorted()]).toEqual([
      1,
      ["import/no-tools", "import/operation-left-out"],
    ]);
    expect(filesIn(root)).toEqual({ ...before, "tools.json": manifest });
  });

  test("a placeholder that names no parameter is told", async () => {
    const { report } = await importManifest([
      hubTool("a", { command: ["python3", "{script}", "${HOME}", "{{x}}", "{}"] }),
    ]);
    expect(report.tools[0]?.notes.map(({ message }) => message)).toEqual([
      "`{script}` in the command names no parameter: the process gets the text as it is",
    ]);
  });
});

test("names that become the same name get a hash of their ids, each time the same", async () => {
  const manifest = ["list_files", "list-files", "ListFiles", "delete", "con", "备份", "list_dirs"];
  const { report, root } = await importManifest(manifest.map((id) => hubTool(id)));
  const names = report.tools.map(({ tool }) => tool ?? "");
  expect(new Set(names).size).toBe(names.length);
  expect(names).toContain("list-dirs");
  expect(names).toContain("tool-delete");
  expect(names.every((name) => /^[a-z][a-z0-9-]*$/.test(name))).toBe(true);
  const again = await importAgain(root, ["--check"]);
  expect(again.code).toBe(0);
});

test("names from Object.prototype are ordinary ids and parameters", async () => {
  const properties = '{"__proto__":{"type":"string"},"constructor":{"type":"string"}}';
  const tool = `{"id":"toString","risk_level":"read","command":["x"],"args_schema":{"type":"object","properties":${properties}}}`;
  const { files, report } = await importManifest(`[${tool}]`);
  expect(report.tools.map((each) => each.tool)).toEqual(["to-string"]);
  const { tools_schema: tools } = parse(files["skills/tools/metadata.yaml"] ?? "");
  expect(Object.keys(tools["to-string"].parameters.properties)).toEqual([
    "__proto__",
    "constructor",
  ]);
});

test("text of the hub manifest opens no placeholder, no setting and no front matter", async () => {
  const { files, report } = await importManifest([
    hubTool("a", {
      name: "x\n---\nname: other",
      description: "---\n${HUB_TOKEN}",
      command: ["printf", "${HUB_TOKEN}", "{caller.tenant}", "{{a}}", "$${A}"],
      cwd: "/work/${HUB_TOKEN}",
      allowed_paths: ["/data/{caller.tenant}"],
    }),
  ]);
  expect(report.tools[0]?.tool).toBe("a");
  const { tools_schema: tools } = parse(files["skills/tools/metadata.yaml"] ?? "");
  expect(tools.a.binding).toMatchObject({
    command: ["printf", "$${{HUB_TOKEN}}", "{{caller.tenant}}", "{{{{a}}}}", "$$$${{A}}"],
    cwd: "/work/$${{HUB_TOKEN}}",
    allowed_paths: ["/data/{{caller.tenant}}"],
  });
  expect(files["skills/tools/SKILL.md"]?.match(/^---$/gm)).toHaveLength(2);
});
