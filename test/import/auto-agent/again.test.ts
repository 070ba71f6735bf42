import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { filesIn, makeProject, put, skillc } from "../../cli/support/command-line.js";
import { definition, importAgain, importDefinitions } from "./support.js";

const metadata = "skills/desk/metadata.yaml";

function edit(root: string, path: string, from: string, to: string): void {
  const before = readFileSync(join(root, path), "utf8");
  expect(before).toContain(from);
  put(root, path, before.replace(from, to));
}

function change(root: string, definitions: unknown): void {
  put(root, "agent.json", JSON.stringify(definitions));
}

const two = [definition("find_order"), definition("cancel_order")];

test("importing again changes nothing when neither side did", async () => {
  const { root } = await importDefinitions(two);
  const before = filesIn(root);
  const { code, report } = await importAgain(root);
  expect([code, report.changes]).toEqual([0, { skills: [], tooLow: [], verdict: null }]);
  expect(filesIn(root)).toEqual(before);
});

test("importing again keeps `effect: read` of a person, and brings new parameters", async () => {
  const { root } = await importDefinitions(two);
  edit(root, metadata, "effect: write", "effect: read");
  change(root, [
    definition("find_order", {
      parameters: [
        { name: "order_id", type: "string", required: true },
        { name: "day", type: "string", required: false },
      ],
      param_aliases: { order_id: "order_number" },
    }),
    definition("cancel_order"),
  ]);
  const { code, files, report, told } = await importAgain(root);
  expect(code).toBe(0);
  expect(told.filter(({ severity }) => severity !== "info")).toEqual([]);
  const { tools_schema: tools } = parse(files[metadata] ?? "");
  expect(tools["find-order"].binding).toEqual({ type: "handler", effect: "read" });
  expect(tools["cancel-order"].binding).toEqual({ type: "handler", effect: "write" });
  expect(tools["find-order"].parameters.properties).toHaveProperty("day");
  expect(tools["find-order"].param_aliases).toEqual({ order_id: ["order_number"] });
  expect(report.changes).toMatchObject({ verdict: "minor" });
  expect((await importAgain(root, ["--check"])).code).toBe(0);
});

test("a tool that changes its category moves to another skill", async () => {
  const { root } = await importDefinitions(two);
  change(root, [definition("find_order", { category: "search" }), definition("cancel_order")]);
  const { files } = await importAgain(root);
  expect(Object.keys(parse(files[metadata] ?? "").tools_schema)).toEqual(["cancel-order"]);
  expect(files["skills/search/metadata.yaml"]).toContain("find-order:");
});

test("the record names every file, and the options stay", async () => {
  const root = makeProject({
    "agent/a.json": JSON.stringify(definition("a")),
    "agent/b.json": JSON.stringify(definition("b")),
    "agent/c.json": JSON.stringify(definition("c", { category: "search" })),
  });
  const argv = ["a", "b", "c", "a"].map((name) => `agent/${name}.json`);
  const first = await importAgain(root, [...argv, "--prefix", "crm", "--only", "a", "c"]);
  expect(Object.keys(first.files).toSorted()).toEqual([
    "skills/crm-desk/SKILL.md",
    "skills/crm-desk/metadata.yaml",
    "skills/crm-search/SKILL.md",
    "skills/crm-search/metadata.yaml",
  ]);
  const { request } = JSON.parse(
    readFileSync(join(root, "skills/.import/agent/import.json"), "utf8"),
  );
  expect(request).toEqual({
    source: "agent/a.json",
    further: ["agent/b.json", "agent/c.json"],
    only: ["a", "c"],
    prefix: "crm-",
  });
  put(
    root,
    "agent/c.json",
    JSON.stringify(definition("c", { category: "search", description: "Search." })),
  );
  const { code, files } = await importAgain(root);
  expect(code).toBe(0);
  expect(files["skills/crm-search/metadata.yaml"]).toContain("description: Search.");
  expect(files["skills/crm-desk/metadata.yaml"]).not.toContain("b:");
});

test("other definitions with the same name of the import are not taken for a new version", async () => {
  const { root } = await importDefinitions(two);
  put(root, "other/agent.json", JSON.stringify([definition("deploy", { category: "ops" })]));
  const { code, told } = await importAgain(root, ["other/agent.json"]);
  expect([code, told.map((each) => each.code)]).toEqual([1, ["import/other-document"]]);
  const named = await importAgain(root, ["other/agent.json", "--name", "ops"]);
  expect(Object.keys(named.files)).toContain("skills/ops/metadata.yaml");
});

test("a skill of a person with the name of a category is not overwritten", async () => {
  const { code, files, told } = await importDefinitions(two, [], {
    [metadata]: "tools_schema: {}\n",
  });
  expect(code).toBe(1);
  expect(told.filter(({ severity }) => severity === "error").map((each) => each.code)).toEqual([
    "import/foreign-file",
  ]);
  expect(files).toEqual({ [metadata]: "tools_schema: {}\n" });
});

test("`--list` shows names, categories and parameters, and writes nothing", async () => {
  const root = makeProject({ "agent.json": JSON.stringify([...two, 7]) });
  mkdirSync(join(root, "skills"));
  const { code, stdout } = await skillc(root, ["import", "auto-agent", "agent.json", "--list"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/find_order +desk +order_id/);
  expect(stdout).toContain("can't become a tool");
  expect(stdout).toContain("3 tools of agent.json");
  expect(filesIn(join(root, "skills"))).toEqual({});
});
