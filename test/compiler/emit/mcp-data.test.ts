import { skillEntry } from "@modelcontextprotocol/server/ext/skills";
import { describe, expect, test } from "vitest";
import type { McpData } from "../../../src/runtime/mcp/mcp-data.js";
import { filesOf } from "../../support/answers-fit.js";
import { compileFiles } from "../../support/compile.js";

const own = filesOf(".", ["skills", "skillc.yaml", "examples/warehouse/schema.sql"]);

/** Compiles the examples as a project with an MCP server. */
const examples = compileFiles(
  { ...own, "skillc.yaml": `${own["skillc.yaml"] ?? ""}\nmcp:\n` },
  { linked: new Map() },
);

async function exampleData(): Promise<McpData> {
  const text = (await examples).files.find(({ path }) => path === "mcp.json")?.text ?? "";
  return JSON.parse(text) as McpData;
}

/** A tool with an HTTP binding, and its hints as letters. */
async function hintsOf(lines: readonly string[], ...keys: readonly string[]): Promise<string> {
  const skill = ["---", "name: desk", "description: Orders.", "tools_schema:", "  put:"];
  const tool = ["    description: Put it.", "    parameters: { type: object, properties: {} }"];
  const text = [...skill, ...tool, ...keys.map((key) => `    ${key}`), "    binding:"];
  const binding = ["type: http", "url: https://api.example.com/x", ...lines];
  const all = [...text, ...binding.map((line) => `      ${line}`), "---", ""].join("\n");
  const { diagnostics, published } = await compileFiles(
    { "skills/desk/SKILL.md": all },
    { linked: new Map() },
  );
  const hints = published?.data.tools["desk/put"]?.annotations;
  if (hints === undefined) throw new Error(JSON.stringify(diagnostics));
  return Object.entries(hints)
    .flatMap(([name, is]) => (is === true ? [name.replace("Hint", "")] : []))
    .join(" ");
}

describe("mcp.json", () => {
  test("the file is written only if skillc.yaml has the key `mcp`", async () => {
    const skills = filesOf("test/cases/http-answers", ["skills"]);
    const names = async (settings: string) =>
      (await compileFiles({ ...skills, "skillc.yaml": settings }, { linked: new Map() })).files
        .map(({ path }) => path)
        .filter((path) => path.endsWith(".json"));
    expect(await names("skills: skills")).toEqual([]);
    expect(await names("mcp: {}")).toEqual(["mcp.json"]);
  });

  test("the examples give away no URL, credential, key of a binding or SQL", async () => {
    const { files, lowered } = await examples;
    const text = files.find(({ path }) => path === "mcp.json")?.text ?? "";
    const tools = lowered.flatMap((skill) => skill.tools.map(({ tool }) => tool));
    const credentials = tools.flatMap(({ binding }) => binding.credentials.map(({ name }) => name));
    const queries = tools.flatMap(({ binding }) => {
      const { query } = binding.config as { readonly query?: { readonly value?: unknown } };
      return typeof query?.value === "string"
        ? query.value.split("\n").map((line) => line.trim())
        : [];
    });
    const keys = "tools_schema response_mapping body_template status_codes connection binding url";
    const words = [
      ...keys.split(" ").map((key) => `"${key}"`),
      ...keys.split(" ").map((key) => `${key}:`),
    ];
    const forbidden = ["://", "${", ...credentials, ...queries, ...words].filter(
      (each) => each.length > 2,
    );
    expect(forbidden.length).toBeGreaterThan(100);
    expect(forbidden.filter((each) => text.includes(each))).toEqual([]);
  });

  test("hints follow the effects of the examples", async () => {
    const { tools } = await exampleData();
    const hints = (id: string) => Object.values(tools[id]?.annotations ?? {});
    // Read-only, destructive, idempotent, open world.
    expect(hints("warehouse/get-product")).toEqual([true, false, true, false]);
    expect(hints("warehouse/move-stock")).toEqual([false, true, false, false]);
    expect(hints("order-desk/create-order")).toEqual([false, false, false, true]);
    expect(hints("order-desk/refund-order")).toEqual([false, false, true, true]);
    expect(hints("order-desk/quote-shipping")).toEqual([false, true, false, true]);
    expect(hints("order-events/log-view")).toEqual([false, false, false, false]);
    expect(hints("notes/write-note")).toEqual([false, true, false, false]);
    expect(hints("returns-desk/take-back")).toEqual([false, true, false, true]);
    expect(hints("api-builder/create-api")).toEqual([true, false, true, true]);
  });

  test.each([
    ["readOnly idempotent openWorld", ["method: GET"]],
    ["destructive idempotent openWorld", ["method: PUT"]],
    ["destructive idempotent openWorld", ["method: DELETE"]],
    ["destructive openWorld", ["method: POST"]],
    ["openWorld", ["method: POST", "response_mapping: { status_codes: { '201': success } }"]],
    [
      "destructive openWorld",
      ["method: POST", "response_mapping: { status_codes: { '201': success, '200': changed } }"],
    ],
    [
      "destructive openWorld",
      ["method: PATCH", "response_mapping: { status_codes: { '201': success } }"],
    ],
    // Each call sends another key, so the service can't see that a model repeats one.
    ["destructive openWorld", ["method: POST", "idempotency: { header: Idempotency-Key }"]],
    ["destructive idempotent openWorld", ["method: POST", "idempotency: natural"]],
  ])("a request has the hints `%s`: %j", async (hints, lines) => {
    expect(await hintsOf(lines)).toBe(hints);
  });

  test("a keyed tool is idempotent", async () => {
    expect(await hintsOf(["method: POST"], "governance: { idempotency: keyed }")).toBe(
      "destructive idempotent openWorld",
    );
  });

  test("a skill has the keys of the specification, its body, and names of its tools", async () => {
    const { skills } = await exampleData();
    const skill = skills.find(({ name }) => name === "refund-policy");
    expect(skill?.files[0]?.text).toMatch(
      /^---\nname: refund-policy\ndescription: When and how[^\n]+\nlicense: MIT\nmetadata:\n {2}skillc.manifest: [0-9a-f]{64}\n---\n\n# Refunds\n/,
    );
    const desk = skills.find(({ name }) => name === "order-desk");
    expect(desk?.tools).toContain("order-desk__get-order");
    expect(desk?.files[0]?.text).toContain(
      `  skillc.tools: ${desk?.tools.join(" ") ?? ""}\n  skillc.manifest: ${desk?.manifest ?? ""}\n---`,
    );
  });
});

test("a derived skill has descriptions that clients' readers of YAML take", async () => {
  const head = [
    "---",
    "name: desk",
    'description: "  An indented\\nline."',
    'license: " MIT"',
    "---",
  ];
  const files = { "skills/desk/SKILL.md": [...head, "Body.", ""].join("\n") };
  const { published } = await compileFiles(files, { linked: new Map() });
  const [text = ""] = published?.data.skills[0]?.files.map((file) => file.text ?? "") ?? [];
  expect((await skillEntry("desk", { "SKILL.md": text })).frontmatter).toMatchObject({
    description: "An indented\nline.",
    license: "MIT",
  });
});
