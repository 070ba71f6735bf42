import { describe, expect, test } from "vitest";
import { createRegistry } from "../../../src/bindings/registry.js";
import { toolKeys } from "../../../src/compiler/resolve/tool-schema.js";
import { isJsonObject } from "../../../src/core/json.js";
import { bindingSchema } from "../../../src/kit/common-keys.js";
import { checkedProject, desk, faults } from "./skill-project.js";

/** The faults of one tool, `get`, with these lines: `code: message (help)`. */
async function faultsOf(...lines: readonly string[]): Promise<readonly string[]> {
  const tool = [
    "tools:",
    "  get:",
    "    description: Get it.",
    ...lines.map((line) => `    ${line}`),
  ];
  return faults(await checkedProject(desk(...tool))).map((line) => line.replace(/^\S+ error /, ""));
}

const { all } = createRegistry();
const http = "type: http, method: GET, url: 'https://a.example/{q}'";
const belongsToTool = "(it belongs to the tool, beside `binding`)";
const belongsToBinding = "(write it under `binding` of the tool)";

function keysOf(kind: (typeof all)[number]): readonly string[] {
  const properties = bindingSchema(kind)["properties"];
  return isJsonObject(properties) ? Object.keys(properties) : [];
}

const kindsKeys = all.flatMap((kind) => {
  return keysOf(kind).map((key) => ({ type: kind.type, key }));
});

describe("a key of the tool under `binding`", () => {
  test.each([...all].flatMap(({ type }) => toolKeys.map((key) => ({ type, key }))))(
    "leads to the tool: $key in a binding of type $type",
    async ({ type, key }) => {
      const kind = all.find((each) => each.type === type);
      if (kind && keysOf(kind).includes(key)) return;
      const found = await faultsOf(`binding: { type: ${type}, ${key}: { type: object } }`);
      expect(found).toContain(
        `binding/unknown-key: \`${key}\` is not a key of a binding of type \`${type}\` ${belongsToTool}`,
      );
    },
  );

  test("leads to the tool: accept with codes", async () => {
    const found = await faultsOf("q: string", `binding: { ${http}, accept: { http/x: why } }`);
    expect(found.find((each) => each.includes("unknown-key"))).toContain(belongsToTool);
  });

  test("leads to governance: scopes", async () => {
    const found = await faultsOf("q: string", `binding: { ${http}, scopes: [orders:read] }`);
    expect(found.join("\n")).toContain("(write it under `governance` of the tool)");
  });

  test.each([
    ["params: { a: '{q}' }", "query"],
    ["accept: application/json", "response"],
  ])("may be a word for a key of the binding: %s", async (line) => {
    const found = await faultsOf("q: string", `binding: { ${http}, ${line} }`);
    expect(found.join("\n")).not.toContain(belongsToTool);
  });
});

describe("a key of the binding beside `binding`", () => {
  test.each(kindsKeys.filter(({ key }) => !toolKeys.includes(key)))(
    "leads to a binding of type $type: $key",
    async ({ type, key }) => {
      for (const beside of ["q: string", "parameters: { type: object, properties: { q: {} } }"]) {
        const found = await faultsOf(beside, `${key}: [[1]]`, `binding: { type: ${type} }`);
        expect(found).toContain(
          `tool/unknown-key: \`${key}\` is not a key of a tool, nor does it declare a parameter ${belongsToBinding}`,
        );
      }
    },
  );

  test.each([
    "method: GET",
    "type: http",
    "timeout_ms: 500",
    "headers: { a: b }",
    "paginate: { next: page, parameter: page, items: $.rows }",
    "idempotency: natural",
    "response_schema: { type: object }",
  ])("leads there with a value of its own: %s", async (line) => {
    const found = await faultsOf("q: string", line, `binding: { ${http} }`);
    expect(found.filter((each) => each.startsWith("tool/"))).toEqual([
      expect.stringContaining(belongsToBinding),
    ]);
  });

  test.each([
    ["url: str", "did you mean `string`?"],
    ["query: { minLength: 1 }", "add `type: string`"],
  ])("stays a parameter whose type is wrong: %s", async (line, help) => {
    const found = await faultsOf("q: string", line, `binding: { ${http} }`);
    expect(found[0]).toContain(`tool/unknown-type: `);
    expect(found[0]).toContain(`(${help})`);
  });

  test("names the types of other bindings that have the key", async () => {
    expect((await faultsOf("q: string", "read_only: true", `binding: { ${http} }`))[0]).toContain(
      "(it is a key of bindings of type `sql`, and this binding has the type `http`)",
    );
  });

  test("leads to the binding that the tool lacks", async () => {
    expect((await faultsOf("q: string", "url: https://a.example"))[0]).toContain(belongsToBinding);
  });
});

test("a key beside a full `parameters` is explained without the short form", async () => {
  const full = "parameters: { type: object, properties: { q: { type: string } } }";
  expect(await faultsOf(full, "size: { unit: cm }", `binding: { ${http} }`)).toContain(
    "tool/unknown-key: `size` is not a key of a tool, nor does it declare a parameter (declare a parameter under `parameters.properties`)",
  );
});
