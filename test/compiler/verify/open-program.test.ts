/**
 * A program is of texts that need not be on disk, and of the disk as it is now. That holds in a TypeScript process of its own, and in one that opened other programs
 * before, as tests share it.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { JsonObject } from "../../../src/core/json.js";
import * as shared from "../../../src/compiler/verify/open-program.js";

const own = await vi.importActual<typeof shared>("../../../src/compiler/verify/open-program.js");

const options = {
  lib: ["es2023"],
  module: "nodenext",
  strict: true,
  noEmit: true,
  types: [],
};

function folder(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), "skillc-program-")));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made.replaceAll("\\", "/");
}

describe.each([
  ["a TypeScript process for each program", own],
  ["a TypeScript process for many programs", shared],
])("%s", (_, { openProgram }) => {
  async function faultsOf(texts: Readonly<Record<string, string>>, more: JsonObject = {}) {
    const program = openProgram("/none", new Map(Object.entries(texts)), { ...options, ...more });
    try {
      return Object.keys(texts).flatMap((path) =>
        program.faultsIn(path).map(({ says }) => `${path}: ${says.split(":")[0]}`),
      );
    } finally {
      await program.close();
    }
  }

  test("reads a file on disk as it is now", async () => {
    const root = folder();
    const user = { [`${root}/a.ts`]: 'import { x } from "./x.js";\nexport const y: string = x;\n' };
    writeFileSync(join(root, "x.d.ts"), "export declare const x: string;\n");
    expect(await faultsOf(user)).toEqual([]);
    writeFileSync(join(root, "x.d.ts"), "export declare const x: number;\n");
    expect(await faultsOf(user)).toEqual([`${root}/a.ts: TS2322`]);
    rmSync(join(root, "x.d.ts"));
    expect(await faultsOf(user)).toEqual([`${root}/a.ts: TS2307`]);
  });

  test("reads packages, links and module formats as they are now", async () => {
    const root = folder();
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    };
    const link = (target: string) => {
      rmSync(join(root, "node_modules/p"), { recursive: true, force: true });
      mkdirSync(join(root, "node_modules"), { recursive: true });
      symlinkSync(join(root, target), join(root, "node_modules/p"), "junction");
    };
    const user = { [`${root}/a.ts`]: 'import { x } from "p";\nexport const y: string = x;\n' };
    expect(await faultsOf(user)).toEqual([`${root}/a.ts: TS2307`]);

    write("one/package.json", '{ "name": "p", "type": "module", "types": "./x.d.ts" }');
    write("one/x.d.ts", "export declare const x: string;\n");
    write("two/package.json", '{ "name": "p", "type": "module", "types": "./x.d.ts" }');
    write("two/x.d.ts", "export declare const x: number;\n");
    link("one");
    expect(await faultsOf(user)).toEqual([]);
    link("two");
    expect(await faultsOf(user)).toEqual([`${root}/a.ts: TS2322`]);

    write("two/z.d.ts", "export declare const x: string;\n");
    write("two/package.json", '{ "name": "p", "type": "module", "types": "./z.d.ts" }');
    expect(await faultsOf(user)).toEqual([]);
    write("two/package.json", '{ "name": "p", "exports": {} }');
    expect(await faultsOf(user)).toEqual([`${root}/a.ts: TS2307`]);

    const top = { [`${root}/b.ts`]: "export const y = await Promise.resolve(1);\n" };
    write("package.json", '{ "type": "commonjs" }');
    expect(await faultsOf(top)).toEqual([`${root}/b.ts: TS1309`]);
    write("package.json", '{ "type": "module" }');
    expect(await faultsOf(top)).toEqual([]);
  });

  test("prefers a text in memory to the file on disk, even in folders that don't exist", async () => {
    const root = folder();
    writeFileSync(join(root, "x.ts"), "export const x = 1;\n");
    const texts = {
      [`${root}/not/there/a.ts`]:
        'import { x } from "../../x.js";\nimport { z } from "./z.js";\nexport const y: string = x + z;\n',
      [`${root}/not/there/z.ts`]: 'export const z = "";\n',
      [`${root}/x.ts`]: 'export const x = "";\n',
    };
    expect(await faultsOf(texts)).toEqual([]);
    const { [`${root}/x.ts`]: _, ...others } = texts;
    expect(await faultsOf(others)).toEqual([]);
    expect(
      await faultsOf({ ...others, [`${root}/not/there/z.ts`]: "export const z = 1;\n" }),
    ).toEqual([`${root}/not/there/a.ts: TS2322`]);
  });

  test("keeps a global declaration out of the next program", async () => {
    const global = "export {};\ndeclare global {\n  interface Array<T> { readonly own: T }\n}\n";
    const user = { "/none/a.ts": "export const first = [1].own;\n" };
    expect(await faultsOf({ ...user, "/none/global.ts": global })).toEqual([]);
    expect(await faultsOf(user)).toEqual(["/none/a.ts: TS2339"]);
    expect(await faultsOf({ ...user, "/none/global.ts": global })).toEqual([]);
  });

  test("applies other options to the same declarations", async () => {
    const texts = { "/none/a.ts": 'export const found = ["a"].find(() => true).length;\n' };
    expect(await faultsOf(texts)).toEqual(["/none/a.ts: TS2532"]);
    expect(await faultsOf(texts, { strict: false })).toEqual([]);
    expect(await faultsOf(texts, { lib: ["es5"] })).toEqual(["/none/a.ts: TS2550"]);
    expect(await faultsOf(texts)).toEqual(["/none/a.ts: TS2532"]);
  });

  test("reports an error at its offset behind any characters, with all its reasons", async () => {
    const text = 'const é = "😀";\nexport const found: { a: { b: number } } = { a: { b: é } };\n';
    const wanted =
      "declare const given: { a: { b: string } };\nexport const deep: { a: { b: number } } = given;\n";
    const program = openProgram("/none", new Map([["/none/a.ts", text + wanted]]), options);
    const faults = program.faultsIn("/none/a.ts");
    await program.close();
    expect(faults.map(({ start }) => (text + wanted).slice(start).split(/\W/)[0])).toEqual([
      "b",
      "deep",
    ]);
    expect(faults[1]?.says).toMatch(
      /^TS2322: Type .* 'a\.b' .* Type 'string' is not assignable to type 'number'\.$/,
    );
  });

  test("reports errors of a text that does not parse, and a missing file", async () => {
    expect(await faultsOf({ "/none/a.ts": "export const = 1;\n" })).toContain("/none/a.ts: TS1134");
    const program = openProgram("/none", new Map([["/none/a.ts", "export {};\n"]]), options);
    expect(() => program.faultsIn("/none/b.ts")).toThrow(/b\.ts/);
    await program.close();
  });

  test("reports a program that can't be opened, and leaves no process behind", async () => {
    const children = () =>
      process.getActiveResourcesInfo().filter((each) => each === "ProcessWrap");
    const texts = new Map([["/none/../a.ts", "export {};\n"]]);
    expect(() => openProgram("/none/..", texts, options)).toThrow("no program in /none/..");
    await expect.poll(() => children().length).toBe(0);
  });

  test("ignores options that TypeScript no longer has", async () => {
    const texts = { "/none/a.ts": 'import { z } from "./z.js";\nexport const y: string = z;\n' };
    const old = { module: "amd", moduleResolution: "classic", target: "es5", baseUrl: "/none" };
    const z = { "/none/z.ts": "export const z = 1;\n" };
    expect(await faultsOf({ ...texts, ...z }, old)).toEqual(["/none/a.ts: TS2322"]);
  });
});
