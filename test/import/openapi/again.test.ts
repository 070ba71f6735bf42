import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { filesIn, makeProject, put, skillc } from "../../cli/support/command-line.js";
import { importIn, importText, ok, openApi, serve, skillsIn } from "./support.js";

interface Version {
  readonly summary?: string;
  readonly max?: number;
  readonly more?: object;
  readonly error?: object;
}

const pet = (error: object) => ({ Error: { type: "object", properties: error } });

function version({
  error = { text: { type: "string" } },
  max = 100,
  more = {},
  summary = "List pets",
}: Version = {}): string {
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Error" } } };
  return openApi(
    {
      "/pets": {
        get: {
          operationId: "listPets",
          summary,
          tags: ["pets"],
          parameters: [{ name: "limit", in: "query", schema: { type: "integer", maximum: max } }],
          responses: {
            200: { description: "ok", content: { "application/json": {} } },
            default: { description: "no", content },
          },
        },
        post: {
          operationId: "addPet",
          summary: "Add a pet",
          tags: ["pets"],
          responses: { 204: { description: "ok" } },
        },
      },
      ...more,
    },
    {
      tags: [{ name: "pets", description: "All about pets.\n\nBe kind." }],
      components: { schemas: pet(error) },
    },
  );
}

const metadata = "skills/pets/metadata.yaml";
const knowledge = "skills/pets/SKILL.md";
const schema = "skills/schemas/shop/Error.json";

const removal = {
  "/pets/{name}": {
    delete: { operationId: "removePet", tags: ["pets"], responses: { 204: { description: "ok" } } },
  },
};
const dogs = {
  operationId: "listDogs",
  summary: "List dogs",
  responses: {
    200: { description: "ok", content: { "application/json": {} } },
    default: {
      description: "no",
      content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
    },
  },
};

function edit(root: string, path: string, from: string | RegExp, to: string): void {
  const before = readFileSync(join(root, path), "utf8");
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  put(root, path, after);
}

async function again(root: string, text: string, ...argv: readonly string[]) {
  put(root, "api.json", text);
  return importIn(root, ["api.json", ...argv]);
}

describe("a repeated import", () => {
  test("changes nothing if neither side changed", async () => {
    const { root } = await importText(version());
    const before = filesIn(root);
    const { code, report, told } = await again(root, version());
    expect([code, told, report.changes]).toEqual([
      0,
      [],
      { skills: [], tooLow: [], verdict: null },
    ]);
    expect(filesIn(root)).toEqual(before);
  });

  test("keeps people's edits and comments, and adds the API's changes", async () => {
    const { root } = await importText(version());
    edit(root, metadata, "  list-pets:", "  # Ask Ada first.\n  list-pets:\n    risk_level: high");
    edit(root, metadata, "description: Add a pet", "description: Take a pet in.");
    edit(root, knowledge, "Be kind.", "Be kind.\n\nNever on a Sunday.");
    edit(root, schema, '"text": {', '"text": {\n      "title": "Words",');
    const { files, report, told } = await again(
      root,
      version({
        summary: "Find pets",
        max: 50,
        error: { text: { type: "string" }, code: { type: "integer" } },
        more: {
          "/pets/{id}": {
            delete: {
              operationId: "removePet",
              tags: ["pets"],
              responses: { 204: { description: "ok" } },
            },
          },
        },
      }),
    );
    expect(told.map(({ code }) => code)).toEqual(["import/part-left-out"]);
    const tools = files[metadata] ?? "";
    expect(tools).toContain("# Ask Ada first.");
    expect(tools).toContain("risk_level: high");
    expect(tools).toContain("description: Take a pet in.");
    expect(tools).toContain("description: Find pets");
    expect(tools).toContain("maximum: 50");
    expect(tools).toContain("remove-pet:");
    expect(files[knowledge]).toContain("Never on a Sunday.");
    expect(files[knowledge]).toContain("Find pets; Add a pet; remove pet.");
    expect(JSON.parse(files[schema] ?? "")).toEqual({
      type: "object",
      properties: { text: { title: "Words", type: "string" }, code: { type: "integer" } },
    });
    expect(report.changes).toMatchObject({
      verdict: "major",
      skills: [
        {
          name: "pets",
          tools: [
            { id: "pets/list-pets", verdict: "major" },
            { id: "pets/remove-pet", change: "added", verdict: "minor" },
          ],
        },
      ],
    });
    const check = await again(root, readFileSync(join(root, "api.json"), "utf8"), "--check");
    expect(check.code).toBe(0);
  });

  test("reports a change on both sides, and keeps the person's", async () => {
    const { root } = await importText(version());
    edit(root, metadata, "description: List pets", "description: Show pets.");
    edit(root, knowledge, "Be kind.", "Be strict.");
    edit(root, schema, '"string"', '["string", "null"]');
    const text = version({ summary: "Find pets", error: { text: { type: "integer" } } });
    const { code, files, told } = await again(root, text.replace("Be kind.", "Be nice."));
    expect(code).toBe(0);
    const conflicts = told.filter((each) => each.code === "import/conflict");
    expect(conflicts.map(({ file, line, message }) => [file, line, message])).toEqual([
      [knowledge, 10, "you and the API changed these lines: the import keeps your text"],
      [metadata, 5, "you and the API changed `description`: the import keeps your text"],
      [schema, 5, "you and the API changed `type`: the import keeps your text"],
    ]);
    expect(conflicts[1]).toMatchObject({
      help: "to see the new text, run `gunzip -c skills/.import/shop/base/pets/metadata.yaml.gz`",
    });
    expect(files[metadata]).toContain("description: Show pets.");
    expect(files[knowledge]).toContain("Be strict.");
    expect(files[schema]).toContain("null");
    // It was told, and the person's is what is meant: nothing is told again.
    const next = await again(root, readFileSync(join(root, "api.json"), "utf8"));
    expect(next.told).toEqual([]);
  });

  test("removes entries that the API has removed, unless somebody changed them", async () => {
    const more = (name: string) => ({
      [`/${name}`]: {
        get: {
          operationId: `get${name}`,
          tags: [name],
          responses: { 200: { description: "ok", content: { "application/json": {} } } },
        },
      },
    });
    const { root } = await importText(version({ more: { ...more("cats"), ...more("dogs") } }));
    edit(root, "skills/dogs/SKILL.md", "# Shop", "# Our shop");
    const { files, told } = await again(root, version());
    expect(Object.keys(files).filter((path) => path.includes("cats"))).toEqual([]);
    expect(Object.keys(files).filter((path) => path.includes("dogs"))).toEqual([
      "skills/dogs/SKILL.md",
    ]);
    expect(told.map(({ file, message }) => [file, message])).toEqual([
      [
        "skills/dogs/SKILL.md",
        "the API no longer has this file, but you changed it: the import keeps it",
      ],
    ]);
  });

  test("keeps an edited tool that the API has removed, and says what to do", async () => {
    const { root } = await importText(version({ more: removal }));
    edit(root, metadata, "description: Remove pet", "description: Remove a pet");
    const { files, told } = await again(root, version());
    expect(files[metadata]).toContain("Remove a pet");
    expect(told).toMatchObject([
      {
        file: metadata,
        message:
          "the API no longer has the tool `remove-pet`, or the import leaves it out, but you changed it: the import keeps it",
        help: "if its calls fail now, remove the tool from this file; later imports do not change it",
      },
    ]);
    expect((await again(root, version())).told).toEqual([]);
  });

  test("does not restore an entry that a person removed", async () => {
    const { root } = await importText(version());
    edit(root, metadata, / {2}add-pet:[^]*/, "");
    rmSync(join(root, schema));
    const { files } = await again(root, version({ max: 7 }));
    expect(files[metadata]).not.toContain("add-pet");
    expect(files[metadata]).toContain("maximum: 7");
    expect(files[schema]).toBeUndefined();
  });

  test("repeats the choices of the last import", async () => {
    const { root } = await importText(version(), [
      "api.json",
      "--operation",
      "listPets",
      "--skill",
      "shop",
    ]);
    const { files } = await again(root, version({ summary: "Find pets" }));
    expect(Object.keys(files).toSorted()).toEqual([
      "skills/shop/SKILL.md",
      "skills/shop/metadata.yaml",
      "skills/shop/schemas/Error.json",
    ]);
    expect(files["skills/shop/metadata.yaml"]).toContain("Find pets");
    expect(files["skills/shop/metadata.yaml"]).not.toContain("add-pet");
    // Without a document it is the one that was imported.
    put(root, "api.json", version({ summary: "Look for pets" }));
    expect((await importIn(root, [])).files["skills/shop/metadata.yaml"]).toContain(
      "Look for pets",
    );
  });

  test("explains how to name a document outside of the project, because the record omits its local path", async () => {
    const outer = makeProject({ "api.json": version() });
    const root = join(outer, "project");
    put(root, "skillc.yaml", "skills: skills\nout: generated\n");
    expect((await importIn(root, ["../api.json"])).code).toBe(0);
    expect(JSON.stringify(filesIn(root))).not.toContain(outer);
    put(outer, "api.json", version({ summary: "Find pets" }));
    const unnamed = await importIn(root, []);
    expect(unnamed.code).toBe(1);
    expect(unnamed.stderr).toContain("name it: `skillc import openapi ../api.json --name shop`");
    const named = await importIn(root, ["../api.json", "--name", "shop"]);
    expect(named.files[metadata]).toContain("Find pets");
  });

  test("keeps the name of a tool if a new operation would get the same name", async () => {
    const { root } = await importText(version());
    const twin = {
      "/animals": {
        get: {
          operationId: "list_pets",
          tags: ["pets"],
          responses: { 204: { description: "ok" } },
        },
      },
    };
    const { report } = await again(root, version({ more: twin }));
    expect(report.operations.map(({ path, tool }) => [path, tool])).toEqual([
      ["/pets", "list-pets"],
      ["/pets", "add-pet"],
      ["/animals", "get-animals"],
    ]);
  });

  test("leaves a person's tool alone, even if the API now has one of that name", async () => {
    const { root } = await importText(version());
    const mine = `  remove-pet:
    description: Give a pet away.
    parameters: { type: object, properties: { name: { type: string } }, required: [ name ] }
    binding: { type: http, method: DELETE, url: "\${SHOP_URL}/mine/{name}" }
`;
    put(root, metadata, `${readFileSync(join(root, metadata), "utf8")}${mine}`);
    const { files, told } = await again(root, version({ more: removal }));
    expect(files[metadata]).toContain(mine);
    expect(told.filter(({ code }) => code === "import/conflict")).toMatchObject([
      { message: "you and the API changed `remove-pet`: the import keeps your text" },
    ]);
  });

  test("reports that API changes do not reach a tool that was renamed here", async () => {
    const { root } = await importText(version());
    edit(root, metadata, "  list-pets:", "  find-pets:");
    const { told } = await again(root, version({ max: 5 }));
    expect(told.map(({ message }) => message)).toContain(
      "you removed or renamed `list-pets`, and the API changed it: the import does not write it again",
    );
  });

  test("keeps the files that the remaining tools need: their schemas and the skill's own", async () => {
    const { root } = await importText(
      version({ more: { "/dogs": { get: { ...dogs, tags: ["dogs"] } } } }),
    );
    edit(root, "skills/dogs/metadata.yaml", "description: List dogs", "description: All dogs.");
    const { files, told } = await again(root, version());
    expect(Object.keys(files).filter((path) => /dogs|Error/.test(path))).toEqual([
      "skills/dogs/SKILL.md",
      "skills/dogs/metadata.yaml",
      schema,
    ]);
    expect(told.map(({ file, message }) => [file, message])).toContainEqual([
      "skills/dogs/SKILL.md",
      "the API no longer has this file, but a tool needs it: the import keeps it",
    ]);
    const { "/pets": pets } = JSON.parse(version()).paths;
    delete pets.get;
    const { files: without } = await again(root, openApi({ "/pets": pets }));
    expect(Object.keys(without)).toContain(schema);
    expect(without[metadata]).not.toContain("list-pets");
  });

  test("rejects a document of the same title with other operations", async () => {
    const { root, files } = await importText(version());
    put(root, "other.json", openApi({ "/orders": { get: { ...ok, tags: ["orders"] } } }));
    const { code, told } = await importIn(root, ["other.json"]);
    expect([code, told[0]?.code, told[0]?.message]).toEqual([
      1,
      "import/other-document",
      "the last import with the name `shop` read `api.json`, which has other operations than this document",
    ]);
    expect(skillsIn(root)).toEqual(files);
    expect((await importIn(root, ["other.json", "--name", "orders"])).code).toBe(0);
    put(root, "moved.json", version({ max: 5 }));
    expect((await importIn(root, ["moved.json"])).files[metadata]).toContain("maximum: 5");
  });

  test("treats a removed chosen operation as a change of the API", async () => {
    const { root } = await importText(version(), ["api.json", "--only", "listPets", "addPet"]);
    const { components, paths } = JSON.parse(version());
    delete paths["/pets"].post;
    const { code, files, report } = await again(root, openApi(paths, { components }));
    expect([code, report.changes?.verdict]).toEqual([0, "major"]);
    expect(files[metadata]).not.toContain("add-pet");
  });

  test("adds operations to the chosen ones with `--add`, and lists all with `--list`", async () => {
    const { root } = await importText(version(), ["api.json", "--only", "listPets"]);
    expect((await importIn(root, ["api.json", "--list"])).report.operations).toHaveLength(2);
    const { files } = await importIn(root, ["api.json", "--add", "addPet"]);
    expect(Object.keys(files)).toContain(metadata);
    expect(files[metadata]).toMatch(/list-pets:[^]*add-pet:/);
  });

  test("adds to an earlier choice of another kind with `--add`, and to a choice of all", async () => {
    const { root } = await importText(version({ more: removal }), ["api.json", "--method", "get"]);
    const { files } = await importIn(root, ["api.json", "--add", "removePet"]);
    expect(files[metadata]).toMatch(/list-pets:[^]*remove-pet:/);
    expect(files[metadata]).not.toContain("add-pet:");
    const whole = await importText(version());
    const { code, files: same } = await importIn(whole.root, ["api.json", "--add", "addPet"]);
    expect([code, same]).toEqual([0, whole.files]);
  });

  test("adds the API's changes to a tool whose query a person has extended", async () => {
    const order = (more: object) =>
      openApi({
        "/orders": {
          post: {
            operationId: "addOrder",
            tags: ["pets"],
            responses: { 204: { description: "ok" } },
            ...more,
          },
        },
      });
    const { root } = await importText(order({}));
    edit(root, metadata, "url: ", "query: { source: agent }\n      url: ");
    const parameters = [
      { name: "dry", in: "query", schema: { type: "boolean" } },
      { name: "X-Trace", in: "header", required: true, schema: { type: "string" } },
    ];
    const { files, told } = await again(root, order({ parameters }));
    expect(told.map(({ message }) => message)).toEqual([
      "you and the API changed `query`: the import keeps your text",
    ]);
    expect(files[metadata]).toMatch(/X-Trace: \{ ?type: string[^]*headers:/);
  });

  test("recognizes a file that was kept for a person's tool", async () => {
    const own = `tools_schema:
  get-error:
    description: Gets an error.
    parameters: { type: object }
    returns: { $ref: ../schemas/shop/Error.json }
    binding: { type: http, method: GET, url: "\${SHOP_URL}/error" }
`;
    const { root } = await importText(version());
    put(root, "skills/mine/SKILL.md", "---\nname: mine\ndescription: Mine.\n---\n");
    put(root, "skills/mine/metadata.yaml", own);
    const { components: _, ...bare } = JSON.parse(version());
    delete bare.paths["/pets"].get;
    const gone = await again(root, JSON.stringify(bare));
    expect(Object.keys(gone.files)).toContain(schema);
    expect(gone.told).toMatchObject([
      { message: "the API no longer has this file, but a tool needs it: the import keeps it" },
    ]);
    const quiet = await again(root, JSON.stringify(bare));
    expect([quiet.told, quiet.report.changes?.verdict]).toEqual([[], null]);
    const back = await again(root, version({ error: { code: { type: "integer" } } }));
    expect([back.code, JSON.parse(back.files[schema] ?? "").properties]).toEqual([
      0,
      { code: { type: "integer" } },
    ]);
  });

  test("repeats each of several imports, whatever happens to the others", async () => {
    const { root } = await importText(version());
    put(root, "other.json", openApi({ "/orders": { get: { ...ok, tags: ["orders"] } } }));
    await importIn(root, ["other.json", "--name", "another"]);
    rmSync(join(root, "other.json"));
    put(root, "api.json", version({ max: 5 }));
    const { code, stdout } = await skillc(root, ["import", "openapi", "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).imports).toMatchObject([
      { error: { message: "skillc can't import `other.json`: there is no such file" } },
      { title: "Shop" },
    ]);
    expect(skillsIn(root)[metadata]).toContain("maximum: 5");
  });

  test("keeps the authentication from `--auth` for the next time", async () => {
    const { root, files } = await importText(version(), ["api.json", "--auth", "bearer"]);
    expect(files[metadata]).toContain('auth: { bearer: "${SHOP_TOKEN}" }');
    expect((await again(root, version({ max: 5 }))).files[metadata]).toContain("${SHOP_TOKEN}");
    const header = await importIn(root, ["api.json", "--auth", "header:X-Api-Key"]);
    expect(header.files[metadata]).toMatch(/api_key: .*in: header.*X-Api-Key.*SHOP_KEY/);
    const { code, stderr } = await importIn(root, ["api.json", "--auth", "kerberos"]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("`--auth kerberos` is not a known authentication"),
    ]);
  });

  test("needs the document again if the record omits its query", async () => {
    const at = await serve((_request, response) => response.end(version()));
    const { root, code } = await importIn(makeProject({}), [`${at}/docs?group=b`]);
    expect(code).toBe(0);
    expect(JSON.stringify(filesIn(root))).not.toContain("group=b");
    const again = await importIn(root, []);
    expect([again.code, again.stderr]).toEqual([
      2,
      expect.stringContaining("had a query (`?…`), which skillc does not store"),
    ]);
  });

  test("reads as much as the last import was allowed to read", async () => {
    const at = await serve((_request, response) => response.end('{ "type": "object" }'));
    const text = openApi({
      "/pets": {
        get: {
          ...dogs,
          responses: {
            200: { description: "ok", content: { "application/json": { schema: { $ref: at } } } },
          },
        },
      },
    });
    const { root, code } = await importText(text, ["api.json", "--allow", at]);
    expect(code).toBe(0);
    const before = filesIn(root);
    const again = await importIn(root, ["api.json"]);
    expect([again.code, again.stderr]).toEqual([
      2,
      expect.stringContaining("repeat the option: `--allow"),
    ]);
    expect(filesIn(root)).toEqual(before);
  });

  test("names the import that wrote the existing files", async () => {
    const { root } = await importText(version(), ["api.json", "--name", "zoo"]);
    const { code, report } = await importIn(root, ["api.json"]);
    expect(code).toBe(1);
    expect(JSON.stringify(report)).toContain("the import `zoo` already wrote this file");
  });
});

describe("--check", () => {
  test("fails if document and skills differ, and writes nothing", async () => {
    const { root } = await importText(version());
    const before = filesIn(root);
    const { code, told } = await again(root, version({ max: 5 }), "--check");
    expect(code).toBe(1);
    expect(told.map((each) => [each.code, each.file])).toEqual([["import/out-of-date", metadata]]);
    expect(filesIn(root)).toEqual({ ...before, "api.json": version({ max: 5 }) });
  });

  test("fails if nothing was imported yet", async () => {
    const { code, files } = await importText(version(), ["api.json", "--check"]);
    expect([code, files]).toEqual([1, {}]);
  });
});

describe("a person's file", () => {
  test("stays unchanged if it is a skill that no import wrote", async () => {
    const mine = "---\nname: pets\ndescription: Ours.\n---\nAsk Ada.\n";
    const { code, files, told } = await importText(version(), ["api.json"], { [knowledge]: mine });
    expect(code).toBe(1);
    expect(told.map((each) => each.code)).toEqual(["import/foreign-file"]);
    expect(files).toEqual({ [knowledge]: mine });
    const prefixed = await importText(version(), ["api.json", "--prefix", "shop"], {
      [knowledge]: mine,
    });
    expect(Object.keys(prefixed.files)).toContain("skills/shop-pets/metadata.yaml");
  });

  test("stops the import if it is an unreadable metadata file", async () => {
    const { root } = await importText(version());
    put(root, metadata, "tools_schema: [");
    const before = skillsIn(root);
    const { code, told } = await again(root, version({ max: 5, error: {} }));
    expect(code).toBe(1);
    expect(told.map(({ file }) => file)).toContain(metadata);
    expect(skillsIn(root)).toEqual(before);
  });

  test("causes an error if it is a record of the last import with a path elsewhere", async () => {
    const { root } = await importText(version());
    const record = "skills/.import/shop/import.json";
    edit(root, record, '"pets/SKILL.md"', '"../../../pets/SKILL.md"');
    const { code, told } = await again(root, version());
    expect([code, told.map((each) => each.code)]).toEqual([1, ["import/broken-record"]]);
  });

  test("stays unchanged behind a link in place of a folder", async () => {
    const elsewhere = makeProject();
    const root = makeProject({ "api.json": version() });
    const { symlinkSync, mkdirSync } = await import("node:fs");
    mkdirSync(join(root, "skills"));
    symlinkSync(elsewhere, join(root, "skills/pets"));
    const { code, stderr } = await skillc(root, ["import", "openapi", "api.json"]);
    expect(code).toBe(1);
    expect(stderr).toContain("skills/pets` is a link");
    expect(filesIn(elsewhere)).toEqual({});
    expect(Object.keys(filesIn(root)).filter((path) => path.startsWith("skills/"))).toEqual([]);
  });
});

describe("the copies of an import's files", () => {
  const record = "skills/.import/shop";
  const text = openApi({ "/a": { get: { operationId: "getA", tags: ["x"], ...ok } } });

  test("stay usable if an earlier skillc did not compress them, and are replaced", async () => {
    const { root } = await importText(text);
    const base = `${record}/base/x/metadata.yaml`;
    const written = gunzipSync(readFileSync(join(root, `${base}.gz`))).toString("utf8");
    rmSync(join(root, `${base}.gz`));
    put(root, base, written);
    edit(root, "skills/x/metadata.yaml", "get-a:", "get-a:\n    tags: [mine]");
    const { code, told } = await importIn(root, ["api.json"]);
    expect([code, told]).toEqual([0, []]);
    expect(filesIn(root)["skills/x/metadata.yaml"]).toContain("tags: [mine]");
    expect(existsSync(join(root, base))).toBe(false);
    expect(gunzipSync(readFileSync(join(root, `${base}.gz`))).toString("utf8")).toBe(written);
  });

  test("count as empty if they can't be decompressed, or are too large then", async () => {
    const { root } = await importText(text);
    for (const bytes of [Buffer.from("not gzip"), gzipSync(Buffer.alloc(3_000_000, 32))]) {
      put(root, `${record}/base/x/metadata.yaml.gz`, bytes);
      const { code } = await importIn(root, ["api.json"]);
      expect(code).toBe(0);
      expect((await importIn(root, ["api.json", "--check"])).code).toBe(0);
    }
  });
});
