/** What a user's compiler makes of the declarations that were built. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { linkPackages, tsc } from "./support/tsc.js";

function projectOf(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "skillc-types-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  linkPackages(root, ["skillc", "@skillc/runtime"]);
  for (const [path, text] of Object.entries({ "package.json": '{"type": "module"}', ...files }))
    writeFileSync(join(root, path), text);
  return root;
}

const packages = {
  skillc: "../package.json",
  "@skillc/runtime": "../packages/runtime/package.json",
};

test("every entry point is read without Node's types, and with libraries checked", async () => {
  const entries = Object.entries(packages).flatMap(([name, path]) => {
    const text = readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8");
    // Our own package.json.
    const { exports } = JSON.parse(text) as { readonly exports: object };
    return Object.keys(exports)
      .filter((key) => !key.endsWith(".json") && !key.startsWith("./internal"))
      .map((key) => `${name}${key.slice(1)}`);
  });
  expect(entries).toContain("@skillc/runtime/v1/http");
  const lines = entries.map((entry, index) => `export * as e${index} from "${entry}";`);
  const root = projectOf({
    "app.ts": lines.join("\n"),
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        target: "es2022",
        module: "nodenext",
        strict: true,
        exactOptionalPropertyTypes: true,
        types: [],
        skipLibCheck: false,
        noEmit: true,
      },
    }),
  });
  expect(await tsc(root)).toBe("");
});

test("generated modules have the explicit types that isolatedDeclarations asks for", async () => {
  const root = projectOf({
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        target: "es2022",
        module: "nodenext",
        types: [],
        declaration: true,
        isolatedDeclarations: true,
        skipLibCheck: true,
        noEmit: true,
      },
      include: ["generated/**/*.ts"],
    }),
  });
  cpSync(fileURLToPath(new URL("../generated", import.meta.url)), join(root, "generated"), {
    recursive: true,
  });
  expect(await tsc(root)).toBe("");
});

test("a misspelt name of a tool: the compiler lists the names that there are", async () => {
  const root = projectOf({
    "app.ts": `
      import { dispatchTool, dispatchToolJson, type ToolMap } from "@skillc/runtime";
      declare const tools: { desk__get: ToolMap[string]; desk__put: ToolMap[string] };
      void dispatchTool(tools, "desk__gt", {});
      void dispatchToolJson(tools, "desk__gt", "{}");
    `,
  });
  const args = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2023", "app.ts"];
  const told = await tsc(root, args);
  expect(told.match(/TS2345: .*/g)).toEqual(
    Array.from(
      { length: 2 },
      () =>
        `TS2345: Argument of type '"desk__gt"' is not assignable to parameter of type '"desk__get" | "desk__put"'.`,
    ),
  );
});
