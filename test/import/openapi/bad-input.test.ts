import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compileFiles, linesOf } from "../../support/compile.js";
import { filesIn } from "../../cli/support/command-line.js";
import { importText, ok, openApi } from "./support.js";

const json = (schema: unknown) => ({
  responses: { 200: { description: "ok", content: { "application/json": { schema } } } },
});
const components = (schemas: unknown) => ({ components: { schemas } });

describe("a document that can't be read", () => {
  const deep = `{"openapi":"3.0.3","a":${"[".repeat(500)}${"]".repeat(500)}}`;
  const bomb = [
    "openapi: 3.0.3",
    "a0: &a0 [x, x, x, x, x, x, x, x, x, x]",
    ...Array.from({ length: 9 }, (_, n) => {
      const uses = Array.from({ length: 10 }, () => `*a${n}`).join(", ");
      return `a${n + 1}: &a${n + 1} [${uses}]`;
    }),
  ].join("\n");
  test.each([
    ["api.json", '{"openapi": "3.0.3",', "parse/invalid-json"],
    ["api.json", '{"asyncapi": "2.0.0"}', "import/unknown-format"],
    ["api.json", '{"openapi": "4.0.0"}', "import/unknown-format"],
    ["api.json", "[]", "import/unknown-format"],
    ["api.json", deep, "import/too-large"],
    ["api.yaml", "openapi: [", "parse/invalid-yaml"],
    ["api.yaml", bomb, "parse/too-large"],
    ["api.yaml", "a: &a [*a]", "parse/recursive-alias"],
    ["api.yaml", `openapi: 3.0.3\na: ${"[".repeat(5000)}`, "parse/too-deep"],
  ])("stops the import, which writes nothing: %s: %.30s", async (path, text, code) => {
    const {
      code: exit,
      files,
      root,
      stderr,
      told,
    } = await importText("{}", [path], {
      [path]: text,
    });
    expect(exit).toBe(1);
    expect(told.map((each) => each.code)).toEqual([code]);
    expect(files).toEqual({});
    expect(readdirSync(root)).not.toContain("skills");
    expect(stderr).toBe("");
  });
});

test("a text of many megabytes with quotes and backslashes is still read", async () => {
  const long = 'a\\"'.repeat(4 << 20);
  const text = openApi(
    { "/a": { get: { ...ok, callbacks: { 'say "x"': {} } } } },
    { "x-long": long },
  );
  const before = text.replace('"paths":', `"x-first":${JSON.stringify(long)},\n"paths":`);
  const { code, told } = await importText(before);
  expect(code).toBe(0);
  expect(told).toContainEqual(
    expect.objectContaining({ line: 2, message: expect.stringContaining("the callback") }),
  );
});

describe("a document with an error in a part", () => {
  test("a reference that leads to nothing causes a note at its line", async () => {
    const text = openApi({
      "/a": { get: json({ $ref: "#/components/schemas/Gone" }) },
      "/b": { get: ok },
    });
    const { report } = await importText(text);
    expect(report.operations).toMatchObject([
      {
        path: "/a",
        taken: "no",
        notes: [
          {
            message: "the reference `#/components/schemas/Gone` leads to nothing",
            pointer: "/paths/~1a/get/responses/200/content/application~1json/schema/$ref",
          },
        ],
      },
      { path: "/b", taken: "whole" },
    ]);
  });

  test.each(["%", "a%zz.json", "a%2fb.json", "a%00.json", "%ff#/a"])(
    "a reference to the address %j, which names no file, causes a warning",
    async (reference) => {
      const content = { "application/json": { schema: { $ref: reference } } };
      const broken = { responses: { 200: { description: "ok", content } } };
      const { code, told } = await importText(
        openApi({ "/a": { get: ok }, "/b": { get: broken } }),
      );
      expect(code).toBe(0);
      expect(told.map((each) => each.code)).toContain("import/unread-reference");
    },
  );

  test("a recursive schema is kept, and one that is nothing but itself is omitted", async () => {
    const schemas = {
      Node: { type: "object", properties: { next: { $ref: "#/components/schemas/Node" } } },
      Loop: { $ref: "#/components/schemas/Loop" },
      Ring: { allOf: [{ $ref: "#/components/schemas/Rung" }] },
      Rung: { anyOf: [{ $ref: "#/components/schemas/Ring" }] },
    };
    const paths = Object.fromEntries(
      Object.keys(schemas).map((name) => [
        `/${name}`,
        { get: json({ $ref: `#/components/schemas/${name}` }) },
      ]),
    );
    const { files, report } = await importText(openApi(paths, components(schemas)));
    expect(report.operations.map(({ path, taken }) => [path, taken])).toEqual([
      ["/Node", "whole"],
      ["/Loop", "no"],
      ["/Ring", "no"],
      ["/Rung", "no"],
    ]);
    expect(JSON.parse(files["skills/schemas/shop/Node.json"] ?? "")).toEqual({
      type: "object",
      properties: { next: { $ref: "./Node.json" } },
    });
  });

  test("documents that refer to one another in a circle are read once each", async () => {
    const at = (file: string, name: string) => ({ $ref: `${file}#/${name}` });
    const files = {
      "a.json": JSON.stringify({
        Tree: { type: "object", properties: { leaf: at("b.json", "Leaf") } },
        Ring: at("b.json", "Ring"),
      }),
      "b.json": JSON.stringify({
        Leaf: { type: "object", properties: { tree: at("a.json", "Tree") } },
        Ring: at("a.json", "Ring"),
      }),
    };
    const paths = {
      "/tree": { get: json(at("a.json", "Tree")) },
      "/ring": { get: json(at("a.json", "Ring")) },
      "/whole": { get: json({ $ref: "a.json" }) },
    };
    const { report } = await importText(openApi(paths), ["api.json"], files);
    expect(report.operations.map(({ path, taken }) => [path, taken])).toEqual([
      ["/tree", "whole"],
      ["/ring", "no"],
      ["/whole", "whole"],
    ]);
  });

  test("a cyclic reference outside of schemas is omitted", async () => {
    const own = (place: string) => ({ $ref: `#/paths/~1own/get/${place}` });
    const { code, report } = await importText(
      openApi({
        "/a": { $ref: "#/paths/~1b" },
        "/b": { $ref: "#/paths/~1a" },
        "/own": {
          get: {
            parameters: [own("parameters/0")],
            requestBody: own("requestBody"),
            responses: { 200: own("responses/200") },
          },
        },
        "/good": { get: ok },
      }),
    );
    expect(code).toBe(0);
    expect(report.operations.map(({ path, taken }) => [path, taken])).toEqual([
      ["/own", "part"],
      ["/good", "whole"],
    ]);
  });

  test("a number that overflows is omitted with a note", async () => {
    const parameter = '{"name":"n","in":"query","schema":{"type":"number","maximum":1e400}}';
    const text = openApi({ "/a": { get: { parameters: ["n"], ...ok } }, "/b": { get: ok } });
    const { code, files, report } = await importText(text.replace('"n"', parameter));
    expect(code).toBe(0);
    expect(report.operations.map(({ path, taken }) => [path, taken])).toEqual([
      ["/a", "part"],
      ["/b", "whole"],
    ]);
    expect(files["skills/a/metadata.yaml"]).toContain("{ n: { type: number } }");
  });

  test("schemas that would be endless inline get files of their own", async () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => {
        const next = { $ref: `#/components/schemas/S${at + 1}` };
        return [`S${at}`, { type: "object", properties: { a: next, b: next } }];
      }),
    );
    const first = { $ref: "#/components/schemas/S0" };
    const body = { required: true, content: { "application/json": { schema: first } } };
    const { files, report } = await importText(
      openApi(
        { "/a": { get: json(first), post: { requestBody: body, ...ok } } },
        components({ ...schemas, S40: { type: "string" } }),
      ),
    );
    expect(report.operations.map(({ taken }) => taken)).toEqual(["whole", "whole"]);
    expect(Object.values(files).join("").length).toBeLessThan(20_000);
  });

  test("names with a meaning in JavaScript or a file system stay names", async () => {
    const names = ["__proto__", "constructor", "../../escape", "con", "a/b", "Ä", "user", "User"];
    const schemas = JSON.parse(
      `{${names.map((name) => `${JSON.stringify(name)}: {"type": "string", "title": ${JSON.stringify(name)}}`).join(",")}}`,
    );
    const items = names.map((name) => ({
      $ref: `#/components/schemas/${encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))}`,
    }));
    const text = openApi({ "/a": { get: json({ anyOf: items }) } }, components(schemas));
    const { files, report } = await importText(text);
    expect(report.operations[0]?.taken).toBe("whole");
    const written = Object.keys(files).filter((path) => path.startsWith("skills/schemas/"));
    expect(written).toHaveLength(names.length);
    expect(new Set(written.map((path) => path.toLowerCase())).size).toBe(names.length);
    expect(written.every((path) => /^skills\/schemas\/shop\/[\w.-]+\.json$/.test(path))).toBe(true);
    expect(written.every((path) => !path.endsWith("/con.json"))).toBe(true);
    const titles = written.map((path) => JSON.parse(files[path] ?? "").title);
    expect(titles.toSorted()).toEqual(names.toSorted());
  });

  test("parameters and properties called __proto__ and caller get other names", async () => {
    const parameters = ["__proto__", "caller", "a b", "x[]"].map((name) => ({
      name,
      in: "query",
      schema: { type: "string" },
    }));
    const { files } = await importText(openApi({ "/a": { get: { parameters, ...ok } } }));
    const metadata = files["skills/a/metadata.yaml"] ?? "";
    expect(metadata).toContain('__proto__: "{query_proto}"');
    expect(metadata).toContain('caller: "{query_caller}"');
    expect(metadata).toContain('a b: "{a_b}"');
    expect(metadata).toContain('x[]: "{x}"');
  });

  test("a default that can't be in a path is omitted", async () => {
    const parameters = ["", "..", "a"].map((value, at) => ({
      name: `p${at}`,
      in: "path",
      required: true,
      schema: { type: "string", default: value },
    }));
    const { files, report } = await importText(
      openApi({ "/a/{p0}/{p1}/{p2}": { get: { parameters, ...ok } } }),
    );
    expect(report.operations[0]?.notes.map(({ message }) => message)).toEqual([
      "a path can't contain the default of `p0`, so the import leaves the default out",
      "a path can't contain the default of `p1`, so the import leaves the default out",
    ]);
    const compiled = await compileFiles(files);
    expect(linesOf(compiled, files).filter((line) => line.includes(" error "))).toEqual([]);
  });

  test("parts of a multipart body with quotes or line ends in their names are omitted with a note", async () => {
    const schema = {
      type: "object",
      properties: {
        'a"; filename="b': { type: "string" },
        "a\r\nb": { type: "string" },
        "": { type: "string" },
        "{a}": { type: "string" },
        photo: { type: "string", format: "binary" },
      },
    };
    const requestBody = { content: { "multipart/form-data": { schema } } };
    const text = openApi({ "/pets": { post: { ...ok, requestBody } } });
    const { files, told } = await importText(text);
    expect(told.filter(({ message }) => /can't send the part/.test(message))).toHaveLength(4);
    expect(Object.values(files).join("\n")).toContain(
      'body: { multipart: { photo: { file: "{photo}" } } }',
    );
  });

  test("two operations of one id, and paths that differ only by names, become separate tools", async () => {
    const get = { operationId: "find", tags: ["t"], ...ok };
    const { report } = await importText(
      openApi({ "/a/{id}": { get }, "/a/{name}": { get }, "/b": { get } }),
    );
    expect(report.operations.map(({ notes, tool }) => [tool, notes.map(({ message }) => message)]))
      .toMatchInlineSnapshot(`
        [
          [
            "get-a-id",
            [
              "the document does not declare the path parameter \`id\`, so the tool accepts any text",
            ],
          ],
          [
            "get-a-name",
            [
              "\`GET /a/{id}\` has the same operationId \`find\`",
              "the path differs from \`GET /a/{id}\` only in the names of its parameters",
              "the document does not declare the path parameter \`name\`, so the tool accepts any text",
            ],
          ],
          [
            "get-b",
            [
              "\`GET /a/{id}\` has the same operationId \`find\`",
            ],
          ],
        ]
      `);
  });

  test("a user and a password in a server's address are written nowhere", async () => {
    const servers = [{ url: "https://ada:hunter2@shop.example.com/v1?token=hunter2#hunter2" }];
    const { root, stderr, stdout } = await importText(openApi({ "/a": { get: ok } }, { servers }));
    const { "api.json": _, ...written } = filesIn(root);
    expect(JSON.stringify([written, stdout, stderr])).not.toContain("hunter2");
    expect(stdout).toContain("https://shop.example.com/v1");
  });

  test("a path that would name a setting or another place is omitted", async () => {
    const { files, report } = await importText(
      openApi({
        "/a/${HOME}/{id}": { get: ok },
        "/a/../{id}": { get: ok },
        "/b#frag": { get: ok },
        "no-slash": { get: ok },
      }),
    );
    expect(report.operations.map(({ path, taken }) => [path, taken])).toEqual([
      ["/a/${HOME}/{id}", "part"],
      ["/a/../{id}", "no"],
      ["/b#frag", "no"],
      ["no-slash", "no"],
    ]);
    expect(files["skills/a/metadata.yaml"]).toContain("url: ${SHOP_URL}/a/$${HOME}/{id}");
  });

  test("values of unexpected types cause a report, not a crash", async () => {
    const odd = [null, 0, "x", [], {}, true, [null], { $ref: 1 }, { $ref: "#/nowhere" }, [[]]];
    const keys = [
      "parameters",
      "requestBody",
      "responses",
      "security",
      "servers",
      "tags",
      "callbacks",
    ];
    for (const value of odd) {
      const paths = Object.fromEntries([
        ...keys.map((key) => [`/${key}`, { get: { ...ok, [key]: value } }]),
        ["/item", value],
        ["/operation", { get: value }],
        ["/schema", { get: json(value) }],
        ["/parameter", { get: { ...ok, parameters: [{ name: "a", in: "query", schema: value }] } }],
      ]);
      const more = { components: value, tags: value, info: value, security: value };
      for (const text of [openApi(paths), openApi(paths, more), openApi(value)]) {
        const { code, stderr } = await importText(text);
        expect([0, 1]).toContain(code);
        expect(stderr).not.toMatch(/bug|at .*\.ts/);
      }
    }
  });
});
