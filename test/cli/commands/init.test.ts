import { mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { createRegistry } from "../../../src/bindings/registry.js";
import { schemaTexts } from "../../../src/cli/editor/project-schemas.js";
import { echoProject } from "../support/echo-kind.js";
import { editorCheck } from "../editor/schema-check.js";
import { filesIn, makeProject, put, skillc } from "../support/command-line.js";

const schemas = schemaTexts(createRegistry());

describe("the schemas that `init` writes for editors", () => {
  test.each([[[]], [["--http"]]])(
    "belong to the files that name them, with the flags %j",
    async (flags) => {
      const root = makeProject();
      expect(await skillc(root, ["init", ...flags])).toMatchObject({ code: 0, stderr: "" });
      const files = filesIn(root);
      expect(files).toMatchObject(schemas);

      const named = Object.entries(files).flatMap(([path, text]) => {
        const [, schema] = /^# yaml-language-server: \$schema=(\S+)$/m.exec(text) ?? [];
        return schema === undefined ? [] : [[path, join(dirname(path), schema)]];
      });
      const skill = flags.length === 0 ? "hello" : "order-desk";
      expect(named).toEqual([
        ["skillc.yaml", "schemas/skillc.schema.json"],
        [`skills/${skill}/metadata.yaml`, "schemas/metadata.schema.json"],
      ]);

      expect(editorCheck(createRegistry())(files)).toEqual([]);
      expect((await skillc(root, ["check", "--strict"])).code).toBe(0);
    },
  );

  test("get replaced if another version of skillc wrote them, and stay if only their layout differs", async () => {
    const root = makeProject();
    await skillc(root, ["init"]);
    const before = filesIn(root);
    const path = "schemas/skillc.schema.json";
    const older = JSON.stringify({ ...JSON.parse(before[path] ?? ""), title: "older" });
    put(root, path, older);
    const laidOut = JSON.stringify(JSON.parse(before["schemas/skill.schema.json"] ?? ""));
    put(root, "schemas/skill.schema.json", laidOut);
    const again = await skillc(root, ["init"]);
    expect(again).toMatchObject({ code: 0, stderr: "" });
    expect(again.stdout).toContain(`+ ${path}\n`);
    expect(again.stdout).not.toContain("+ schemas/skill.schema.json");
    expect(filesIn(root)).toEqual({ ...before, "schemas/skill.schema.json": laidOut });
    expect((await skillc(root, ["init"])).stdout).toContain(
      "the schemas for editors belong to this version",
    );
  });

  test("come alone with --schemas, in a project that has other skills", async () => {
    const root = makeProject({ "skillc.yaml": "skills: skills\n" });
    const { code, stdout } = await skillc(root, ["init", "--schemas"]);
    expect(code).toBe(0);
    expect(stdout).toContain("# yaml-language-server: $schema=./schemas/skillc.schema.json");
    expect(filesIn(root)).toEqual({ "skillc.yaml": "skills: skills\n", ...schemas });
  });

  test("know the binding kinds of the project", async () => {
    const root = makeProject(echoProject);
    expect((await skillc(root, ["init", "--schemas"])).code).toBe(0);
    const metadata = readFileSync(join(root, "schemas/metadata.schema.json"), "utf8");
    expect(JSON.parse(metadata).definitions).toHaveProperty("binding-echo");
    expect(metadata).not.toContain(root);
  });

  test("stay unwritten, with everything else, while a kind of the project can't be loaded", async () => {
    const root = makeProject({ "skillc.yaml": "bindings: { echo: ./gone.ts }\n" });
    for (const flags of [["--schemas"], []]) {
      const { code, stderr } = await skillc(root, ["init", ...flags]);
      expect(code).toBe(1);
      expect(stderr).toContain("`skillc check` shows them");
    }
    expect(Object.keys(filesIn(root))).toEqual(["skillc.yaml"]);
  });

  test.each(["{}", "not JSON", '{ "$comment": "mine" }'])(
    "never replace somebody else's file of that name: %s",
    async (text) => {
      const root = makeProject({ "schemas/skill.schema.json": text });
      const { code, stderr } = await skillc(root, ["init"]);
      expect(code).toBe(1);
      expect(stderr).toContain("`schemas/skill.schema.json` exists already");
      expect(filesIn(root)).toEqual({ "schemas/skill.schema.json": text });
    },
  );

  test("do not get written through a link", async () => {
    const root = makeProject({ "skillc.yaml": "" });
    const elsewhere = makeProject();
    symlinkSync(elsewhere, join(root, "schemas"));
    const { code, stderr } = await skillc(root, ["init", "--schemas"]);
    expect(code).toBe(1);
    expect(stderr).toContain("`schemas` is a link, but must be a folder");
    expect(filesIn(elsewhere)).toEqual({});
    rmSync(join(root, "schemas"));
    mkdirSync(join(root, "schemas/skill.schema.json"), { recursive: true });
    expect((await skillc(root, ["init", "--schemas"])).stderr).toContain(
      "`schemas/skill.schema.json` is a folder, but must be a file",
    );
  });
});

test("the lines that name the schemas contain the path from the project's own skills folder", async () => {
  const root = makeProject({ "skillc.yaml": "skills: agents/skills\n" });
  const { stdout } = await skillc(root, ["init", "--schemas"]);
  expect(stdout).toMatch(
    /^ {2}agents\/skills\/\*\/metadata\.yaml {2}.*=\.\.\/\.\.\/\.\.\/schemas\/metadata\.schema\.json$/m,
  );
});

test("`init` never overwrites a skill, and explains how to get only the schemas", async () => {
  const root = makeProject({ "skills/hello/SKILL.md": "mine" });
  const { code, stderr } = await skillc(root, ["init"]);
  expect(code).toBe(1);
  expect(stderr).toContain("`skills/hello/SKILL.md` is there already; skillc wrote nothing");
  expect(stderr).toContain("skillc init --schemas");
  expect(filesIn(root)).toEqual({ "skills/hello/SKILL.md": "mine" });
});
