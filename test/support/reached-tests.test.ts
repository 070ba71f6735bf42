import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { changedUnits, moduleUnits } from "./module-units.js";
import type { Ran } from "./reach-record.js";
import { reachedTests } from "./reached-tests.js";

type Texts = Readonly<Record<string, string>>;

/** Functions that a test ran, by module: during tests, and while modules were loaded. */
type Runs = Readonly<Record<string, readonly [inTests: string, atLoad?: string]>>;

const wordsOf = (text = "") => new Set(text.split(" ").filter(Boolean));

/** Returns the tests that are chosen after a change of some modules. */
function chosen(
  before: Texts,
  changed: Texts,
  runs: Readonly<Record<string, Runs>>,
  recorded: Texts = before,
): readonly string[] {
  const after: Texts = { ...before, ...changed };
  const unitsOf = (file: string) => moduleUnits(after[file] ?? "");
  const imported = (text: string) => [...text.matchAll(/"\.\/(\w+)\.js"/g)];
  const graph = new Map(
    Object.entries(after).map(([file, text]) => [
      file,
      imported(text).map(([, name]) => `${name}.ts`),
    ]),
  );
  const ranOf = ([inTests, atLoad]: Runs[string]): Ran => ({
    inTests: wordsOf(inTests),
    atLoad: wordsOf(atLoad),
  });
  const reaches = new Map(
    Object.entries(runs).map(([name, modules]) => [
      name,
      new Map(Object.entries(modules).map(([module, ran]) => [module, ranOf(ran)])),
    ]),
  );
  const changes = new Map(
    Object.entries(changed).map(([file, text]) => [
      file,
      changedUnits(moduleUnits(before[file] ?? ""), moduleUnits(text)),
    ]),
  );
  const found = reachedTests(
    {
      reaches,
      graph,
      resolve: (_, specifier) => posix.basename(specifier).replace(/\.js$/, ".ts"),
      unitsOf,
      wasRecorded: (file, name) => moduleUnits(recorded[file] ?? "").functions.has(name),
    },
    changes,
  );
  return [...found].toSorted();
}

const manyTests = (runs: Runs) =>
  Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`many${index}`, runs]));

describe("reachedTests", () => {
  const two = "export function one() { return 1; }\nexport const two = () => 2;";
  const runs = { "test one": { "a.ts": ["one"] }, "test two": { "a.ts": ["two"] } } as const;

  test("a changed function chooses the tests that ran it, and no others", () => {
    expect(chosen({ "a.ts": two }, { "a.ts": two.replace("=> 2", "=> 3") }, runs)).toEqual([
      "test two",
    ]);
  });

  test("comments, layout and types choose no test", () => {
    const other = `/** Says. */\nexport interface New { readonly a: 1 }\n${two.replace("one()", "one(): number")}`;
    expect(chosen({ "a.ts": two }, { "a.ts": other }, runs)).toEqual([]);
  });

  test("a changed constant chooses the tests that ran a function that mentions it", () => {
    const text = (value: number) =>
      `const limit = ${value};\nexport function one() { return limit; }\nexport function two() {}`;
    expect(chosen({ "a.ts": text(1) }, { "a.ts": text(2) }, runs)).toEqual(["test one"]);
  });

  test("a changed constant reaches modules that import it through re-exports and other constants", () => {
    const rest = {
      "door.ts": 'export { limit as most } from "./a.js";',
      "table.ts": 'import { most } from "./door.js";\nexport const table = [most];',
      "user.ts":
        'import { table } from "./table.js";\nexport function use() { return table; }\nexport function other() {}',
    };
    const found = chosen(
      { "a.ts": "export const limit = 1;", ...rest },
      { "a.ts": "export const limit = 2;" },
      { user: { "user.ts": ["use"] }, other: { "user.ts": ["other"] } },
    );
    expect(found).toEqual(["user"]);
  });

  test("a changed constant reaches functions that load its module late", () => {
    const found = chosen(
      {
        "a.ts": "export const limit = 1;",
        "b.ts": 'export async function late() { return (await import("./a.js")).limit; }',
      },
      { "a.ts": "export const limit = 2;" },
      { late: { "b.ts": ["late"] } },
    );
    expect(found).toEqual(["late"]);
  });

  test("a function that imports its helper from another module is changed", () => {
    const text = (from: string) =>
      `import { help } from "./${from}.js";\nexport function one() { return help(); }\nexport function two() {}`;
    expect(chosen({ "a.ts": text("b") }, { "a.ts": text("c") }, runs)).toEqual(["test one"]);
  });

  test("a changed statement at the top level chooses all tests that load the module", () => {
    const found = chosen(
      { "a.ts": "start(1);" },
      { "a.ts": "start(2);" },
      { loads: { "a.ts": [""] }, other: { "b.ts": [""] } },
    );
    expect(found).toEqual(["loads"]);
  });

  test("a function that all run while modules load chooses the tests that use what it made", () => {
    const text = (value: number) =>
      `function make() { return ${value}; }\nconst made = make();\nexport function use() { return made; }`;
    const found = chosen(
      { "a.ts": text(1) },
      { "a.ts": text(2) },
      { user: { "a.ts": ["use", "make"] }, ...manyTests({ "a.ts": ["", "make"] }) },
    );
    expect(found).toEqual(["user"]);
  });

  test("a function that few tests run while modules load chooses these", () => {
    const text = (value: number) => `export function make() { return ${value}; }`;
    const found = chosen(
      { "a.ts": text(1) },
      { "a.ts": text(2) },
      { "at load": { "a.ts": ["", "make"] } },
    );
    expect(found).toEqual(["at load"]);
  });

  test("a function that is newer than the record chooses the tests that ran its callers", () => {
    const text = (value: number) =>
      `function fresh() { return ${value}; }\nexport function one() { return fresh(); }`;
    expect(chosen({ "a.ts": text(1) }, { "a.ts": text(2) }, runs, { "a.ts": two })).toEqual([
      "test one",
    ]);
  });

  test("a changed function chooses the tests that ran a function of its name in a bundle", () => {
    const text = (value: number) => `export function one() { return ${value}; }`;
    const found = chosen(
      { "src/a.ts": text(1) },
      { "src/a.ts": text(2) },
      {
        built: { "packages/runtime/dist/chunk.js": ["one2"] },
        other: { "packages/runtime/dist/chunk.js": ["two"] },
      },
    );
    expect(found).toEqual(["built"]);
  });

  test("a removed function chooses the tests that ran it", () => {
    expect(chosen({ "a.ts": two }, { "a.ts": two.split("\n")[0] ?? "" }, runs)).toEqual([
      "test two",
    ]);
  });
});

describe("moduleUnits", () => {
  test("names functions as V8 does in coverage", () => {
    const { functions } = moduleUnits(`
      class Table { #rows = 1; constructor() {} #read() {} get size() { return 1; } each = () => {}; [Symbol.iterator]() {} }
      export const kind = define({ check: (x) => x, parse() {}, "a/b": function () {} });
      function outer() { const inner = () => 1; list.map((x) => x); return inner; }
    `);
    expect([...functions.keys()].toSorted()).toEqual(
      [
        "Table",
        "b",
        "check",
        "each",
        "inner",
        "iterator",
        "outer",
        "parse",
        "read",
        "size",
      ].toSorted(),
    );
  });

  test("counts a function without a name as part of what surrounds it", () => {
    const text = (value: number) =>
      moduleUnits(`function outer() { list.map((x) => x + ${value}); }`);
    expect(changedUnits(text(1), text(2)).functions).toEqual(["outer"]);
  });

  test("counts a nested function with a name apart from its outer one", () => {
    const text = (value: number) =>
      moduleUnits(`function outer() { const inner = () => ${value}; return inner(); }`);
    expect(changedUnits(text(1), text(2)).functions).toEqual(["inner"]);
  });

  test("counts fields of a class as part of a value", () => {
    const text = (value: number) => moduleUnits(`class Table { rows = ${value}; read() {} }`);
    expect(changedUnits(text(1), text(2))).toEqual({
      functions: [],
      values: ["Table"],
      rest: false,
    });
  });
});
