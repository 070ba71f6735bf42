/** What a thread prints, parses and type-checks is what comes of it here. */
import { describe, expect, test, vi } from "vitest";
import { compileFiles } from "../support/compile.js";
import { begin, openPrinter } from "../../src/compiler/printer.js";
import { CompileThread } from "../../src/compiler/compile-thread.js";
import { createStopwatch } from "../../src/compiler/stopwatch.js";
import { code, ident, literal } from "../../src/core/code.js";
import { draftStatement } from "../../src/core/draft-statement.js";

const stopwatch = createStopwatch(() => 0);

/** A skill of so many tools. */
function desk(count: number) {
  const tool = (name: string) => `  ${name}:
    description: Gets one.
    parameters: { type: object, required: [id], properties: { id: { $ref: schemas/id.json }, limit: { type: integer, default: 3 } } }
    binding: { type: http, method: GET, url: "https://a.example/{id}?limit={limit}" }
    returns: { type: array, items: { $ref: schemas/order.json } }
`;
  const tools = Array.from({ length: count }, (_, at) => tool(`get-${at}`)).join("");
  return {
    "skills/desk/SKILL.md": `---\nname: desk\ndescription: Orders.\ntools:\n${tools}---\nBe kind.\n`,
    "skills/desk/schemas/id.json": `{ "title": "Id", "type": "string", "minLength": 1 }`,
    "skills/desk/schemas/order.json": `{ "title": "Order", "type": "object", "properties": { "id": { "$ref": "id.json" } } }`,
    "skills/house/SKILL.md": "---\nname: house\ndescription: Rules.\n---\nBe kind.\n",
  };
}

test("a skill of many tools has the modules that each of them has in a small one", async () => {
  const [few, many] = [await compileFiles(desk(2)), await compileFiles(desk(60))];
  expect(many.diagnostics.map(({ code }) => code)).toEqual(["skill/not-portable"]);
  expect(many.counts).toMatchObject({ skills: 2, tools: 60 });
  const texts = new Map(many.files.map(({ path, text }) => [path, text]));
  const own = few.files.filter(({ path }) => /desk\/(get-|schemas\/)/.test(path));
  expect(own.length).toBe(8);
  for (const { path, text } of own) expect(texts.get(path)).toBe(text);
});

test("what a thread parses ahead is what is parsed here, its faults at the same places", async () => {
  const skill = (name: string) => `---\nname: ${name}\ndescription: Things.\n---\nBe kind.\n`;
  const tool = (url: string) =>
    `tools:\n  get:\n    description: Gets one.\n    id: string\n    binding: { type: http, method: GET, url: "${url}" }\n`;
  const others = {
    "skills/shop/SKILL.md": skill("shop"),
    "skills/shop/metadata.yaml": tool("https://a.example/{id}"),
    "skills/yard/SKILL.md": skill("yard"),
    "skills/yard/metadata.yaml": tool("https://a.example/{ix}"),
    "skills/zoo/SKILL.md": skill("zoo"),
    "skills/zoo/metadata.json": '{ "tools": { "get": }',
  };
  const parse = vi.spyOn(CompileThread.prototype, "parse");
  const here = await compileFiles({ ...desk(2), ...others });
  expect(parse).not.toHaveBeenCalled();
  const ahead = await compileFiles({ ...desk(60), ...others });
  expect(parse.mock.calls.map(([{ path }]) => path)).toEqual([
    "skills/shop/metadata.yaml",
    "skills/yard/metadata.yaml",
    "skills/zoo/metadata.json",
  ]);
  const told = ({ diagnostics }: typeof here) =>
    diagnostics.filter(({ span }) => /shop|yard|zoo/.test(span.file));
  expect(told(here).map(({ span }) => span.file)).toEqual(
    expect.arrayContaining(["skills/yard/metadata.yaml", "skills/zoo/metadata.json"]),
  );
  expect(told(ahead)).toEqual(told(here));
});

describe("a printer with a thread", () => {
  test("prints and finds the faults of types", async () => {
    const printer = openPrinter(stopwatch);
    try {
      printer.expect(50);
      const rope = code`export const ${ident("size")}: number = ${literal("a")}`;
      const statement = draftStatement("desk/a.ts", rope, "typescript");
      const text = await printer.print(statement, { semi: false });
      expect(text).toBe('export const size: number = "a"\n');
      const files = [{ path: "desk/a.ts", text }];
      const settings = { outFolder: "/nowhere", compilerOptions: { strict: true } };
      expect(await printer.thread?.findTypeFaults(files, files, settings)).toEqual([
        { path: "desk/a.ts", start: 13, says: expect.stringMatching(/^TS2322: Type 'string'/) },
      ]);
    } finally {
      await printer.close();
    }
  });

  test("tells what can't be read back, and that it has ended", async () => {
    const printer = openPrinter(stopwatch);
    printer.expect(50);
    const broken = draftStatement("desk/a.ts", code`export const = 1;`, "verbatim");
    const printed = await begin(printer, () => printer.print(broken, {}));
    await expect(printed()).rejects.toThrow("desk/a.ts: generated code does not parse");
    const { thread } = printer;
    await printer.close();
    await expect(thread?.print(broken, {})).rejects.toThrow(
      "the thread that helps to compile has ended",
    );
    // What comes later is printed here.
    expect(printer.thread).toBeUndefined();
    await expect(printer.print(broken, {})).rejects.toThrow("does not parse");
  });
});
