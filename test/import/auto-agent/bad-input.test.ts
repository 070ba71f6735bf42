import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { makeProject, put, skillc } from "../../cli/support/command-line.js";
import { definition, importAgain, importDefinitions, notesOn } from "./support.js";

const metadata = "skills/desk/metadata.yaml";

describe("a file of definitions that can't be read", () => {
  test.each([
    ["null", "import/unknown-format"],
    ["7", "import/unknown-format"],
    ["{}", "import/unknown-format"],
    ["[]", "import/unknown-format"],
    ["[[]]", "import/unknown-format"],
    ['{ "name": "app", "scripts": {} }', "import/unknown-format"],
    ['{ "tools": [] }', "import/unknown-format"],
    ['{ "openapi": "3.1.0", "paths": {} }', "import/unknown-format"],
    ["", "parse/invalid-json"],
    ["def tool(): pass", "parse/invalid-json"],
    ['{ "name": "a", "name": "b", "parameters": [] }', "parse/duplicate-key"],
    [`${"[".repeat(100_000)}${"]".repeat(100_000)}`, "parse/too-deep"],
    [
      JSON.stringify(Array.from({ length: 1001 }, (_, n) => definition(`t${n}`))),
      "import/too-large",
    ],
  ])(
    "an unreadable file of definitions is one error, and nothing is written: %.60s",
    async (text, code) => {
      const { files, told, ...ran } = await importDefinitions(text);
      expect([ran.code, files]).toEqual([1, {}]);
      expect(told.map((each) => each.code)).toEqual([code]);
    },
  );

  test("one unreadable file of several writes nothing", async () => {
    const root = makeProject({
      "a.json": JSON.stringify(definition("a")),
      "b.json": "{",
      "c.json": "[]",
    });
    const { code, files, told } = await importAgain(root, ["a.json", "b.json", "c.json"]);
    expect([code, files]).toEqual([1, {}]);
    expect(told.map((each) => [each.code, each.file])).toEqual([
      ["parse/invalid-json", "b.json"],
      ["import/unknown-format", "c.json"],
    ]);
  });

  test("two tools with one name are an error, also in two files", async () => {
    const root = makeProject({
      "a.json": JSON.stringify(definition("a")),
      "b.json": JSON.stringify([definition("b"), definition("a")]),
    });
    const { code, files, told } = await importAgain(root, ["a.json", "b.json"]);
    expect([code, files]).toEqual([1, {}]);
    expect(told.map((each) => [each.code, each.message, each.file])).toEqual([
      ["import/repeated-tool", "two tools have the name `a`", "b.json"],
    ]);
  });

  test.each([
    [["https://agent.example.com/tools"], 2, "skillc reads tool definitions from files only"],
    [["missing.json"], 1, "there is no such file"],
    [["agent.json", "missing.json"], 1, "there is no such file"],
    [["folder"], 1, "can't be read"],
    [["agent.json", "--skill", "No Name"], 2, "is not a valid name for a skill"],
    [["agent.json", "--prefix", "No!"], 2, "is not a valid prefix"],
    [["agent.json", "--into", "../elsewhere"], 2, "is not a folder below"],
    [["agent.json", "--only", "ghost"], 2, "`ghost` is not the name of a tool in the definitions"],
    [[], 2, "no tool definition was imported into `skills` yet"],
  ])("an invalid command line has one message: %j", async (argv, code, message) => {
    const root = makeProject({ "agent.json": JSON.stringify(definition("a")) });
    mkdirSync(join(root, "folder"));
    const ran = await skillc(root, ["import", "auto-agent", ...argv]);
    expect(ran.code).toBe(code);
    expect(ran.stderr).toContain(message);
    expect(ran.stderr).not.toMatch(/^ +at /m);
    expect(readdirSync(root)).not.toContain("skills");
  });

  test("a record can't make the import read a file outside of the project", async () => {
    const root = makeProject({ "agent.json": JSON.stringify(definition("a")) });
    await importAgain(root, ["agent.json"]);
    const path = "skills/.import/agent/import.json";
    const record = JSON.parse(readFileSync(join(root, path), "utf8"));
    record.request.further = ["../../etc/hostname"];
    put(root, path, JSON.stringify(record));
    const { code, stderr } = await skillc(root, ["import", "auto-agent", "--check"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/outside of the project|there is no such file/);
  });
});

describe("a definition that can't be imported", () => {
  const spoilt: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ["the tool has no `name`", { name: " " }],
    ["`description` is not text", { description: 7 }],
    ["`category` is not text", { category: ["x"] }],
    ["`parameters` is not a list", { parameters: { type: "object" } }],
    ["a parameter has no `name`", { parameters: ["order_id"] }],
    ["a parameter has no `name`", { parameters: [{ type: "string" }] }],
    ["a parameter has no `name`", { parameters: [{ name: "" }] }],
    ["`name` is not text", { parameters: [{ name: 7 }] }],
    ["two parameters have the name `a`", { parameters: [{ name: "a" }, { name: "a" }] }],
    ["`required` is neither", { parameters: [{ name: "a", required: "yes" }] }],
    ["`output_schema` is not a mapping", { output_schema: ["x"] }],
    ["`param_aliases` is not a mapping", { param_aliases: ["x"] }],
    ["the other names of `order_id` are not texts", { param_aliases: { order_id: [7] } }],
    ["JavaScript can't hold this integer", { parameters: "BIG" }],
    ["is not a regular expression", { parameters: [{ name: "a", type: "str", pattern: "(" }] }],
    ["refers to nothing", { parameters: [{ name: "a", $ref: "#/$defs/none" }] }],
    ["like a", { description: `Uses ghp_${"a1B2c3D4e5F6".repeat(3)}.` }],
    ["enum", { parameters: [{ name: "a", enum: [] }] }],
  ];

  test.each(spoilt)(
    "a faulty definition is left out with the reason, and a sound one is not: %s",
    async (why, more) => {
      const text = JSON.stringify([definition("bad", more), definition("good")]).replace(
        '"BIG"',
        '[{"name":"a","type":"integer","default":90071992547409931}]',
      );
      const imported = await importDefinitions(text);
      expect(imported.code).toBe(0);
      const bad = imported.report.tools[0];
      expect([bad?.tool, bad?.notes.map(({ message }) => message).join("; ")]).toEqual([
        null,
        expect.stringContaining(why),
      ]);
      expect(Object.keys(parse(imported.files[metadata] ?? "").tools_schema)).toEqual(["good"]);
    },
  );

  test("no tool at all is an error, and nothing is written", async () => {
    const { code, files, told } = await importDefinitions([definition("a", { parameters: 7 })]);
    expect([code, files]).toEqual([1, {}]);
    expect(told.map((each) => each.code)).toContain("import/no-tools");
  });
});

describe("odd definitions", () => {
  test("names that mean something to JavaScript become parameters, outputs and aliases", async () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
    const text = JSON.stringify(
      definition("odd", {
        parameters: names.map((name) => ({ name, type: "string" })),
        output_schema: "OUTPUTS",
        param_aliases: "ALIASES",
      }),
    )
      .replace('"OUTPUTS"', '{ "__proto__": { "type": "str" }, "valueOf": { "type": "int" } }')
      .replace('"ALIASES"', '{ "__proto__": "prototype", "constructor": ["__proto__"] }');
    const { code, files, root } = await importDefinitions(text);
    expect(code).toBe(0);
    expect(files[metadata]).toContain("__proto__: { type: string }");
    expect(files[metadata]).toContain("__proto__: [ prototype ]");
    expect((await skillc(root, ["generate"])).code).toBe(0);
    expect(readFileSync(join(root, "generated/desk/catalog.ts"), "utf8")).toContain(
      '"param_aliases":{["__proto__"]:["prototype"],"constructor":["__proto__"]}',
    );
  });

  test.each([
    ["str", { type: "string" }],
    ["String", { type: "string" }],
    ["INTEGER", { type: "integer" }],
    ["list", { type: "array" }],
    ["List[int]", { type: "array", items: { type: "integer" } }],
    ["list[Any]", { type: "array" }],
    ["typing.List[str]", { type: "array", items: { type: "string" } }],
    ["Dict[str, Any]", { type: "object" }],
    ["Any", {}],
    ["Optional[str]", { type: ["string", "null"] }],
    ["Optional[Optional[list]]", { type: ["array", "null"] }],
    ["str | None", { type: ["string", "null"] }],
    ["datetime", { type: "string" }],
    ["uuid", { type: "string", format: "uuid" }],
    ["enum", {}],
    ["__proto__", {}],
    [`${"Optional[".repeat(500)}str${"]".repeat(500)}`, {}],
    [["str", "null"], { type: ["string", "null"] }],
    [["str", 7], {}],
    [{ type: "str" }, {}],
    [null, {}],
  ])("the type %j becomes keywords of JSON Schema", async (type, keywords) => {
    const parameters = [{ name: "a", type }];
    const { code, files } = await importDefinitions(definition("t", { parameters }));
    expect(code).toBe(0);
    const { tools_schema: tools } = parse(files[metadata] ?? "");
    expect(tools.t.parameters.properties.a).toEqual(keywords);
  });

  test.each([
    [{ type: "int", default: "three" }, false],
    [{ type: "int", default: 0, minimum: 1 }, false],
    [{ type: "str", default: "x", enum: ["a", "b"] }, false],
    [{ type: "list", items: "str", default: [1] }, false],
    [{ type: "str", default: null }, undefined],
    [{ type: "str", default: "x" }, "x"],
    [{ type: "dict", default: {} }, {}],
    [{ type: "any", default: null }, null],
  ])("a default is kept only if it fits: %j", async (parameter, kept) => {
    const parameters = [{ name: "a", ...parameter }];
    const imported = await importDefinitions(definition("t", { parameters }));
    expect(imported.code).toBe(0);
    const { tools_schema: tools } = parse(imported.files[metadata] ?? "");
    const isReported = notesOn(imported, "t").some((each) => each.includes("the default of `a`"));
    expect(isReported).toBe(kept === false);
    expect(tools.t.parameters.properties.a.default).toEqual(kept === false ? undefined : kept);
  });

  test("outputs are required unless the definition says otherwise", async () => {
    const { files } = await importDefinitions(
      definition("t", {
        output_schema: {
          a: "str",
          b: { type: "int", required: false },
          c: { type: "any", optional: true },
        },
      }),
    );
    const { tools_schema: tools } = parse(files[metadata] ?? "");
    expect(tools.t.returns.required).toEqual(["a"]);
    expect(tools.t.returns.additionalProperties).toBeUndefined();
  });

  test("an output with the name `type` is not taken for a schema", async () => {
    const { files } = await importDefinitions(
      definition("t", { output_schema: { type: { type: "str" }, properties: { type: "dict" } } }),
    );
    const { tools_schema: tools } = parse(files[metadata] ?? "");
    expect(Object.keys(tools.t.returns.properties)).toEqual(["type", "properties"]);
  });

  test("texts with Markdown, HTML, front matter and control characters stay texts", async () => {
    const text =
      "---\n# Title\n<b>*bold*</b>\n---\n\u202eevil\u0000 ```js\n*/ ${x} {y}\n" + "x".repeat(2000);
    const { code, files, root } = await importDefinitions(
      definition("t", {
        description: text,
        category: "a\n---\nname: other",
        parameters: [{ name: "a", type: "str", description: text }],
      }),
    );
    expect(code).toBe(0);
    const path = Object.keys(files).find((each) => each.endsWith("metadata.yaml")) ?? "";
    const { tools_schema: tools } = parse(files[path] ?? "");
    expect(tools.t.description.length).toBeLessThanOrEqual(1024);
    expect(tools.t.description).toContain("<b>*bold*</b>");
    expect(JSON.stringify(files)).not.toContain("\u202e");
    expect((await skillc(root, ["generate"])).code).toBe(0);
  });

  test("deep nesting within the limits of files is converted", async () => {
    let schema: unknown = "str";
    for (let level = 0; level < 60; level += 1) schema = { type: "list", items: schema };
    const { files } = await importDefinitions(
      definition("t", { parameters: [{ name: "a", ...(schema as object) }] }),
    );
    expect(files[metadata] ?? "").toContain("type: string");
  });

  test("10,000 parameters end with a tool or with a reason", async () => {
    const parameters = Array.from({ length: 10_000 }, (_, n) => ({ name: `p${n}`, type: "str" }));
    const many = definition("many", { parameters, param_aliases: { p9999: "last" } });
    const { code, report, told } = await importDefinitions([many, definition("few")]);
    expect(code).toBe(0);
    expect(told.filter(({ severity }) => severity === "error")).toEqual([]);
    const [first] = report.tools;
    expect(first?.tool === "many" || first?.notes.length === 1).toBe(true);
  });
});
