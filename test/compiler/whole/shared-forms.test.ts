import { describe, expect, test } from "vitest";
import { catalogIn } from "../../support/catalog.js";
import { compileFiles } from "../../support/compile.js";

const account = {
  title: "Account",
  type: "object",
  additionalProperties: false,
  required: ["id", "name", "password"],
  properties: {
    id: { type: "integer", readOnly: true },
    name: { type: "string" },
    password: { type: "string", writeOnly: true },
  },
};

const tool = (schema: object) => ({
  description: "Puts an account.",
  parameters: {
    type: "object",
    additionalProperties: false,
    required: ["account"],
    properties: { account: schema },
  },
  returns: schema,
});

async function compiled(schema: object, files: Readonly<Record<string, string>> = {}) {
  const tools = JSON.stringify({ "put-account": tool(schema) });
  const { files: made } = await compileFiles({
    "skills/desk/SKILL.md": `---\nname: desk\ndescription: Accounts.\ntools: ${tools}\n---\n`,
    ...files,
  });
  const texts = new Map(made.map(({ path, text }) => [path, text]));
  // As readers in other languages have it.
  const [desk] = JSON.parse(JSON.stringify(catalogIn(made))).skills;
  return { texts, desk };
}

describe("a property that only one side sets", () => {
  test("does not exist in the sent type, and may be missing in the received type", async () => {
    const { desk, texts } = await compiled(account);
    const module = texts.get("desk/put-account.ts") ?? "";
    const declared = [...module.matchAll(/interface \w+ \{[^}]*\}/g)].map(([text]) => text);
    const sent = declared.find((text) => text.includes("password: string"));
    const received = declared.find((text) => text.includes("password?: string"));
    expect(sent).not.toContain("id");
    expect(received).toContain("id: number");
    const [{ input_schema: input, output_schema: output }] = desk.tools;
    expect(Object.keys(input.properties.account.properties)).toEqual(["name", "password"]);
    expect(input.properties.account.required).toEqual(["name", "password"]);
    expect(output.required).toEqual(["id", "name"]);
  });

  test("gives a shared schema a form for each side", async () => {
    const { desk, texts } = await compiled(
      { $ref: "./schemas/account.json" },
      { "skills/desk/schemas/account.json": JSON.stringify(account) },
    );
    expect(texts.get("desk/schemas/account.request.ts")).not.toContain("id");
    expect(texts.get("desk/schemas/account.ts")).toContain("password?: string");
    const [{ input_schema: input, output_schema: output }] = desk.tools;
    expect(input.properties.account).toEqual({ $ref: "#/$defs/account.request" });
    expect(output.$ref).toBe("#/$defs/account");
    expect(Object.keys(desk.$defs["account.request"].properties)).toEqual(["name", "password"]);
    expect(desk.$defs.account.required).toEqual(["id", "name"]);
  });

  test("keeps a parameter even if its schema is read-only elsewhere, because its author declared it", async () => {
    const tools = {
      "get-alert": {
        description: "Gets an alert.",
        parameters: {
          type: "object",
          required: ["number"],
          properties: { number: { $ref: "./schemas/alert-number.json" } },
        },
      },
    };
    const { files } = await compileFiles({
      "skills/desk/SKILL.md": `---\nname: desk\ndescription: Alerts.\ntools: ${JSON.stringify(tools)}\n---\n`,
      "skills/desk/schemas/alert-number.json": '{ "type": "integer", "readOnly": true }',
    });
    const module = files.find(({ path }) => path === "desk/get-alert.ts");
    expect(module?.text).toContain("  number: AlertNumber;");
  });
});
