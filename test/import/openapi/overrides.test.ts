/** Choices for single operations, in a file that people edit. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { put, skillc } from "../../cli/support/command-line.js";
import { compileFiles, linesOf } from "../../support/compile.js";
import { importIn, importText, ok, openApi, skillsIn } from "./support.js";

const path = "skills/.import/shop/overrides.yaml";
const text = { schema: { type: "string" } };
const content = { "application/json": text, "application/xml": text, "text/csv": text };
const api = (more: object = {}) =>
  openApi({
    "/pets": {
      get: { operationId: "getPet", responses: { 200: { description: "ok", content } } },
      post: { operationId: "addPet", requestBody: { required: true, content }, ...ok },
      ...more,
    },
  });

function toolsOf(root: string) {
  return parse(skillsIn(root)["skills/pets/metadata.yaml"] ?? "").tools_schema;
}

const choices = [
  "--rename",
  "getPet=show-pet",
  "--auth",
  "POST /pets=header:X-Key",
  "--auth",
  "getPet=none",
  "--auth",
  "bearer",
  "--media-type",
  "addPet=application/xml",
  "--media-type",
  "getPet=text/csv",
];

describe("options for single operations", () => {
  test("apply to these operations, are kept in a file, and apply to the next import", async () => {
    const { code, report, root, told } = await importText(api(), ["api.json", ...choices]);
    expect([code, told.filter(({ code: each }) => each.includes("override"))]).toEqual([0, []]);
    const tools = toolsOf(root);
    expect(tools).toMatchObject({
      "show-pet": { binding: { auth: "none", response: "text" } },
      "add-pet": {
        binding: {
          auth: { api_key: { in: "header", name: "X-Key", value: "${SHOP_X_KEY}" } },
          body: { type: "application/xml" },
        },
      },
    });
    expect(report.settings.map(({ name }) => name)).toEqual([
      "SHOP_URL",
      "SHOP_TOKEN",
      "SHOP_X_KEY",
    ]);
    const files = skillsIn(root);
    expect(linesOf(await compileFiles(files), files)).toEqual([]);
    expect(parse(readFileSync(join(root, path), "utf8"))).toEqual({
      operations: {
        getPet: { name: "show-pet", media_type: "text/csv", auth: "none" },
        addPet: { media_type: "application/xml" },
        "POST /pets": { auth: "header:X-Key" },
      },
    });
    await importIn(root, ["api.json"]);
    expect(toolsOf(root)).toEqual(tools);
    expect(await skillc(root, ["import", "openapi", "--check"])).toMatchObject({ code: 0 });
  });

  test("add to a file that a person edits, and keep its comments", async () => {
    const { root } = await importText(api());
    put(root, path, "# Ours.\noperations:\n  addPet: { name: new-pet } # short\n");
    await importIn(root, ["api.json", "--rename", "getPet=show-pet"]);
    expect(readFileSync(join(root, path), "utf8")).toBe(
      "# Ours.\noperations:\n  addPet: { name: new-pet } # short\n  getPet:\n    name: show-pet\n",
    );
    expect(Object.keys(toolsOf(root)).toSorted()).toEqual(["new-pet", "show-pet"]);
  });

  test.each([
    [["--rename", "getDog=show-dog"], "names no operation of the document"],
    [["--rename", "show-dog"], "does not name an operation and a value"],
    [["--auth", "getPet="], "does not name an operation and a value"],
  ])("stop the import if they concern nothing: %j", async (argv, why) => {
    const { code, files, stderr } = await importText(api(), ["api.json", ...argv]);
    expect([code, files]).toEqual([2, {}]);
    expect(stderr).toContain(why);
  });
});

describe("the file of choices", () => {
  test.each([
    ["operations:\n  getPet: { nmae: a }\n", 2, /nmae/],
    ["operations:\n  getPet: show-pet\n", 2, /operations|getPet/],
    ["operations:\n  getPet:\n    name: Show Pet\n", 3, /`Show Pet` is not a name for a tool/],
    ["operations:\n  getPet:\n    name: delete\n", 3, /`delete` is not a name for a tool/],
    ["operations:\n  getPet:\n    auth: digest\n", 3, /`digest` is not a known authentication/],
    [
      "operations:\n  getPet:\n    auth: header:Host\n",
      3,
      /`header:Host` is not a known authentication/,
    ],
    ["operation: {}\n", 1, /operation/],
    ["operations: [\n", 1, /./],
  ])("causes an error at its place if it is wrong: %j", async (written, line, why) => {
    const { root } = await importText(api());
    const before = skillsIn(root);
    put(root, path, written);
    const { code, told } = await importIn(root, ["api.json"]);
    expect(code).toBe(1);
    expect(told).toHaveLength(1);
    expect(told).toMatchObject([{ file: path, line, message: expect.stringMatching(why) }]);
    expect(skillsIn(root)).toEqual(before);
  });

  test.each([
    [
      "auth: bearer\n",
      "write it below an operation: `operations: { getPet: { auth: … } }`; for all operations, use the option `--auth`",
    ],
    ["name: pet\n", "write it below an operation: `operations: { getPet: { name: … } }`"],
    [
      "operations: { getPet: { auth: { bearer: x } } }\n",
      "write `bearer`, `basic`, `header:X-Api-Key`, `query:api_key` or `cookie:session`, or `none`",
    ],
    ["operations: { getPets: { auth: none } }\n", "did you mean `getPet`?"],
  ])("gets help that says how to write a choice: %j", async (written, help) => {
    const { root } = await importText(api());
    put(root, path, written);
    const { told } = await importIn(root, ["api.json"]);
    expect(told.filter((each) => each.file === path)).toMatchObject([{ help }]);
  });

  test.each([
    ["operations:\n  getDog: { name: show-dog, auth: none }\n", /no operation `getDog`/],
    ["operations:\n  __proto__: { name: show-dog }\n", /no operation `__proto__`/],
    ["operations:\n  getPet: { media_type: image/png }\n", /has no media type `image\/png`/],
    [
      "operations:\n  getPet: { name: show-pet }\n  GET /pets: { name: list-pets }\n",
      /`GET \/pets` is the same operation, and its `name` replaces this one/,
    ],
    [
      "operations:\n  getPet: { name: add-pet }\n  addPet: { name: add-pet }\n",
      /`add-pet` is taken/,
    ],
  ])("causes a warning if a choice has no effect: %j", async (written, why) => {
    const { root } = await importText(api());
    put(root, path, written);
    const { code, told } = await importIn(root, ["api.json"]);
    const [first, ...others] = told.filter((each) => each.code === "import/unused-override");
    expect([code, others]).toEqual([0, []]);
    expect(first).toMatchObject({ file: path, message: expect.stringMatching(why) });
  });

  test.each(["", "# none\n", "operations:\n"])("may be empty: %j", async (written) => {
    const { root } = await importText(api());
    put(root, path, written);
    expect((await importIn(root, ["api.json"])).code).toBe(0);
    await importIn(root, ["api.json", "--rename", "getPet=show-pet"]);
    expect(Object.keys(toolsOf(root))).toContain("show-pet");
  });
});
