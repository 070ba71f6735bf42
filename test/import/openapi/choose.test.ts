import { describe, expect, test } from "vitest";
import { filesIn, makeProject, put, skillc } from "../../cli/support/command-line.js";
import { importIn, importText, ok, openApi } from "./support.js";

const text = openApi({
  "/pets": {
    get: { operationId: "listPets", tags: ["pets"], summary: "List pets", ...ok },
    post: { operationId: "addPet", tags: ["pets"], ...ok },
  },
  "/pets/{id}/toys": { get: { tags: ["toys"], ...ok } },
  "/shops": { delete: { operationId: "closeShops", tags: ["shops"], ...ok } },
});

describe("the choice of operations", () => {
  test.each([
    [
      ["--operation", "listPets", "get /pets/{id}/toys"],
      ["GET /pets", "GET /pets/{id}/toys"],
    ],
    [["--only", "closeShops"], ["DELETE /shops"]],
    [
      ["--tag", "PETS"],
      ["GET /pets", "POST /pets"],
    ],
    [
      ["--path", "/pets/**"],
      ["GET /pets", "POST /pets", "GET /pets/{id}/toys"],
    ],
    [["--path", "/pets/{id}/*"], ["GET /pets/{id}/toys"]],
    [
      ["--method", "post", "delete"],
      ["POST /pets", "DELETE /shops"],
    ],
    [["--tag", "pets", "--method", "get"], ["GET /pets"]],
  ])("imports the operations of %j", async (argv, keys) => {
    const { report } = await importText(text, ["api.json", ...argv]);
    expect(report.operations.map(({ method, path }) => `${method} ${path}`)).toEqual(keys);
  });

  test("causes an error if a word matches no operation, and nothing is written", async () => {
    const { code, files, stderr } = await importText(text, ["api.json", "--tag", "cats"]);
    expect([code, files]).toEqual([2, {}]);
    expect(stderr).toContain("`cats` names no operation of the document");
  });

  test("causes an error for a document that has only webhooks", async () => {
    const webhooks = { "pet-added": { post: ok } };
    const { code, files, stderr } = await importText(openApi({}, { openapi: "3.1.0", webhooks }));
    expect([code, files]).toEqual([1, {}]);
    expect(stderr).toContain("the document has no operations");
  });
});

describe("an import without a usable operation", () => {
  const unusable = openApi({ "/pets": { trace: ok } });
  const codes = ["import/no-tools", "import/operation-left-out"];

  test("fails, gives the reasons and writes nothing", async () => {
    const { code, files, root, told } = await importText(unusable);
    expect([code, files, told.map((each) => each.code)]).toEqual([1, {}, codes]);
    expect(told[0]?.message).toBe("no operation of the document can become a tool");
    const { stdout } = await skillc(root, ["import", "openapi", "api.json"]);
    expect(stdout).toBe("");
  });

  test.each([[[]], [["--check"]], [["--single"]]])(
    "removes nothing of the last import with %j",
    async (argv) => {
      const { root } = await importText(openApi({ "/pets": { get: ok } }), ["api.json", ...argv]);
      const before = filesIn(root);
      put(root, "api.json", unusable);
      const { code, told } = await importIn(root, ["api.json", ...argv]);
      expect([code, told.map((each) => each.code)]).toEqual([1, codes]);
      expect(filesIn(root)).toEqual({ ...before, "api.json": unusable });
    },
  );
});

test("--list shows what there is to choose from, and writes nothing", async () => {
  const root = makeProject({ "api.json": text });
  const { stdout } = await skillc(root, ["import", "openapi", "api.json", "--list"]);
  expect(stdout).toMatchInlineSnapshot(`
    "method  path             operationId  skill  summary
    GET     /pets            listPets     pets   List pets
    POST    /pets            addPet       pets
    GET     /pets/{id}/toys               toys
    DELETE  /shops           closeShops   shops

    4 operations of Shop, OpenAPI 3.0
    "
  `);
});
