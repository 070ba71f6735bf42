/** Paths whose parameters are written in the notation of a web framework. */
import { expect, test } from "vitest";
import { parse } from "yaml";
import { compileFiles, linesOf } from "../../support/compile.js";
import { importText, ok, openApi } from "./support.js";

const id = { name: "id", in: "path", required: true, schema: { type: "integer" } };

async function imported(path: string, parameters: readonly object[] = []) {
  const operation = { operationId: "call", tags: ["a"], parameters, ...ok };
  const { files, report } = await importText(openApi({ [path]: { delete: operation } }));
  const { call } = parse(files["skills/a/metadata.yaml"] ?? "").tools_schema;
  expect(linesOf(await compileFiles(files), files)).toEqual([]);
  return {
    url: call.binding.url,
    parameters: call.parameters,
    notes: report.operations[0]?.notes.map(({ message }) => message),
  };
}

test.each([
  ["/:id", "/{id}"],
  ["/users/:id/files", "/users/{id}/files"],
  ["/items/:id:cancel", "/items/{id}:cancel"],
  ["/items/:id.json", "/items/{id}.json"],
  ["/items/:id(\\d+)", "/items/{id}"],
  ["/items/:id?", "/items/{id}"],
  ["/items/<id>", "/items/{id}"],
  ["/items/<int:id>/x", "/items/{id}/x"],
  ["/items/{id:[0-9]+}", "/items/{id}"],
  ["/items/{id:[0-9]{4}}/x", "/items/{id}/x"],
  ["/items/{id:int?}", "/items/{id}"],
  ["/items/{id?}", "/items/{id}"],
  ["/items/{id:}", "/items/{id}"],
  ["/items/{id=shelves/*}", "/items/{id}"],
  ["/items/{+id}", "/items/{id}"],
  ["/files/{*id}", "/files/{id}"],
  ["/files/{id+}", "/files/{id}"],
  ["/items/{ id }", "/items/{id}"],
])("a parameter becomes one of the tool: %s", async (path, url) => {
  const declared = await imported(path, [id]);
  expect(declared.url).toBe(`\${SHOP_URL}${url}`);
  expect(declared.parameters.properties).toMatchObject({ id: { type: "integer" } });
  expect(declared.notes).toEqual([
    expect.stringMatching(/^`.+` in the path becomes the parameter `id`$/),
  ]);
  const undeclared = await imported(path);
  expect(undeclared.parameters).toMatchObject({
    required: ["id"],
    properties: { id: { type: "string" } },
  });
  expect(undeclared.notes).toContain(
    "the document does not declare the path parameter `id`, so the tool accepts any text",
  );
});

test("a parameter may have the name that the path gives it with its pattern", async () => {
  const written = await imported("/items/{id:[0-9]+}", [{ ...id, name: "id:[0-9]+" }]);
  expect(written.url).toBe("${SHOP_URL}/items/{id}");
  expect(written.parameters.properties).toMatchObject({ id: { type: "integer" } });
});

test.each(["/items{?q}", "/items/{id}{&q,limit}", "/items{/id}"])(
  "an operation is left out if its path has an expression of a URI template: %s",
  async (path) => {
    const operation = { operationId: "call", tags: ["a"], ...ok };
    const { told } = await importText(openApi({ "/a": { get: ok }, [path]: { get: operation } }));
    expect(told.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^`\{.+\}` in the path .+ is an expression of a URI template/),
    );
  },
);

test("each of several parameters in one segment becomes one of the tool", async () => {
  expect((await imported("/flights/:from-:to")).url).toBe("${SHOP_URL}/flights/{from}-{to}");
});

test.each(["/v1/{id}:cancel", "/v1/media:upload", "/v1/10:30", "/v1/:/a", "/v1/a:b"])(
  "a colon that begins no parameter stays: %s",
  async (path) => {
    const { notes, url } = await imported(path, path.includes("{") ? [id] : []);
    expect([notes, url]).toEqual([[], `\${SHOP_URL}${path}`]);
  },
);
