import { describe, expect, test } from "vitest";
import { catalogIn } from "../../support/catalog.js";
import { compileFiles } from "../../support/compile.js";

const order = {
  title: "Order",
  type: "object",
  required: ["id"],
  properties: { id: { type: "string" }, parts: { type: "array", items: { $ref: "./part.json" } } },
};
const part = {
  type: "object",
  properties: { of: { $ref: "./order.json" }, size: { type: "integer" } },
};

const skill = (name: string, tools: Readonly<Record<string, object>>) =>
  `---\nname: ${name}\ndescription: Orders.\ntools: ${JSON.stringify(tools)}\n---\n`;

const returning = (ref: string) => ({ description: "Gives one.", returns: { $ref: ref } });

const project = {
  "skills/desk/SKILL.md": skill("desk", {
    "get-order": returning("./schemas/order.json"),
    "find-order": returning("./schemas/order.json"),
    "get-part": returning("./schemas/part.json"),
  }),
  "skills/desk/schemas/order.json": JSON.stringify(order),
  "skills/desk/schemas/part.json": JSON.stringify(part),
};

async function generated(files: Readonly<Record<string, string>>): Promise<Map<string, string>> {
  const { diagnostics, files: made } = await compileFiles(files);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return new Map(made.map(({ path, text }) => [path, text]));
}

describe("a schema that tools share", () => {
  test("gets declared once, and each tool that refers to it imports it", async () => {
    const files = await generated(project);
    const declaring = [...files].filter(([, text]) => /export interface Order\b/.test(text));
    expect(declaring.map(([path]) => path)).toEqual(["desk/schemas/order.ts"]);
    for (const tool of ["get-order", "find-order"]) {
      expect(files.get(`desk/${tool}.ts`)).toContain('from "./schemas/order.js"');
      expect(files.get(`desk/${tool}.ts`)).toContain('from "./schemas/order.validate.js"');
      expect(files.get(`desk/${tool}.ts`)).toContain("returns: validateOrder,");
      expect(files.get(`desk/${tool}.validate.ts`)).not.toContain("schemas/order");
    }
  });

  test("stays complete in every document of a cached skill, as in a compiled one", async () => {
    const cache = new Map<string, string>();
    const cold = await compileFiles(project, { cache });
    const warm = await compileFiles(project, { cache });
    expect(warm.counts).toMatchObject({ compiled: 0, reused: 1 });
    expect(JSON.parse(JSON.stringify(warm.lowered))).toEqual(
      JSON.parse(JSON.stringify(cold.lowered)),
    );
  });

  test("produces the same modules whichever tools use it", async () => {
    const both = await generated(project);
    const { "skills/desk/SKILL.md": _, ...schemas } = project;
    const one = { "get-part": returning("./schemas/part.json") };
    const alone = await generated({ "skills/desk/SKILL.md": skill("desk", one), ...schemas });
    for (const path of ["order.ts", "order.validate.ts", "part.ts", "part.validate.ts"])
      expect(alone.get(`desk/schemas/${path}`)).toBe(both.get(`desk/schemas/${path}`));
  });

  test("gets an error at its place if it allows no value, whichever tool is read first", async () => {
    const told = async (tools: readonly string[], sizes: Readonly<Record<string, object>>) => {
      const named = tools.map((file, at) => [`tool-${at}`, returning(`./schemas/${file}`)]);
      const first = { $ref: "./part.json" };
      const { diagnostics } = await compileFiles({
        "skills/desk/SKILL.md": skill("desk", Object.fromEntries(named)),
        "skills/desk/schemas/order.json": JSON.stringify({
          ...order,
          required: ["first"],
          properties: { ...order.properties, first },
        }),
        "skills/desk/schemas/never.json": JSON.stringify({
          allOf: [{ type: "string" }, { type: "integer" }],
        }),
        "skills/desk/schemas/part.json": JSON.stringify({
          ...part,
          required: ["size"],
          properties: { ...part.properties, ...sizes },
        }),
      });
      const found = diagnostics.filter(({ code }) => code.startsWith("schema/"));
      return [...new Set(found.map(({ code, span }) => `${code} ${span.file}`))];
    };
    const none = { type: "integer", minimum: 2, maximum: 1 };
    for (const tools of [
      ["order.json"],
      ["order.json", "part.json"],
      ["part.json", "order.json"],
    ]) {
      expect(await told(tools, { size: none })).toEqual([
        "schema/impossible-required skills/desk/schemas/part.json",
      ]);
      expect(await told(tools, { size: { $ref: "./never.json" } })).toEqual([
        "schema/impossible-required skills/desk/schemas/never.json",
      ]);
      expect(await told(tools, { weight: none })).toEqual([
        "schema/no-value-here skills/desk/schemas/part.json",
      ]);
    }
  });

  test("leaves the modules of other schemas unchanged after an edit", async () => {
    const before = await generated(project);
    const edited = { ...part, properties: { ...part.properties, weight: { type: "number" } } };
    const after = await generated({
      ...project,
      "skills/desk/schemas/part.json": JSON.stringify(edited),
    });
    const changed = [...after].filter(([path, text]) => before.get(path) !== text);
    const schemas = changed.map(([path]) => path).filter((path) => path.includes("/schemas/"));
    expect(schemas).toEqual(["desk/schemas/part.ts", "desk/schemas/part.validate.ts"]);
  });

  test("appears once in the skill's catalog", async () => {
    const files = Array.from(await generated(project), ([path, text]) => ({ path, text }));
    const [desk] = catalogIn(files).skills;
    expect(Object.keys(desk?.["$defs"] ?? {})).toEqual(["order", "part"]);
    const schema = desk?.tools[0]?.["output_schema"];
    expect(schema).toMatchObject({ $ref: "#/$defs/order" });
    expect(schema).not.toHaveProperty("$defs");
  });

  test("changes the versions of the tools that use it after an edit", async () => {
    const versionIn = (files: Map<string, string>) =>
      /binding: "(\w+)"/.exec(files.get("desk/get-order.ts") ?? "")?.[1];
    const edited = { ...part, required: ["size"] };
    const after = await generated({
      ...project,
      "skills/desk/schemas/part.json": JSON.stringify(edited),
    });
    expect(versionIn(after)).not.toBe(versionIn(await generated(project)));
  });

  test("gets copied if its meaning depends on the schema that refers to it", async () => {
    const files = await generated({
      "skills/desk/SKILL.md": skill("desk", { "get-tree": returning("./schemas/tree.json") }),
      "skills/desk/schemas/tree.json": JSON.stringify({
        $dynamicAnchor: "node",
        type: "object",
        properties: { children: { type: "array", items: { $dynamicRef: "#node" } } },
      }),
    });
    expect([...files.keys()].filter((path) => path.includes("/schemas/"))).toEqual([]);
    expect(files.get("desk/get-tree.ts")).toContain("children?: ");
  });
});
