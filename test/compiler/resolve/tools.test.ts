import { describe, expect, test } from "vitest";
import { desk, faults, resolveProject } from "./skill-project.js";

/** One tool, `get`, with these lines below its description. */
function tool(...lines: readonly string[]) {
  return desk(
    "tools:",
    "  get:",
    "    description: Get it.",
    ...lines.map((line) => `    ${line}`),
  );
}

async function only(...lines: readonly string[]) {
  const outcome = await resolveProject(tool(...lines));
  expect(faults(outcome)).toEqual([]);
  const found = outcome.skills[0]?.tools[0];
  if (found === undefined) throw new Error("the tool was not resolved");
  return found;
}

describe("the declaration of tools", () => {
  const get = "{get: {description: Get it., order_id: string}}";
  const json = '{"get": {"description": "Get it.", "order_id": "string"}}';
  const bare = desk()["skills/desk/SKILL.md"] ?? "";

  test.each([
    ["metadata.tools_schema", desk(`metadata: {tools_schema: ${get}}`)],
    ["tools_schema", desk(`tools_schema: ${get}`)],
    ["metadata.tools", desk(`metadata: {tools: ${get}}`)],
    ["tools", desk(`tools: ${get}`)],
    [
      "tools_schema of metadata.json",
      { "skills/desk/SKILL.md": bare, "skills/desk/metadata.json": `{"tools_schema": ${json}}` },
    ],
    [
      "tools of metadata.json",
      { "skills/desk/SKILL.md": bare, "skills/desk/metadata.json": `{"tools": ${json}}` },
    ],
    [
      "tools_schema of metadata.yaml",
      { "skills/desk/SKILL.md": bare, "skills/desk/metadata.yaml": `tools_schema: ${get}` },
    ],
    [
      "tools of metadata.yml",
      { "skills/desk/SKILL.md": bare, "skills/desk/metadata.yml": `tools: ${get}` },
    ],
  ])("may be in %s", async (_, files) => {
    const { skills, diagnostics } = await resolveProject(files);
    expect(diagnostics.filter((each) => each.severity === "error")).toEqual([]);
    expect(skills[0]?.tools.map((each) => each.name)).toEqual(["get"]);
  });

  test("causes an error that names both places if there are two", async () => {
    const outcome = await resolveProject({
      ...desk(`tools: ${get}`),
      "skills/desk/metadata.json": `{"tools_schema": ${json}}`,
    });
    expect(faults(outcome)).toEqual([
      "metadata.json:1:2-16 error skill/tools-declared-twice: tools are declared under `tools_schema` of metadata.json and under `tools` " +
        "(keep all tools of the skill in one of the two places)",
    ]);
    const second = outcome.diagnostics.find((each) => each.code === "skill/tools-declared-twice");
    expect(second?.related?.map(({ span }) => span.file)).toEqual(["skills/desk/SKILL.md"]);
  });

  test("causes an error at metadata.yaml if that is the second place", async () => {
    const outcome = await resolveProject({
      ...desk(`tools: ${get}`),
      "skills/desk/metadata.yaml": `tools_schema: ${get}`,
    });
    expect(faults(outcome)).toEqual([
      "metadata.yaml:1:1-13 error skill/tools-declared-twice: tools are declared under `tools_schema` of metadata.yaml and under `tools` " +
        "(keep all tools of the skill in one of the two places)",
    ]);
  });

  test.each([
    ["a list", '{"tools": ["a", "b"]}'],
    ["flags", '{"tools": {"read": true}}'],
    ["no tools at all", '{"version": 3}'],
    ["no object", "[1]"],
  ])(
    "does not exist in a metadata.json with %s, which belongs to another publisher",
    async (_, metadata) => {
      const { skills, diagnostics } = await resolveProject({
        ...desk(),
        "skills/desk/metadata.json": metadata,
      });
      expect(diagnostics.filter((each) => each.severity !== "info")).toEqual([]);
      expect(skills[0]?.tools).toEqual([]);
    },
  );

  test("declares nothing with an empty key, and causes an error with a text", async () => {
    expect(faults(await resolveProject(desk("tools:", `tools_schema: ${get}`)))).toEqual([]);
    expect(faults(await resolveProject(desk("tools: Read, Write")))).toEqual([
      "SKILL.md:4:8-19 error skill/tools-not-a-mapping: `tools` must be a mapping from tool names to tools " +
        "(to list the tools that a skill may use, write `allowed-tools`)",
    ]);
  });
});

describe("parameters in short form", () => {
  test("form a closed object in which `?` and a default make a parameter optional", async () => {
    const { parameters } = await only(
      "order_id: string",
      "verbose?: { type: boolean, description: Include the lines }",
      "limit: { type: integer, default: 10 }",
    );
    expect(parameters.schema).toEqual({
      type: "object",
      additionalProperties: false,
      required: ["order_id"],
      properties: {
        order_id: { type: "string" },
        verbose: { type: "boolean", description: "Include the lines" },
        limit: { type: "integer", default: 10 },
      },
    });
  });

  test("form an empty closed object if there are none", async () => {
    expect((await only()).parameters.schema).toEqual({
      type: "object",
      additionalProperties: false,
      properties: {},
    });
  });

  test("keep the author's places", async () => {
    const files = tool("order_id: string", "limit: { type: integer, default: ten }");
    expect(faults(await resolveProject(files))[0]).toMatch(/^SKILL.md:8:38-41 error schema\//);
    const { parameters } = await only("order_id: string");
    const text = tool("order_id: string")["skills/desk/SKILL.md"] ?? "";
    const place = parameters.places["/properties/order_id"];
    expect(text.slice(place?.start, place?.end)).toBe("string");
  });

  test("may have the names `__proto__` and `constructor`", async () => {
    const { parameters } = await only("__proto__: string", "constructor: string");
    expect(JSON.stringify(parameters.schema)).toContain('"required":["__proto__","constructor"]');
    expect(JSON.stringify(parameters.schema)).toContain('"__proto__":{"type":"string"}');
  });

  test.each([
    [
      "parametrs: { properties: {} }",
      "7:5-14",
      "unknown-key: `parametrs` is not a key of a tool, nor does it declare a parameter (did you mean `parameters`?)",
    ],
    [
      "parametrs: { type: object, properties: {} }",
      "7:5-14",
      "unknown-key: `parametrs` is not a key of a tool (did you mean `parameters`?)",
    ],
    [
      "bindng: { type: http, method: GET }",
      "7:5-11",
      "unknown-key: `bindng` is not a key of a tool (did you mean `binding`?)",
    ],
    [
      "descripton: Get it all",
      "7:5-15",
      "unknown-key: `descripton` is not a key of a tool, nor does it declare a parameter (did you mean `description`?)",
    ],
    ["total: float", "7:12-17", "unknown-type: `float` is not a type (did you mean `number`?)"],
    [
      "note: string?",
      "7:11-18",
      "unknown-type: `string?` is not a type (for an optional parameter write `note?: string`)",
    ],
    [
      "size: { minimum: 1 }",
      "7:11-12",
      "unknown-type: the parameter `size` has no type (add `type: number`)",
    ],
    [
      "size: { unit: cm }",
      "7:5-9",
      "unknown-key: `size` is not a key of a tool, nor does it declare a parameter (in the short form, a parameter is `size: string` or a mapping with `type`)",
    ],
    [
      "note: { type: string, required: false }",
      "7:27-35",
      "required-flag: in the short form a parameter's name says whether it is required (remove `required` and name the parameter `note?`)",
    ],
  ])("do not include %s", async (line, place, finding) => {
    expect(faults(await resolveProject(tool(line)))).toEqual([
      `SKILL.md:${place} error tool/${finding}`,
    ]);
  });
});

describe("parameters in short form without a type", () => {
  const bound = (...lines: readonly string[]) => [
    ...lines,
    "binding:",
    "  type: sql",
    "  connection: ${DESK}",
    "  query: SELECT 1 AS one",
  ];

  test("get an open type if the kind of binding infers types", async () => {
    const { parameters } = await only(
      ...bound(
        "id:",
        "note?: ",
        "least: { minimum: 1, description: How many }",
        "most: { default: 9 }",
        "any: {}",
      ),
    );
    expect(parameters.schema).toEqual({
      type: "object",
      additionalProperties: false,
      required: ["id", "least", "any"],
      properties: {
        id: {},
        note: {},
        least: { minimum: 1, description: "How many" },
        most: { default: 9 },
        any: {},
      },
    });
  });

  test("get the place of their name", async () => {
    const { parameters } = await only(...bound("order_id:"));
    const text = tool(...bound("order_id:"))["skills/desk/SKILL.md"] ?? "";
    const place = parameters.places["/properties/order_id"];
    expect(text.slice(place?.start, place?.end)).toBe("order_id");
  });

  test.each([
    [
      "size: { properties: {} }",
      "unknown-type: the parameter `size` has no type (add `type: object`)",
    ],
    [
      "size: { unit: cm }",
      "unknown-key: `size` is not a key of a tool, nor does it declare a parameter (in the short form, a parameter is `size: string` or a mapping with `type`)",
    ],
    [
      "size: cm",
      "unknown-type: `cm` is not a type (the types are `string`, `number`, `integer`, `boolean`, `array`, `object`)",
    ],
  ])("cause an error if they are anything else: %s", async (line, finding) => {
    const found = faults(await resolveProject(tool(...bound(line))));
    expect(found.map((each) => each.replace(/^\S+ error tool\//, ""))).toEqual([finding]);
  });

  test("cause an error that says which binding allows them", async () => {
    expect(faults(await resolveProject(tool("id:")))).toEqual([
      "SKILL.md:7:5-7 error tool/unknown-type: the parameter `id` has no type (write `id: string`, or a mapping with `type`; only a tool with a binding of the type `sql` may omit it)",
    ]);
  });
});

describe("a type of another language", () => {
  test.each([
    ["id: int", "did you mean `integer`?"],
    ["id: str", "did you mean `string`?"],
    ["id: Boolean", "did you mean `boolean`?"],
    ["id: dict", "did you mean `object`?"],
    ["id: date", "write `id: { type: string, format: date }`"],
    ["id: datetime", "write `id: { type: string, format: date-time }`"],
    ["id: uuid", "write `id: { type: string, format: uuid }`"],
    ["id: any", "write `id: { type: [string, number, boolean, array, object] }`"],
    ["id: string[]", "write `id: { type: array, items: { type: string } }`"],
    ["id: [string]", "write `id: { type: array, items: { type: string } }`"],
    ["id: list[int]", "write `id: { type: array, items: { type: integer } }`"],
    [
      "id: Array<date[]>",
      "write `id: { type: array, items: { type: array, items: { type: string, format: date } } }`",
    ],
    ["id: string | null", 'write `id: { type: [string, "null"] }`'],
    [`id: "'new' | 'old'"`, "write `id: { type: string, enum: [new, old] }`"],
    ["id: int?", "for an optional parameter write `id?: integer`"],
    ["id?: date?", "for an optional parameter write `id?: { type: string, format: date }`"],
    ["id: 'Optional[str]'", "for an optional parameter write `id?: string`"],
    ["id: { items: { type: string } }", "add `type: array`"],
    ["id: money", "the types are `string`, `number`, `integer`, `boolean`, `array`, `object`"],
  ])("causes a suggestion: %s", async (line, help) => {
    const { diagnostics } = await resolveProject(tool(line));
    const errors = diagnostics.filter((each) => each.severity === "error");
    expect(errors.map((each) => [each.code, each.help])).toEqual([["tool/unknown-type", help]]);
  });
});

describe("keys beside their parent for lack of indentation", () => {
  const bound = ["binding:", "type: http", "method: GET", 'url: "https://a.org/{id}"'];

  test("may belong to a tool's binding", async () => {
    expect(faults(await resolveProject(tool("id: string", ...bound)))).toEqual([
      "SKILL.md:8:5-12 error tool/wrong-type: `binding` is empty: `type`, `method`, `url` stand beside it, not in it (indent them deeper than `binding`)",
    ]);
  });

  test("may belong to a tool's parameters before its binding", async () => {
    const lines = ["parameters:", "type: object", "properties: { id: { type: string } }"];
    const binding = 'binding: { type: http, method: GET, url: "https://a.org/{id}" }';
    expect(faults(await resolveProject(tool(...lines, binding)))).toEqual([
      "SKILL.md:7:5-15 error tool/wrong-type: `parameters` is empty: `type`, `properties` stand beside it, not in it (indent them deeper than `parameters`)",
    ]);
  });

  test("may belong to a whole tool, but not to the next one", async () => {
    const outcome = await resolveProject(
      desk(
        "tools:",
        "  get:",
        "  description: Get it.",
        "  id: string",
        "  put: { params: { type: object } }",
      ),
    );
    expect(faults(outcome)).toEqual([
      "SKILL.md:5:3-6 error tool/not-a-mapping: `get` is empty: `description`, `id` stand beside it, not in it (indent them deeper than `get`)",
    ]);
    expect(outcome.skills[0]?.tools.map((each) => each.name)).toEqual(["get", "put"]);
  });

  test("still cause their own errors", async () => {
    const lines = ["binding:", "type: htpp", "method: GET", 'url: "https://a.org/{id}"'];
    const found = await resolveProject(tool("id: string", ...lines));
    expect(found.diagnostics.map((each) => each.code)).toContain("binding/unknown-type");
  });

  test("do not include a parameter after an empty key", async () => {
    const { skills, lines } = await resolveProject(tool("returns:", "id: string"));
    expect(lines.join("\n")).toContain("`returns` must be");
    expect(skills).toHaveLength(1);
  });
});

describe("parameters in full", () => {
  test("override the short form, whose keys are then unknown", async () => {
    const outcome = await resolveProject(tool("parameters: { type: object }", "order_id: string"));
    expect(faults(outcome)).toEqual([
      "SKILL.md:8:5-13 error tool/unknown-key: `order_id` is not a key of a tool (declare the parameter under `parameters.properties`)",
    ]);
  });

  test("may be called `params`, and stay as open as the author left them", async () => {
    const { parameters } = await only(
      "params: { type: object, properties: { a: { type: string } } }",
    );
    expect(parameters.schema).toEqual({ type: "object", properties: { a: { type: "string" } } });
  });

  test("may be a reference into the document or to a file", async () => {
    const inside = await only('parameters: { $ref: "#/$defs/p", $defs: { p: { type: object } } }');
    expect(inside.name).toBe("get");
    const outcome = await resolveProject({
      ...tool("parameters: { $ref: ../shared/p.json }"),
      "skills/shared/p.json": '{"type": "object", "properties": {"a": {"type": "string"}}}',
    });
    expect(faults(outcome)).toEqual([]);
    expect(outcome.skills[0]?.tools).toHaveLength(1);
  });

  test.each([
    'parameters: { allOf: [{ $ref: "#/$defs/p" }], $defs: { p: { type: object } } }',
    "parameters: { oneOf: [{ type: object, maxProperties: 0 }, { type: object, minProperties: 1 }] }",
    "parameters: { anyOf: [{ allOf: [{}, { type: object }] }, { type: [object] }] }",
  ])("may be an object in this form: %s", async (line) => {
    expect((await only(line)).name).toBe("get");
  });

  test.each([
    "parameters: { oneOf: [{ type: object }, { type: string }] }",
    "parameters: { anyOf: [{ type: object }, {}] }",
    "parameters: { allOf: [{}] }",
  ])("cause an error if they allow other values: %s", async (line) => {
    expect(faults(await resolveProject(tool(line))).join("\n")).toContain(
      "tool/parameters-not-object",
    );
  });

  test.each([
    ["parameters: {}", "7:5-15", "remove `parameters` if the tool takes no parameters"],
    ["parameters: { properties: {} }", "7:5-15", "add `type: object`"],
    [
      "parameters: { type: array }",
      "7:25-30",
      "write `type: object` and put the parameters under `properties`",
    ],
    [
      "params: { enum: [1] }",
      "7:5-11",
      "write `type: object` and put the parameters under `properties`",
    ],
  ])("cause an error if they are no object: %s", async (line, place, help) => {
    const name = line.split(":")[0];
    expect(faults(await resolveProject(tool(line)))).toEqual([
      `SKILL.md:${place} error tool/parameters-not-object: \`${name}\` must describe an object: callers pass parameters by name (${help})`,
    ]);
  });

  test.each(["../../secret.json", "/etc/passwd", "..\\..\\x.json"])(
    "never read the file %s",
    async (path) => {
      const outcome = await resolveProject({
        ...tool(`parameters: { $ref: '${path}' }`),
        "secret.json": '{"type": "object"}',
      });
      expect(outcome.diagnostics.filter((each) => each.severity === "error")).toHaveLength(1);
      expect(outcome.skills[0]?.tools).toEqual([]);
    },
  );
});

async function risks(...lines: readonly string[]) {
  const { skills } = await resolveProject(desk(...lines));
  return skills[0]?.tools.map((each) => each.riskLevel);
}

describe("the settings of a tool", () => {
  test("keep all values", async () => {
    const found = await only(
      "order_id: string",
      "risk_level: high",
      "requires_confirmation: true",
      "unused: [order_id]",
      "tags: [orders]",
      'version: "2.1"',
      "deprecated: use fetch",
      "rollback: { tool: undo }",
      "returns: { type: string }",
    );
    expect(found).toMatchObject({
      riskLevel: "high",
      requiresConfirmation: true,
      unused: [{ name: "order_id" }],
      tags: ["orders"],
      version: "2.1",
      deprecated: "use fetch",
      rollback: { strategy: "compensate", tool: "undo" },
      returns: { schema: { type: "string" } },
    });
  });

  test("override those of the skill, and the effect decides without either", async () => {
    const get = ["    binding: { type: http, method: GET, url: https://orders.example.com/ }"];
    const tools = [
      "tools:",
      "  read:",
      "    description: d",
      ...get,
      "  write:",
      "    description: d",
    ];
    expect(await risks(...tools)).toEqual(["low", "medium"]);
    expect(await risks("risk_level: high", ...tools)).toEqual(["high", "high"]);
    expect(
      await risks("owlclaw: { risk_level: critical }", ...tools, "    risk_level: low"),
    ).toEqual(["critical", "low"]);
  });

  test("cause an error if their type is wrong, and the rest of the tool is still checked", async () => {
    const outcome = await resolveProject(
      tool(
        "tags: orders",
        "version: 1.0",
        'requires_confirmation: "true"',
        "risk_level: hihg",
        "binding: { type: htpp }",
      ),
    );
    expect(faults(outcome)).toEqual([
      "SKILL.md:7:11-17 error tool/wrong-type: `tags` must be a list, not text (write `[orders]`)",
      "SKILL.md:8:14-17 error tool/wrong-type: `version` must be text, not a whole number (put quotes around it)",
      "SKILL.md:9:28-34 error tool/wrong-type: `requires_confirmation` must be `true`/`false`, not text (write `true` without quotes)",
      expect.stringMatching(/^SKILL.md:10:17-21 error tool\/wrong-value: /),
      "SKILL.md:11:22-26 error binding/unknown-type: there is no binding type `htpp` (did you mean `http`? the types are `command`, `file`, `handler`, `http`, `plan`, `queue`, `sql`)",
    ]);
  });

  test("do not hide errors of the binding if the parameters are broken", async () => {
    const outcome = await resolveProject(
      tool("order: strin", "binding: { type: http, metod: GET }"),
    );
    expect(faults(outcome).map((line) => line.split(" ")[2])).toEqual([
      "tool/unknown-type:",
      "binding/missing-key:",
      "binding/unknown-key:",
    ]);
  });

  test("do not hide the tools after a broken one", async () => {
    const outcome = await resolveProject(
      desk(
        "tools:",
        "  a: nothing",
        "  b:",
        "    description: d",
        "    x: strin",
        "  c:",
        "    description: d",
      ),
    );
    expect(faults(outcome).map((line) => line.split(" ")[2])).toEqual([
      "tool/not-a-mapping:",
      "tool/unknown-type:",
    ]);
    expect(outcome.skills[0]?.tools.map((each) => each.name)).toEqual(["c"]);
    expect(
      outcome.diagnostics.filter((each) => each.severity === "error").map((each) => each.tool),
    ).toEqual(["a", "b"]);
  });
});
