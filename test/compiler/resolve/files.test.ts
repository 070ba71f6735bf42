import { describe, expect, test } from "vitest";
import { createRegistry } from "../../../src/bindings/registry.js";
import { parseDiagnosticEntries } from "../../../src/compiler/parse/diagnostics.js";
import { parseSkill } from "../../../src/compiler/parse/parse-skill.js";
import { readDiagnosticEntries } from "../../../src/compiler/read/diagnostics.js";
import { resolveDiagnosticEntries } from "../../../src/compiler/resolve/diagnostics.js";
import { resolveSkill } from "../../../src/compiler/resolve/resolve-skill.js";
import { createReport } from "../../../src/core/report.js";
import { desk, faults, resolveProject } from "./skill-project.js";

function refersTo(path: string) {
  const line = `    parameters: { $ref: ${JSON.stringify(path)} }`;
  return desk("tools:", "  get:", "    description: Get it.", line);
}

const object = '{"type": "object"}';

describe("a file that a skill names", () => {
  test.each([
    ["./order.json", "skills/desk/order.json"],
    ["schemas/order.json", "skills/desk/schemas/order.json"],
    ["../shared/order.json", "skills/shared/order.json"],
    ["./a/../order.json", "skills/desk/order.json"],
  ])("resolves %s to %s", async (path, file) => {
    const outcome = await resolveProject({ ...refersTo(path), [file]: object });
    expect(faults(outcome)).toEqual([]);
    expect(outcome.skills[0]?.tools).toHaveLength(1);
  });

  test("must exist", async () => {
    expect(faults(await resolveProject(refersTo("./order.json")))).toEqual([
      "SKILL.md:7:25-39 error file/not-found: there is no file `./order.json` (skillc looked for `skills/desk/order.json`)",
    ]);
  });

  test.each([
    ["./Order.json", "skills/desk/order.json", "./order.json"],
    ["./schemas/ordr.json", "skills/desk/schemas/order.json", "./schemas/order.json"],
    ["../shared/oder.json", "skills/shared/order.json", "../shared/order.json"],
  ])(
    "causes an error if %s does not exist, with a suggestion if %s does",
    async (path, file, name) => {
      const [line, ...others] = faults(await resolveProject({ ...refersTo(path), [file]: object }));
      expect(others).toEqual([]);
      expect(line).toContain(
        `file/not-found: there is no file \`${path}\` (did you mean \`${name}\`?)`,
      );
    },
  );

  test.each([
    ["is not there", {}],
    ["is no JSON", { "skills/desk/order.json": "{" }],
  ])("causes an error of the tool that names it if it %s", async (_, files) => {
    const { diagnostics } = await resolveProject({ ...refersTo("./order.json"), ...files });
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    expect(errors).toMatchObject([{ skill: "desk", tool: "get" }]);
  });

  test("must be below the skills folder, even if the file exists elsewhere", async () => {
    const outcome = await resolveProject({ ...refersTo("../../order.json"), "order.json": object });
    expect(faults(outcome)).toEqual([
      "SKILL.md:7:25-43 error file/outside-skills: `../../order.json` is not a path below the skills folder " +
        "(move the file into the skill's folder and name it like `./file.json`: skillc reads nothing else and fetches nothing)",
    ]);
  });

  test("causes an error with the place that names it if it could not be read", () => {
    const report = createReport({
      ...parseDiagnosticEntries,
      ...readDiagnosticEntries,
      ...resolveDiagnosticEntries,
    });
    const path = "skills/desk/SKILL.md";
    const text = refersTo("./order.json")[path] ?? "";
    const syntax = parseSkill("skills/desk", { path, text }, undefined, report);
    if (syntax === undefined) throw new Error("the skill was not parsed");
    const span = { file: "skills/desk/order.json", start: 0, end: 0 };
    resolveSkill(syntax, {
      kinds: createRegistry(),
      readTree: () => undefined,
      readFile: () => undefined,
      whyUnread: (file) =>
        file === span.file ? { code: "read/unreadable", span, message: "it is locked" } : undefined,
      skillsFolder: "skills",
      report,
    });
    const [error, ...others] = report.diagnostics().filter((each) => each.severity === "error");
    expect(others).toEqual([]);
    expect(error).toMatchObject({ code: "read/unreadable", message: "it is locked" });
    const place = error?.related?.[0]?.span;
    expect(text.slice(place?.start, place?.end)).toBe('"./order.json"');
  });
});
