import { describe, expect, test } from "vitest";
import type { ProjectFiles } from "../../../src/core/diagnostic-entry.js";
import { desk, resolveProject } from "./skill-project.js";

async function manifestOf(files: ProjectFiles, at = 0): Promise<string> {
  const { diagnostics, skills } = await resolveProject(files);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const manifest = skills[0]?.tools[at]?.manifest;
  if (manifest === undefined) throw new Error("the tool was not resolved");
  return manifest;
}

const written = `tools:
  list-orders:
    description: List the orders of a customer.
    customer_id: string
    limit: { type: integer, minimum: 1, maximum: 50, default: 10 }
    tags: [orders]
    risk_level: low
    binding:
      type: http
      method: GET
      url: https://orders.example.com/orders
      query: { customer: "{customer_id}", limit: "{limit}" }
      headers: { Accept-Language: en, X-Source: desk }
    governance:
      scopes: [orders.read]
      limits: { calls_per_minute: 60, concurrent: 4 }
`;
const plain = desk(written);

/** What says the same, line by line in another order and layout. */
const rewritten = `# The tools of the desk.
tools:
  list-orders:
    # who may call it
    governance: {limits: {"concurrent": 4, calls_per_minute: 6e1}, scopes: ["orders.read"]}
    binding:
      query:
        customer: '{customer_id}'   # whose
        limit: "{limit}"
      headers: {X-Source: "desk", Accept-Language: "en"}

      url: "https://orders.example.com/orders"
      method: GET
      type: http
    limit:
      default: 10
      type: "integer"
      maximum: 50
      minimum: 1
    risk_level: low
    tags:
      - orders
    customer_id: string
    description: >-
      List the orders
      of a customer.
`;

test("the hash of this tool's manifest is the same in all versions of skillc", async () => {
  expect(await manifestOf(plain)).toBe(
    "9be23d188dee745c4878f1bbb425e47e103eb82e3aa4cae8a705e6ac023a8680",
  );
});

describe("the hash of a manifest", () => {
  test("ignores comments, layout, quotes and the order of keys", async () => {
    expect(await manifestOf(desk(rewritten))).toBe(await manifestOf(plain));
  });

  test("ignores the tool's file, its place there and the skill's own words", async () => {
    const skill = "---\nname: desk\ndescription: Looks after everything.\n---\n\nBe kind.\n";
    const first = "tools:\n  other: { description: Another. }\n";
    const files = {
      "skills/desk/SKILL.md": skill,
      "skills/desk/metadata.yaml": written.replace("tools:\n", first),
    };
    expect(await manifestOf(files, 1)).toBe(await manifestOf(plain));
  });

  test("ignores the skill's folder", async () => {
    const [text = ""] = Object.values(desk(referring("./order.json")));
    const at = (folder: string) => ({
      [`skills/${folder}/SKILL.md`]: text,
      [`skills/${folder}/order.json`]: '{"type": "object"}',
    });
    expect(await manifestOf(at("sales/desk"))).toBe(await manifestOf(at("desk")));
  });

  test("ignores whether the key is `parameters` or an alias", async () => {
    const named = (name: string) =>
      desk(`tools: { look: { description: Look., ${name}: { type: object } } }`);
    expect(await manifestOf(named("params"))).toBe(await manifestOf(named("parameters")));
  });

  test("ignores whether a risk level is set at the tool or at its skill, and in which words", async () => {
    const unsaid = written.replace("    risk_level: low\n", "");
    const manifests = await Promise.all(
      [`risk_level: low\n${unsaid}`, written.replace("level: low", "level: read"), unsaid].map(
        (text) => manifestOf(desk(text)),
      ),
    );
    expect(new Set(manifests)).toEqual(new Set([await manifestOf(plain)]));
  });

  test("ignores accepted findings", async () => {
    const accepting = `${written}    accept: { governance/limit: known }\n`;
    expect(await manifestOf(desk(accepting))).toBe(await manifestOf(plain));
  });
});

test.each([
  ["the description", "List the orders", "Lists the orders"],
  ["a parameter", "maximum: 50", "maximum: 51"],
  ["whether a parameter is required", "customer_id: string", "customer_id?: string"],
  ["a tag", "[orders]", "[orders, all]"],
  ["the risk", "risk_level: low", "risk_level: high"],
  ["the binding", "orders.example.com", "orders.example.org"],
  ["a scope", "[orders.read]", "[orders.list]"],
  ["a limit", "concurrent: 4", "concurrent: 5"],
  ["the tool's name", "list-orders:", "find-orders:"],
  [
    "the order in which a query is sent",
    'customer: "{customer_id}", limit: "{limit}"',
    'limit: "{limit}", customer: "{customer_id}"',
  ],
])("depends on %s", async (_, from, to) => {
  expect(written).toContain(from);
  expect(await manifestOf(desk(written.replace(from, to)))).not.toBe(await manifestOf(plain));
});

test("differs between a word for risk that requires approval and the level alone", async () => {
  const risky = (word: string) =>
    manifestOf(desk(`tools: { refund: { description: Refund., risk_level: ${word} } }`));
  expect(await risky("exec_high")).not.toBe(await risky("high"));
  expect(await risky("exec_high")).toBe(await risky("write"));
});

/** A tool whose parameters stand in a file. */
function referring(file: string): string {
  return `tools: { look: { description: Look., parameters: { type: object, properties: { order: { $ref: "${file}" } } } } }`;
}

/** A tool whose message is made by the schema in a file. */
function announcing(file: string): string {
  return `tools:
  announce:
    description: Announce it.
    id: string
    binding: { type: queue, provider: kafka, connection: "\${BROKER}", topic: orders, format: ${file.includes(".proto") ? "protobuf" : "avro"}, schema: ${file} }
`;
}

describe.each([
  {
    what: "a schema in JSON",
    text: referring("./order.json"),
    file: "order.json",
    said: '{"type": "object", "properties": {"id": {"type": "string"}}}',
    same: '{\n  "properties": { "id": { "type": "string" } },\n  "type": "object"\n}\n',
    other: '{"type": "object", "properties": {"id": {"type": "number"}}}',
  },
  {
    what: "a message's schema in Avro",
    text: announcing("./order.avsc"),
    file: "order.avsc",
    said: '{"type": "record", "name": "Order", "fields": [{"name": "id", "type": "string"}]}',
    same: '{"name": "Order", "type": "record",\n "fields": [{"type": "string", "name": "id"}]}\n',
    other: '{"type": "record", "name": "Orders", "fields": [{"name": "id", "type": "string"}]}',
  },
  {
    what: "a message's schema in Protobuf",
    text: announcing("./order.proto#Order"),
    file: "order.proto",
    said: 'syntax = "proto3";\nmessage Order { string id = 1; }\n',
    same: '// Orders.\r\nsyntax = "proto3";\r\nmessage Order {\r\n  /* its id */ string id = 1;\r\n}\r\n',
    other: 'syntax = "proto3";\nmessage Order { string id = 2; }\n',
  },
])("the manifest of a tool with $what", ({ file, other, said, same, text }) => {
  const holding = (content: string) =>
    manifestOf({ ...desk(text), [`skills/desk/${file}`]: content });

  test("depends on its content, and not on its layout", async () => {
    expect(await holding(same)).toBe(await holding(said));
    expect(await holding(other)).not.toBe(await holding(said));
  });
});

test("depends on a file that a file refers to, but not on one beside them", async () => {
  const files = {
    ...desk(referring("./order.json")),
    "skills/desk/order.json": '{"$ref": "./id.json"}',
    "skills/desk/id.json": '{"type": "string"}',
  };
  const other = { ...files, "skills/desk/id.json": '{"type": "integer"}' };
  const beside = { ...files, "skills/desk/unused.json": '{"type": "integer"}' };
  expect(await manifestOf(other)).not.toBe(await manifestOf(files));
  expect(await manifestOf(beside)).toBe(await manifestOf(files));
});

test("depends on a statement, but not on its comments and layout", async () => {
  const asking = (...query: readonly string[]) =>
    manifestOf(
      desk(
        "tools:",
        "  count:",
        "    description: Count them.",
        "    binding:",
        "      type: sql",
        "      connection: ${SHOP}",
        "      query: |",
        ...query.map((line) => `        ${line}`),
      ),
    );
  const said = await asking("SELECT count(*) FROM orders WHERE note = ' -- '");
  const laidOut = await asking(
    "SELECT count(*) -- all",
    "  FROM orders",
    "WHERE /* its */ note = ' -- '",
  );
  expect(laidOut).toBe(said);
  expect(await asking("SELECT count(*) FROM orders WHERE note = '--'")).not.toBe(said);
});
