/** What a folder of an old contract meets in a runtime that serves it no more: here contract 1, as if it were retired. */
import { execFile } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { retiredModule, retiredTypes } from "../../packages/runtime/retired.js";
import { repository } from "../support/repository.js";
import { linkPackages, tsc } from "../support/tsc.js";

const run = promisify(execFile);
let root: string;
const files: string[] = [];

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "skillc-retired-"));
  const from = join(repository, "test/contracts/1/generated");
  cpSync(from, join(root, "generated"), { recursive: true });
  for (const file of readdirSync(from, { recursive: true, encoding: "utf8" }))
    if (file.endsWith(".ts")) files.push(file);
  writeFileSync(join(root, "package.json"), '{ "type": "module" }');
  linkPackages(root, ["kysely"]);
  installRetired(namesByEntry());
  for (const file of files) {
    const { code } = await transform(readFileSync(join(from, file), "utf8"), { loader: "ts" });
    const out = join(root, "out", file.replace(/\.ts$/, ".js"));
    mkdirSync(dirname(out), { recursive: true });
    writeFileSync(out, code);
  }
}, 60_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Names {
  readonly values: Set<string>;
  readonly types: Set<string>;
}

/** What the generated modules import of the runtime, by subpath. */
function namesByEntry(): ReadonlyMap<string, Names> {
  const entries = new Map<string, Names>();
  const imports = /(import|export) (type )?\{([^}]*)\} from "@skillc\/runtime\/(v1[^"]*)"/g;
  for (const file of files) {
    const text = readFileSync(join(root, "generated", file), "utf8");
    for (const [, , onlyTypes, list = "", subpath = ""] of text.matchAll(imports)) {
      const names = entries.get(subpath) ?? { values: new Set(), types: new Set() };
      entries.set(subpath, names);
      for (const each of list
        .split(",")
        .map((name) => name.trim())
        .filter(Boolean)) {
        const name = each.replace(/^type /, "").replace(/ as .*$/, "");
        const isType = onlyTypes !== undefined || each.startsWith("type ");
        (isType ? names.types : names.values).add(name);
      }
    }
  }
  return entries;
}

function installRetired(entries: ReadonlyMap<string, Names>): void {
  const home = join(root, "node_modules/@skillc/runtime");
  const exports: Record<string, object> = {};
  for (const [subpath, { values, types }] of entries) {
    const file = `dist/retired/${subpath}`;
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, `${file}.js`), retiredModule(subpath, [...values]));
    writeFileSync(join(home, `${file}.d.ts`), retiredTypes([...values], [...types]));
    exports[`./${subpath}`] = { types: `./${file}.d.ts`, default: `./${file}.js` };
  }
  writeFileSync(
    join(home, "package.json"),
    JSON.stringify({ name: "@skillc/runtime", version: "9.0.0", type: "module", exports }),
  );
}

test.each(["index", "desk/get-order", "desk/find-products", "desk/quote", "events/tell-redis"])(
  "importing %s fails with one sentence that asks to generate the code again",
  async (module) => {
    const args = ["--input-type=module", "-e", `await import("./out/${module}.js")`];
    const failed: unknown = await run(process.execPath, args, { cwd: root }).catch(
      (error: unknown) => error,
    );
    const { stderr } = failed as { readonly stderr: string };
    expect(stderr).toContain(
      "Error: this code was generated for contract v1 of @skillc/runtime, which the installed version serves no more: run `npx skillc generate` with skillc of the same version",
    );
  },
);

test("the old code has no type error but in callbacks of SQL tools", async () => {
  const args = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2023"];
  const told = await tsc(root, [...args, ...files.map((file) => `generated/${file}`)]);
  const errors = told.split("\n").filter((line) => line.includes("error"));
  expect(errors).toEqual([expect.stringMatching(/take-stock\.ts.*TS7006.*'eb'/)]);
}, 60_000);
