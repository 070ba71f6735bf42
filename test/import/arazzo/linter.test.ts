import { describe, expect, test } from "vitest";
import { loadLinter, runsLinter } from "../../../src/import/arazzo/lint-description.js";
import { flow, getPet, importFlows } from "./support.js";

const load = () => import("@redocly/openapi-core");

describe("the linter of Arazzo documents", () => {
  test.each([
    ["v20.18.3", false],
    ["v20.19.0", true],
    ["v21.7.0", false],
    ["v22.11.0", false],
    ["v22.12.0", true],
    ["v24.0.0", true],
    ["18.20.0", false],
  ])("runs on Node %s: %s", (version, runs) => {
    expect(runsLinter(version)).toBe(runs);
  });

  test("an older Node is named, and nothing is loaded", async () => {
    const never = () => Promise.reject(new Error("it was loaded"));
    expect(await loadLinter("v20.18.3", never)).toEqual({
      kind: "missing",
      message: "`skillc import arazzo` needs Node 20.19, 22.12 or newer, and this is Node 20.18.3",
      help: "install a newer Node; all other commands run on this one",
    });
  });

  test("a missing package is named with the command that installs it", async () => {
    const missing = Object.assign(new Error("no"), { code: "ERR_MODULE_NOT_FOUND" });
    expect(await loadLinter("v22.12.0", () => Promise.reject(missing))).toEqual({
      kind: "missing",
      message: "`skillc import arazzo` needs the package `@redocly/openapi-core`",
      help: "run `npm install --save-dev @redocly/openapi-core`",
    });
    const broken = new Error("broken");
    await expect(loadLinter("v22.12.0", () => Promise.reject(broken))).rejects.toBe(broken);
    expect((await loadLinter(process.version, load)).kind).toBe("loaded");
  });

  test("its problems are warnings with their places, and the import goes on", async () => {
    const text = flow(`[${getPet}]`).replace("title: Flows, ", "");
    const { code, told } = await importFlows(text);
    expect(code).toBe(0);
    expect(told.filter((each) => each.code === "import/invalid-document")).toMatchObject([
      {
        code: "import/invalid-document",
        message: "The field `title` must be present on this level",
        line: 2,
      },
    ]);
  });
});
