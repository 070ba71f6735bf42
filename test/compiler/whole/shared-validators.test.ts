import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonValue } from "../../../src/core/json.js";
import { compileFiles } from "../../support/compile.js";
import { repository } from "../../support/repository.js";

/** Enough properties in sequence that one call checks them all. */
const texts = Object.fromEntries(
  Array.from({ length: 8 }, (_, at) => [`text_${at}`, { type: "string" }]),
);

const definitions = {
  order: {
    type: "object",
    additionalProperties: false,
    required: ["id"],
    properties: {
      id: { type: "string", minLength: 2 },
      lines: { type: "array", items: { $ref: "#/$defs/line" } },
      before: { $ref: "#/$defs/order" },
    },
  },
  line: {
    type: "object",
    required: ["sku"],
    properties: {
      sku: { type: "string", pattern: "^sku_" },
      of: { anyOf: [{ $ref: "#/$defs/order" }, { type: "null" }] },
      ...texts,
      parent: { $ref: "#/$defs/order" },
      orders: { type: "array", items: { $ref: "#/$defs/order" } },
    },
  },
} as const;

const root = { type: "object", properties: { order: { $ref: "#/$defs/order" } } };

/** The same schemas, each in a file of its own. */
const inFiles = (schema: object): object =>
  JSON.parse(
    JSON.stringify(schema).replaceAll(/"#\/\$defs\/(\w+)"/g, '"./schemas/$1.json"'),
  ) as object;
const beside = (schema: object): string =>
  JSON.stringify(inFiles(schema)).replaceAll("./schemas/", "./");

const tools = {
  "get-shared": { description: "Files.", returns: inFiles(root) },
  "get-inline": { description: "One document.", returns: { ...root, $defs: definitions } },
};
const project = {
  "skills/desk/SKILL.md": `---\nname: desk\ndescription: Orders.\ntools: ${JSON.stringify(tools)}\n---\n`,
  "skills/desk/schemas/order.json": beside(definitions.order),
  "skills/desk/schemas/line.json": beside(definitions.line),
};

type Validate = ((value: unknown) => boolean) & { readonly errors?: readonly object[] | null };

const folder = mkdtempSync(join(tmpdir(), "skillc-shared-"));
const validators: Record<string, Validate> = {};

beforeAll(async () => {
  const { files } = await compileFiles(project);
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  for (const name of ["get-shared", "get-inline"]) {
    const outfile = join(folder, `${name}.mjs`);
    await build({
      entryPoints: [join(folder, `desk/${name}.validate.ts`)],
      bundle: true,
      format: "esm",
      platform: "node",
      nodePaths: [join(repository, "node_modules")],
      outfile,
      logLevel: "silent",
    });
    const module = (await import(pathToFileURL(outfile).href)) as { validateReturns: Validate };
    validators[name] = module.validateReturns;
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function errorsOf(name: string, value: JsonValue): readonly object[] {
  const validate = validators[name];
  return validate === undefined || validate(value) ? [] : (validate.errors ?? []);
}

const values: readonly JsonValue[] = [
  {},
  { order: { id: "ab" } },
  { order: { id: "a" } },
  { order: { lines: [{ sku: "sku_1" }, { sku: "x" }, {}] } },
  { order: { id: "ab", before: { id: 1, more: true, lines: [{ of: { id: "" } }] } } },
  {
    order: {
      id: "ab",
      lines: [
        { sku: "sku_1", of: null },
        { sku: "sku_1", of: 3 },
      ],
    },
  },
  { order: 3 },
  {
    order: {
      id: "ab",
      lines: [
        { sku: "sku_1", text_0: "a", parent: { id: "ab" }, orders: [{ id: "cd" }] },
        { sku: "sku_1", text_1: 1, parent: { id: "a" }, orders: [{ id: "cd" }, {}, 3] },
        { sku: "sku_1", text_7: null, parent: null, orders: {} },
      ],
    },
  },
];

describe("validators that stand in modules of their own", () => {
  test.each(values.map((value) => [JSON.stringify(value), value] as const))(
    "find in %s what one document finds, at the same places",
    (_, value) => {
      expect(errorsOf("get-shared", value)).toEqual(errorsOf("get-inline", value));
    },
  );

  test("refuse some of these values", () => {
    const refused = values.filter((value) => errorsOf("get-shared", value).length > 0);
    expect(refused.length).toBe(6);
  });
});
