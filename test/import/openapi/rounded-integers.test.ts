/** An integer that a JavaScript number can't hold never becomes another integer in a skill. */
import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { put, skillc } from "../../cli/support/command-line.js";
import { linkPackages, tsc } from "../../support/tsc.js";
import { type Imported, importText, ok, openApi, serve } from "./support.js";

const metadata = "skills/things/metadata.yaml";
const odd = "9007199254740993";

/** Text in which `"@9007199254740993"` is the bare number. */
function bare(text: string): string {
  return text.replace(/"@([^"]*)"/g, "$1");
}

interface Stated {
  readonly schema: object;
  readonly isRequired?: boolean;
  readonly beside?: object;
  readonly components?: object;
}

/** A document of one operation with one parameter, with marked numbers. */
function marked({ schema, isRequired = false, beside, components = {} }: Stated): string {
  const value = { name: "value", in: "query", required: isRequired, schema, ...beside };
  const operation = { operationId: "act", parameters: [value], ...ok };
  return openApi({ "/things": { get: operation } }, { components: { schemas: components } });
}

const document = (stated: Stated) => bare(marked(stated));

const notes = ({ told }: Imported) => told.map(({ message }) => message);

/** The schema of the parameter `value` as metadata.yaml has it. */
function parameter({ files }: Imported): unknown {
  const { tools_schema: tools } = parse(files[metadata] ?? "tools_schema: {}");
  const [tool] = Object.values<{ parameters: { properties: { value: unknown } } }>(tools);
  return tool?.parameters.properties.value;
}

/** The paths that a call without arguments requests, after `generate` and `tsc` took what was imported. */
async function requested(text: string, argv: readonly string[]): Promise<readonly string[]> {
  const paths: string[] = [];
  const at = await serve(({ url = "" }, response) => {
    paths.push(url);
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  const { root } = await importText(text, ["api.json", ...argv]);
  put(root, ".env", `SHOP_URL=${at}\n`);
  const compilerOptions = {
    strict: true,
    skipLibCheck: true,
    module: "nodenext",
    noEmit: true,
    types: [],
  };
  put(root, "tsconfig.json", JSON.stringify({ compilerOptions, include: ["generated"] }));
  put(root, "package.json", '{ "type": "module" }\n');
  linkPackages(root, ["@skillc/runtime"]);
  const generated = await skillc(root, ["generate"]);
  expect([generated.code, generated.stderr]).toEqual([0, ""]);
  expect(await tsc(root)).toBe("");
  const called = await skillc(root, ["call", "things/act", "--args", "{}"]);
  expect([called.code, called.stderr]).toEqual([0, ""]);
  return paths;
}

const id = { type: "integer", format: "int64" };
const asText = ["api.json", "--int64", "string"];

describe("a limit that a number can't hold", () => {
  const met = (name: string) => `no call can exceed \`${name}\``;
  const lost = (name: string) =>
    `\`${name}\` contains an integer that a JavaScript number can't hold`;

  test.each([
    [{ ...id, maximum: "@9223372036854775807" }, met("maximum")],
    [{ ...id, minimum: "@-9223372036854775809" }, met("minimum")],
    [{ type: "string", maxLength: "@9223372036854775807" }, met("maxLength")],
    [{ type: "number", maximum: "@9223372036854775807" }, lost("maximum")],
    [{ ...id, minimum: "@9223372036854775807" }, lost("minimum")],
    [{ type: "integer", multipleOf: "@9.007199254740993e15" }, lost("multipleOf")],
  ])("gets omitted with a note: %j", async (schema, note) => {
    const imported = await importText(document({ schema }));
    expect(notes(imported)).toEqual([expect.stringContaining(note)]);
    expect(imported.files[metadata]).not.toMatch(/maximum|minimum|maxLength|multipleOf/);
  });

  test.each([
    ["@9223372036854775807", met("maximum")],
    ["@9223372036854775806", lost("maximum")],
  ])("changes nothing for `int64: string` if the format implies it: %s", async (maximum, note) => {
    const imported = await importText(document({ schema: { ...id, maximum } }), asText);
    expect(notes(imported)).toEqual([expect.stringContaining(note)]);
  });

  test("a large limit that a number holds is written, however it is spelled", async () => {
    const imported = await importText(document({ schema: { ...id, maximum: "@1.0e20" } }));
    expect(notes(imported)).toEqual([]);
    expect(parameter(imported)).toEqual({ ...id, maximum: 1e20 });
  });
});

describe("a value that a number can't hold", () => {
  const spellings = [odd, "9.007199254740993e15", "9007199254740993.0"];
  const ofYaml = [...spellings, `+${odd}`, "0x20000000000001", "9007199254740993."];

  test.each([
    ...spellings.map((each) => ["api.json", each] as const),
    ...ofYaml.map((each) => ["api.yaml", each] as const),
  ])("becomes the text of its digits with `--int64 string`: %s, %s", async (file, spelling) => {
    const at = `@${spelling}`;
    const schema = { ...id, enum: [at, 7], default: at };
    const json = marked({ schema, isRequired: true, beside: { example: at } });
    const text = bare(file === "api.json" ? json : stringify(JSON.parse(json)));
    const imported = await importText("{}", [file, "--int64", "string"], { [file]: text });
    expect(notes(imported)).toEqual([]);
    expect(parameter(imported)).toEqual({ ...id, enum: [odd, 7], default: odd, examples: [odd] });
  });

  test.each([
    ["a schema", { schema: { ...id, default: `@${odd}` } }],
    ["a reference", { schema: { $ref: "#/components/schemas/Id" } }],
    ["allOf", { schema: { allOf: [{ $ref: "#/components/schemas/Id" }] } }],
    [
      "a list of values",
      { schema: { ...id, enum: [`@${odd}`, "@9007199254740995"], default: `@${odd}` } },
    ],
  ])("a call sends the exact digits of a default of %s", async (_, stated) => {
    const components = { Id: { ...id, enum: [1, `@${odd}`], default: `@${odd}` } };
    const text = document({ ...stated, components, isRequired: true });
    expect(await requested(text, ["--int64", "string"])).toEqual([`/things?value=${odd}`]);
  });

  test("appears only in the description if it is a default without digits", async () => {
    const schema = { ...id, default: `@${odd}` };
    const beside = { description: "The value.", example: `@${odd}` };
    const imported = await importText(document({ schema, isRequired: true, beside }));
    expect(notes(imported)).toEqual([expect.stringContaining("no call sends it")]);
    expect(parameter(imported)).toEqual({
      ...id,
      description: `The value. The API's default is \`${odd}\`.`,
    });
  });

  test("gets omitted with a note if it is a listed value that no call can have", async () => {
    const imported = await importText(document({ schema: { ...id, enum: [1, `@${odd}`] } }));
    expect(notes(imported)).toEqual([
      expect.stringContaining("a value of `enum` contains an integer"),
    ]);
    expect(parameter(imported)).toEqual({ ...id, enum: [1] });
  });

  test("an operation that needs such a value is left out with the reason", async () => {
    const text = document({ schema: { ...id, enum: [`@${odd}`] }, isRequired: true });
    const { report, told } = await importText(text);
    expect(report.operations).toMatchObject([{ tool: null }]);
    expect(told.map(({ message }) => message).join("\n")).toContain(
      "no value fits the required parameters",
    );
  });

  test("an optional parameter without another value is left out", async () => {
    const imported = await importText(document({ schema: { ...id, enum: [`@${odd}`] } }));
    expect(imported.files[metadata]).not.toContain("value:");
    expect(notes(imported)).toEqual([expect.stringContaining("the tool does not accept it")]);
  });

  test.each([[[]], [["--int64", "string"]]])(
    "Swagger 2 keeps each digit in a form: %j",
    async (argv) => {
      const field = { name: "value", in: "formData", ...id, enum: [1, `@${odd}`] };
      const operation = { operationId: "act", parameters: [field], ...ok };
      const paths = {
        "/things": { post: { consumes: ["application/x-www-form-urlencoded"], ...operation } },
      };
      const text = bare(
        JSON.stringify({ swagger: "2.0", info: { title: "Shop", version: "1" }, paths }),
      );
      const imported = await importText(text, ["api.json", ...argv]);
      expect(parameter(imported)).toEqual({ ...id, enum: argv.length === 0 ? [1] : [1, odd] });
    },
  );
});

describe("defaults under `--int64 string`", () => {
  const components = {
    Id: { ...id, default: 5, minimum: 3 },
    Kind: { ...id, enum: [1, 2], default: 2 },
  };

  test.each([
    [{ ...id, default: 7, minimum: 3, maximum: 9 }, "7"],
    [{ $ref: "#/components/schemas/Id" }, "5"],
    [{ allOf: [{ $ref: "#/components/schemas/Kind" }] }, "2"],
    [{ ...id, nullable: true, enum: [1, 2], default: 1 }, "1"],
    [{ type: "array", items: { $ref: "#/components/schemas/Id" }, default: [4, 6] }, "4&value=6"],
  ])("a number that stands in the document is sent as its digits: %j", async (schema, sent) => {
    const text = document({ schema, components, isRequired: true });
    expect(await requested(text, ["--int64", "string"])).toEqual([`/things?value=${sent}`]);
  });

  test("`minimum` and `maximum` hold for the digits", async () => {
    const { root } = await importText(
      document({ schema: { ...id, minimum: 3, maximum: 9 } }),
      asText,
    );
    await skillc(root, ["generate"]);
    put(root, ".env", "SHOP_URL=http://127.0.0.1:1\n");
    const called = await skillc(root, ["call", "things/act", "--args", '{"value":"10"}']);
    expect(called.stderr + called.stdout).toContain("must be the digits of an integer from 3 to 9");
  });
});
