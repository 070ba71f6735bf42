import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import type { JsonObject } from "../../../src/core/json.js";
import { checkedProject, desk, faults, resolveProject } from "./skill-project.js";
import { unicodeText } from "../../support/unicode-text.js";

/** The warnings about a skill's front matter, without what all share. */
async function warnings(folder: string, ...lines: readonly string[]): Promise<readonly string[]> {
  const text = ["---", ...lines, "---", ""].join("\n");
  const outcome = await resolveProject({ [`${folder}/SKILL.md`]: text });
  expect(outcome.diagnostics.map((each) => each.severity)).not.toContain("error");
  const start = `${folder}/SKILL.md:`;
  return outcome.lines.map((line) =>
    line.replace(start, "").replace("warning skill/not-portable: ", ""),
  );
}

describe("tools under a wrong key", () => {
  const get = "{ get: { description: Get it., id: string } }";
  const bound = "{ get: { id: string, binding: { type: http } } }";

  test.each([
    ["tool", get, "did you mean `tools`?"],
    ["Tools", get, "did you mean `tools`?"],
    ["tool_schema", get, "did you mean `tools_schema`?"],
    ["toolsSchema", get, "did you mean `tools_schema`?"],
    ["tools-schema", get, "did you mean `tools_schema`?"],
    ["tool_definitions", get, "name the key `tools_schema`"],
    ["functions", bound, "name the key `tools_schema`"],
  ])("cause an error under `%s` that names the right key", async (key, tools, help) => {
    for (const line of [`${key}: ${tools}`, `metadata: { ${key}: ${tools} }`]) {
      const { diagnostics } = await resolveProject(desk(line));
      expect(diagnostics).toMatchObject([
        { code: "skill/misplaced-tools", severity: "error", help, skill: "desk" },
      ]);
    }
  });

  test.each<[json: JsonObject, place: string, help: string]>([
    [
      { tool_schema: { get: { parameters: { type: "object" } } } },
      "1:2-15 error skill/misplaced-tools: `tool_schema` has tools",
      "did you mean `tools_schema`?",
    ],
    [
      { functions: { get: { binding: { type: "http" } } } },
      "1:2-13 error skill/misplaced-tools: `functions` has tools",
      "name the key `tools_schema`",
    ],
    [
      { version: 1, get: { binding: { type: "http" } } },
      "1:14-19 error skill/misplaced-tools: `get` looks like a tool",
      "put it below the key",
    ],
  ])("cause an error in metadata.json that names the right key: %j", async (json, place, help) => {
    const [line, ...others] = faults(await beside(json));
    expect(others).toEqual([]);
    expect(line).toContain(`metadata.json:${place}`);
    expect(line).toContain(help);
  });

  test.each<JsonObject>([
    { tool: { get: { description: "Get it." } } },
    { functions: { get: { parameters: { type: "object" } } } },
    { tool_list: ["get"], toolsmap: { get: { binding: "x", parameters: 3 } } },
  ])("cause no error in a metadata.json that may belong to another publisher: %j", async (json) => {
    expect((await beside(json)).lines).toEqual([]);
  });

  test("cause one error, at the first, beside an empty `tools`", async () => {
    const outcome = await resolveProject(
      desk(
        "tools:",
        "get: { id: string, binding: { type: http } }",
        "put: { binding: { type: http } }",
      ),
    );
    expect(faults(outcome)).toEqual([
      "SKILL.md:5:1-4 error skill/misplaced-tools: `get` looks like a tool, but is not under `tools_schema` " +
        "(put it below the key `tools_schema`, indented deeper)",
    ]);
  });

  test.each([
    ["a list of what a skill may use", "tool: [Read]"],
    ["text", "tool: Read"],
    ["a mapping of text", "tool: { get: Get it. }"],
    ["descriptions under a key of another name", "examples: { get: { description: Get it. } }"],
  ])("do not include %s", async (_, line) => {
    const { diagnostics } = await resolveProject(desk(line));
    expect(diagnostics.map((each) => each.code)).toEqual(["skill/not-portable"]);
  });
});

describe("front matter that other loaders of Agent Skills may reject", () => {
  const nothing = "skillc needs no change";

  test("causes one warning that lists every fault and points at each", async () => {
    const lines = [
      "name: MyDesk",
      "description: ''",
      "metadata: { a: 1, b: { c: d }, tags: [x] }",
      "allowed-tools: [Read, Write]",
      "compatibility: 3",
      "licence: MIT",
      "triggers: [a]",
      "risk_level: low",
      "tools: {}",
    ];
    expect(await warnings("skills/desk", ...lines)).toEqual([
      "2:7-13 other loaders of Agent Skills may reject this skill: `licence`, `triggers`, `risk_level` and `tools` are not keys of the format; " +
        "the name `MyDesk` has other characters than lower-case letters, digits and single hyphens; `description` is empty; " +
        "`a` must be text, not a whole number; `b` must be text, not a mapping; `tags` must be text, not a list; " +
        "`allowed-tools` must be text, not a list; `compatibility` must be text, not a whole number " +
        `(${nothing}; for other loaders, move the tools, under \`tools_schema\`, and \`risk_level\` to metadata.yaml beside it; ` +
        "keys of your own may be below `metadata`, as text; name it `my-desk`; `a`: put quotes around it; " +
        "`compatibility`: put quotes around it; `licence`: did you mean `license`?)",
    ]);
    const text = ["---", ...lines, "---", ""].join("\n");
    const { diagnostics } = await resolveProject({ "skills/desk/SKILL.md": text });
    const places = diagnostics[0]?.related?.map(({ span }) => text.slice(span.start, span.end));
    expect(places).toEqual([
      "''",
      "1",
      "{ c: d }",
      "[x]",
      "[Read, Write]",
      "3",
      "licence",
      "triggers",
      "risk_level",
      "tools",
    ]);
  });

  const refuse = "other loaders of Agent Skills may reject this skill:";

  test.each([
    [
      "a name that is not the folder's, and no description",
      ["name: order-desk"],
      "2:1-2",
      "`description` is missing from portable front matter; the name `order-desk` differs from the folder's, `desk`",
      "`description`: add `description: …`; give the folder and the skill the same name",
    ],
    [
      "texts that are too long",
      ["name: desk", `description: ${"x".repeat(1025)}`, `compatibility: ${"y".repeat(501)}`],
      "3:14-1039",
      "`description` is longer than 1024 characters; `compatibility` is longer than 500 characters",
      undefined,
    ],
    [
      "tools",
      ["name: desk", "description: d", "metadata: { tools_schema: {} }"],
      "4:13-25",
      "`tools_schema` is not a key of the format",
      "for other loaders, move the tools, under `tools_schema`, to metadata.yaml beside it",
    ],
    [
      "a setting",
      ["name: desk", "description: d", "risk_level: high"],
      "4:1-11",
      "`risk_level` is not a key of the format",
      "for other loaders, move `risk_level` to metadata.yaml beside it",
    ],
    [
      "a key of another publisher",
      ["name: desk", "description: d", "triggers: [orders]"],
      "4:1-9",
      "`triggers` is not a key of the format",
      "keys of your own may be below `metadata`, as text",
    ],
  ])("causes a warning for %s", async (_, lines, place, fact, help) => {
    expect(await warnings("skills/desk", ...lines)).toEqual([
      `${place} ${refuse} ${fact} (${[nothing, ...(help ? [help] : [])].join("; ")})`,
    ]);
  });

  test("causes no warning if it is portable", async () => {
    const lines = [
      "name: desk",
      "description: d",
      "license: MIT",
      "metadata: { author: me }",
      "allowed-tools: Read",
    ];
    expect(await warnings("skills/desk", ...lines)).toEqual([]);
  });
});

const settings = { prerequisites: { env: ["A"] }, requires_confirmation: true };
const beside = (metadata: unknown, ...lines: readonly string[]) =>
  resolveProject({
    ...desk(...lines),
    "skills/desk/metadata.json": JSON.stringify(metadata),
  });

describe("a skill", () => {
  test("takes the name of its folder if it has none", async () => {
    const { skills } = await resolveProject({
      "skills/desk/SKILL.md": "---\ndescription: Orders.\n---\n\n# Desk\n",
    });
    expect(skills[0]).toMatchObject({
      name: "desk",
      description: "Orders.",
      folder: "skills/desk",
    });
    expect(skills[0]?.body.trim()).toBe("# Desk");
  });

  test("consists of its text if it has no front matter", async () => {
    const { skills } = await resolveProject({ "skills/desk/SKILL.md": "# Desk\n" });
    expect(skills[0]).toMatchObject({ name: "desk", description: "", tools: [] });
  });

  test("reads its settings at the top level or in `owlclaw:`", async () => {
    const lines = [
      "prerequisites:",
      "  env: [A]",
      "  bins: [jq]",
      "  config: [a.b]",
      "  os: [linux, darwin]",
    ];
    const wanted = { env: ["A"], bins: ["jq"], config: ["a.b"], os: ["linux", "darwin"] };
    const top = await resolveProject(desk(...lines));
    const inside = await resolveProject(desk("owlclaw:", ...lines.map((line) => `  ${line}`)));
    expect(faults(top)).toEqual([]);
    expect(faults(inside)).toEqual([]);
    expect(top.skills[0]?.prerequisites).toEqual(wanted);
    expect(inside.skills[0]?.prerequisites).toEqual(wanted);
  });

  test("reads its settings in metadata.json, with or without tools, and is portable then", async () => {
    const tools_schema = { look: { description: "Look.", id: "string" } };
    const both = await beside({ tools_schema, risk_level: "high", ...settings });
    expect(both.lines).toEqual([]);
    expect(both.skills[0]?.prerequisites.env).toEqual(["A"]);
    expect(both.skills[0]?.tools[0]).toMatchObject({
      riskLevel: "high",
      requiresConfirmation: true,
    });

    const alone = await beside(settings);
    expect(alone.lines).toEqual([]);
    expect(alone.skills[0]?.prerequisites.env).toEqual(["A"]);
  });

  test("reports errors in its settings in metadata.json", async () => {
    const tools_schema = { look: { description: "Look.", id: "string" } };
    const outcome = await beside({ prerequisites: { env: "A", bin: [] }, tools_schema });
    expect(faults(outcome)).toEqual([
      "metadata.json:1:25-28 error skill/wrong-type: `env` must be a list, not text (write `[A]`)",
      "metadata.json:1:29-34 error skill/unknown-key: `bin` is not a key of `prerequisites` (did you mean `bins`?)",
    ]);
  });

  test("reads its settings in metadata.yaml, and reports errors there", async () => {
    const lines = [
      "# with a comment",
      "risk_level: high",
      "prerequisites:",
      "  bin: [jq]",
      "tools: { look: { description: Look., id: string } }",
    ];
    const outcome = await resolveProject({
      ...desk("risk_level: low"),
      "skills/desk/metadata.yaml": lines.join("\n"),
    });
    expect(faults(outcome)).toEqual([
      "metadata.yaml:2:1-11 error skill/declared-twice: `risk_level` is set at the top level and in metadata.yaml (keep one of the two)",
      "metadata.yaml:4:3-6 error skill/unknown-key: `bin` is not a key of `prerequisites` (did you mean `bins`?)",
    ]);
    expect(outcome.lines[0]).toContain(
      "for other loaders, move `risk_level` to metadata.yaml beside it",
    );
  });

  test("accepts an empty metadata.yaml or one with only comments as no tools", async () => {
    for (const text of ["", "# nothing yet\n", "---\n"]) {
      const outcome = await resolveProject({ ...desk(), "skills/desk/metadata.yaml": text });
      expect(outcome.lines).toEqual([]);
      expect(outcome.skills[0]?.tools).toEqual([]);
    }
  });

  test("ignores settings in another publisher's metadata.json", async () => {
    const outcome = await beside({ prerequisites: ["node 20"], risk_level: 3, tags: ["a"] });
    expect(faults(outcome)).toEqual([
      "metadata.json:1:2-17 info skill/foreign-key: `prerequisites` of metadata.json does not have the form that skillc reads, so skillc ignores it",
      "metadata.json:1:30-42 info skill/foreign-key: `risk_level` of metadata.json does not have the form that skillc reads, so skillc ignores it",
    ]);
    expect(outcome.skills[0]?.prerequisites).toEqual({ env: [], bins: [], config: [], os: [] });
  });

  test("requires each setting in one place only", async () => {
    const outcome = await beside(
      { prerequisites: { env: ["A"] } },
      "prerequisites: { env: [B] }",
      "owlclaw: { prerequisites: { env: [C] } }",
    );
    expect(faults(outcome)).toEqual([
      "SKILL.md:5:12-25 error skill/declared-twice: `prerequisites` is set at the top level and in `owlclaw` (keep one of the two)",
      "metadata.json:1:2-17 error skill/declared-twice: `prerequisites` is set at the top level and in metadata.json (keep one of the two)",
    ]);
    expect(outcome.skills[0]?.prerequisites.env).toEqual(["B"]);
  });

  test("reports errors in its settings", async () => {
    const outcome = await resolveProject(
      desk(
        "requires_confirmation: 'yes'",
        "prerequisites:",
        "  env: TOKEN",
        "  os: [macos]",
        "  bin: [jq]",
      ),
    );
    expect(faults(outcome)).toEqual([
      "SKILL.md:4:24-29 error skill/wrong-type: `requires_confirmation` must be `true`/`false`, not text (write `true`)",
      "SKILL.md:6:8-13 error skill/wrong-type: `env` must be a list, not text (write `[TOKEN]`)",
      expect.stringMatching(
        /^SKILL.md:7:8-13 error skill\/wrong-value: an item of `os` must be .* \(write `darwin`\)$/,
      ),
      "SKILL.md:8:3-6 error skill/unknown-key: `bin` is not a key of `prerequisites` (did you mean `bins`?)",
    ]);
  });

  test("may contain keys of another runtime", async () => {
    const outcome = await resolveProject(
      desk("owlclaw:", "  focus: [orders]", "  prerequisites: { python_packages: [x] }"),
    );
    expect(outcome.diagnostics.map((each) => each.severity)).toEqual(["warning", "info", "info"]);
  });
});

/** The forms in which existing skills of another runtime are written. */
describe("a published skill", () => {
  const found = {
    "tools_schema in metadata, with an API key": [
      "metadata:",
      "  tools_schema:",
      "    create-order:",
      "      description: Create order in upstream order service",
      "      parameters:",
      "        type: object",
      "        properties: { order_id: { type: string }, amount: { type: number } }",
      "        required: [order_id, amount]",
      "      binding:",
      "        type: http",
      "        method: POST",
      "        url: https://api.example.com/orders",
      "        headers: { X-API-Key: '${XAPI_API_KEY}' }",
      "        response_mapping: { path: $.data, status_codes: { '201': success } }",
      "owlclaw: { prerequisites: { env: [XAPI_API_KEY] } }",
    ],
    "a short form and a GET": [
      "tools:",
      "  fetch-order:",
      "    description: Fetch one order by id",
      "    order_id: string",
      "    binding: { type: http, method: GET, url: 'http://127.0.0.1:8008/orders/{order_id}', response_mapping: { path: $.data } }",
    ],
    "a shadow POST with a body": [
      "tools:",
      "  create-order:",
      "    description: Create order request in shadow mode",
      "    order_id: string",
      "    amount: number",
      "    binding:",
      "      type: http",
      "      method: POST",
      "      mode: shadow",
      "      url: http://127.0.0.1:8008/orders",
      '      body_template: { order_id: "{order_id}", amount: "{amount}" }',
    ],
    "handlers, and a binding of another runtime": [
      "metadata: { author: owlclaw, version: '0.1.0', tags: [mcp, governance] }",
      "tools:",
      "  governance_budget_status:",
      "    description: Query current budget usage for one agent.",
      "    parameters: { type: object, properties: { tenant_id: { type: string } }, required: [tenant_id] }",
      "  task_create:",
      "    description: Create one durable background task.",
      "    parameters: { type: object, properties: { workflow_name: { type: string } }, required: [workflow_name] }",
      "owlclaw: { binding: { type: mcp, endpoint: '${OWLCLAW_MCP_ENDPOINT}' } }",
    ],
    "no tools": [],
  };

  test.each(Object.entries(found))("resolves as expected: %s", async (_, lines) => {
    const { diagnostics } = await checkedProject(desk(...lines));
    expect(diagnostics.filter((each) => each.severity === "error")).toEqual([]);
  });
});

const key = fc.constantFrom(
  ..."name description metadata tools tools_schema owlclaw prerequisites env os risk_level".split(
    " ",
  ),
  ..."parameters params returns binding type method url headers retry max_attempts mode idempotency".split(
    " ",
  ),
  ..."unused tags version deprecated properties required default $ref __proto__ constructor a a? 1".split(
    " ",
  ),
);
const leaf = fc.oneof(
  fc.constantFrom(
    "http",
    "handler",
    "object",
    "string",
    "natural",
    "{a}",
    "${A}",
    "{",
    "#",
    "./x.json",
    "../../x",
    "high",
  ),
  unicodeText({ maxLength: 8 }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6, depthSize: "small" },
    leaf,
    fc.array(tie("tree"), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie("tree")), { maxLength: 6 }).map((entries) => new Map(entries)),
  ),
}));

test("every finding lies inside its file, for any front matter", async () => {
  const more = fc.array(fc.tuple(key, tree), { maxLength: 4 });
  const bound = more.map((entries) => ({
    a: "string",
    binding: new Map<string, unknown>([
      ["type", "http"],
      ["method", "POST"],
      ["url", "https://a.example/{a}"],
      ...entries,
    ]),
  }));
  const name = fc.constantFrom("a", "b-c", "delete");
  const tools = fc.tuple(fc.constant("tools"), fc.dictionary(name, fc.oneof(tree, bound)));
  const root = fc.array(fc.oneof(tools, fc.tuple(key, tree)), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(root, async (entries) => {
      const files = {
        "skills/desk/SKILL.md": `---\n${stringify(new Map<string, unknown>(entries))}---\nText.\n`,
      };
      const { diagnostics } = await checkedProject(files);
      for (const { span } of diagnostics.flatMap((each) => [each, ...(each.related ?? [])])) {
        expect(Object.keys(files)).toContain(span.file);
        expect(span.start).toBeLessThanOrEqual(span.end);
        expect(span.end).toBeLessThanOrEqual(files["skills/desk/SKILL.md"].length);
      }
    }),
    { numRuns: 200 },
  );
});
