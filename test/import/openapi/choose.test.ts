import { describe, expect, test } from "vitest";
import { makeProject, skillc } from "../../cli/support/command-line.js";
import { importText, ok, openApi } from "./support.js";

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
