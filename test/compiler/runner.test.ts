/** Printing, parsing and type-checking in another thread gives the same result as in this one. */
import { describe, expect, test, vi } from "vitest";
import { compileFiles } from "../support/compile.js";
import { CompileThread } from "../../src/compiler/compile-thread.js";
import { openRunner } from "../../src/compiler/open-runner.js";
import { runHere } from "../../src/compiler/run-here.js";
import { runInThread } from "../../src/compiler/run-in-thread.js";
import { startThread } from "../../src/compiler/start-compile-thread.js";
import { createStopwatch } from "../../src/compiler/stopwatch.js";
import { code, ident, literal } from "../../src/core/code.js";
import { type DraftStatement, draftStatement } from "../../src/core/draft-statement.js";

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

test("a skill with many tools has the same modules as small skills with one tool each", async () => {
  const [few, many] = [await compileFiles(desk(2)), await compileFiles(desk(60))];
  expect(many.diagnostics.map(({ code }) => code)).toEqual(["skill/not-portable"]);
  expect(many.counts).toMatchObject({ skills: 2, tools: 60 });
  const texts = new Map(many.files.map(({ path, text }) => [path, text]));
  const own = few.files.filter(({ path }) => /desk\/(get-|schemas\/)/.test(path));
  expect(own.length).toBe(8);
  for (const { path, text } of own) expect(texts.get(path)).toBe(text);
});

test("parsing in another thread gives the same result and the same error places", async () => {
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

const number: DraftStatement = draftStatement(
  "desk/a.ts",
  code`export const ${ident("size")}: number = ${literal("a")}`,
  "typescript",
);
const broken = draftStatement("desk/a.ts", code`export const = 1;`, "verbatim");

describe("the thread that helps to compile", () => {
  test("prints modules and finds type errors", async () => {
    const thread = new CompileThread(startThread());
    try {
      const text = await thread.print(number, { semi: false });
      expect(text).toBe('export const size: number = "a"\n');
      const files = [{ path: "desk/a.ts", text }];
      const settings = { outFolder: "/nowhere", compilerOptions: { strict: true } };
      expect(await thread.findTypeFaults(files, files, settings)).toEqual([
        { path: "desk/a.ts", start: 13, says: expect.stringMatching(/^TS2322: Type 'string'/) },
      ]);
    } finally {
      await thread.close();
    }
  });

  test("reports that it has ended", async () => {
    const thread = new CompileThread(startThread());
    await thread.close();
    await expect(thread.print(broken, {})).rejects.toThrow(
      "the compiler's helper thread has ended",
    );
  });
});

describe("a runner", () => {
  test("works in this thread until there are many tools, and again after it is closed", async () => {
    const print = vi.spyOn(CompileThread.prototype, "print").mockClear();
    const runner = openRunner(stopwatch);
    runner.expect(49);
    await runner.print(number, {});
    expect(print).not.toHaveBeenCalled();
    runner.expect(50);
    await runner.print(number, {});
    expect(print).toHaveBeenCalledOnce();
    await runner.close();
    await expect(runner.print(broken, {})).rejects.toThrow("does not parse");
    expect(print).toHaveBeenCalledOnce();
  });

  test.each([
    ["this thread", () => runHere(stopwatch)],
    ["another thread", () => runInThread()],
  ])("keeps the order in %s, and reports code that can't be read back", async (_, open) => {
    const runner = open();
    try {
      expect(await runner.print(number, { semi: false })).toBe('export const size: number = "a"\n');
      const begun = async () => (await runner.begin(() => runner.print(broken, {})))();
      await expect(begun()).rejects.toThrow("desk/a.ts: generated code does not parse");
      const texts = await runner.each(["b", "a"], (name) =>
        runner.print(draftStatement("desk/a.ts", code`${ident(name)};`, "typescript"), {}),
      );
      expect(texts).toEqual(["b;\n", "a;\n"]);
    } finally {
      await runner.close();
    }
  });
});
