/** Schemas outside of the skills' folders, which the catalogs of all skills import. */
import { describe, expect, test } from "vitest";
import { catalogIn } from "../../support/catalog.js";
import { compileFiles } from "../../support/compile.js";

const money = JSON.stringify({
  $defs: {
    amount: {
      type: "object",
      properties: { cents: { type: "integer" }, currency: { $ref: "#/$defs/currency" } },
    },
    currency: { enum: ["EUR", "USD"], description: "The currency." },
    anything: true,
  },
});

const skill = (name: string, parameters: string) => `---
name: ${name}
description: Sells.
tools:
  sell:
    description: Sells.
    parameters: ${parameters}
    binding: { type: http, method: POST, url: "https://a.example/" }
---
`;

const takes = `{ type: object, properties: { price: { $ref: "../schemas/money.json#/$defs/amount" }, note: { $ref: "../schemas/money.json#/$defs/anything" } } }`;

async function compiled(files: Readonly<Record<string, string>>) {
  const { diagnostics, files: made } = await compileFiles(files);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return new Map(made.map((each) => [each.path, each.text]));
}

const project = {
  "skills/schemas/money.json": money,
  "skills/desk/SKILL.md": skill("desk", takes),
  "skills/shop/SKILL.md": skill("shop", takes),
};

const asFiles = (texts: ReadonlyMap<string, string>) =>
  Array.from(texts, ([path, text]) => ({ path, text }));

describe("a schema that several skills refer to", () => {
  test("stands once, in a module that their catalogs import", async () => {
    const texts = await compiled(project);
    const schemas = [...texts.keys()].filter((path) => path.endsWith(".schema.ts"));
    expect(schemas).toEqual(["schemas/money.amount.schema.ts", "schemas/money.currency.schema.ts"]);
    for (const name of ["desk", "shop"]) {
      const text = texts.get(`${name}/catalog.ts`);
      expect(text).toContain('"money.amount": amountSchema,');
      expect(text).not.toContain("The currency.");
    }
  });

  test("reads back as part of each skill's definitions", async () => {
    const { skills } = catalogIn(asFiles(await compiled(project)));
    expect(skills.map((each) => each["$defs"])).toEqual([definitions, definitions]);
    expect(skills[0]?.["$defs"]).toBeDefined();
  });

  test("validates the data of a tool that is only this schema by its own module", async () => {
    const returns = (name: string) =>
      skill(name, "{ type: object }").replace(
        "    binding:",
        '    returns: { $ref: "../schemas/money.json#/$defs/amount", description: The price. }\n    binding:',
      );
    const texts = await compiled({
      "skills/schemas/money.json": money,
      "skills/desk/SKILL.md": returns("desk"),
      "skills/shop/SKILL.md": returns("shop").replace(
        ", description: The price.",
        ", minProperties: 1",
      ),
    });
    expect(texts.get("desk/sell.ts")).toContain(
      'import { validateAmount } from "../schemas/money.amount.validate.js";',
    );
    expect(texts.get("desk/sell.validate.ts")).not.toContain("validateReturns");
    // A keyword beside the reference is a check of its own.
    expect(texts.get("shop/sell.validate.ts")).toContain("validateReturns");
  });

  test("stands as a copy in a skill that has another definition of the same name", async () => {
    const parameters = (rest: string) =>
      `{ type: object, properties: { price: { $ref: ../schemas/price.json } ${rest} }`;
    const texts = await compiled({
      "skills/schemas/price.json": JSON.stringify({ type: "object", title: "Price" }),
      "skills/desk/SKILL.md": skill(
        "desk",
        parameters(', own: { $ref: "#/$defs/price" } }, $defs: { price: { type: string } }'),
      ),
      "skills/shop/SKILL.md": skill("shop", parameters("}")),
    });
    expect(texts.get("desk/catalog.ts")).not.toContain("priceSchema");
    expect(texts.get("desk/catalog.ts")).toContain(
      '"schemas.price": {"type":"object","title":"Price"}',
    );
    expect(texts.get("shop/catalog.ts")).toContain("priceSchema");
  });

  test("belongs to the catalog of each skill if it refers to a schema of one skill", async () => {
    const refers = JSON.stringify({
      type: "object",
      properties: { a: { $ref: "../shop/a.json" } },
    });
    const texts = await compiled({
      ...project,
      "skills/schemas/refers.json": refers,
      "skills/shop/a.json": JSON.stringify({ type: "string", title: "A" }),
      "skills/desk/SKILL.md": skill(
        "desk",
        "{ type: object, properties: { a: { $ref: ../schemas/refers.json } } }",
      ),
    });
    expect([...texts.keys()].filter((path) => path.endsWith("refers.schema.ts"))).toEqual([]);
    expect(catalogIn(asFiles(texts)).skills[0]?.["$defs"]).toHaveProperty("refers");
  });
});

test("a catalog can't be read back without the module of a schema", async () => {
  const texts = new Map(await compiled(project));
  texts.set("schemas/money.amount.schema.ts", "export const other = 1;\n");
  expect(() => catalogIn(asFiles(texts))).toThrow("the catalog doesn't read back");
});

const definitions = {
  "money.amount": {
    type: "object",
    properties: { cents: { type: "integer" }, currency: { $ref: "#/$defs/money.currency" } },
  },
  "money.currency": { enum: ["EUR", "USD"], description: "The currency." },
  "money.anything": true,
};
