/**
 * Golden cases: test/cases/<name>/ holds `skills/` and either `generated/`, real modules that `tsc` checks with everything else, or
 * `diagnostics.txt`. `UPDATE_CASES=1 npx vitest run test/cases.test.ts` writes what the compiler gives now; read the diff.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { compileFiles, linesOf } from "./support/compile.js";

const root = fileURLToPath(new URL("cases", import.meta.url));
const update = process.env["UPDATE_CASES"] !== undefined;

/** Text of every file below the folder, by path relative to it, with `/`. */
function readTree(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  );
  return Object.fromEntries(
    files.map((each) => {
      const path = join(each.parentPath, each.name);
      return [path.slice(folder.length + 1).replaceAll("\\", "/"), readFileSync(path, "utf8")];
    }),
  );
}

function writeTree(folder: string, files: Readonly<Record<string, string>>): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

describe.each(readdirSync(root))("%s", (name) => {
  const folder = join(root, name);
  const { "diagnostics.txt": expectedLines, ...all } = readTree(folder);
  const sources = Object.fromEntries(
    Object.entries(all).filter(([path]) => !path.startsWith("generated/")),
  );

  test("gives what it should", async () => {
    const compilation = await compileFiles(sources, { style: { printWidth: 100 } });
    const lines = linesOf(compilation, sources)
      .map((line) => `${line}\n`)
      .join("");
    const files = Object.fromEntries(compilation.files.map((file) => [file.path, file.text]));
    if (update) {
      if (lines !== "") writeFileSync(join(folder, "diagnostics.txt"), lines);
      else rmSync(join(folder, "diagnostics.txt"), { force: true });
      writeTree(join(folder, "generated"), files);
      return;
    }
    expect(lines).toBe(expectedLines ?? "");
    expect(files).toEqual(readTree(join(folder, "generated")));
  });
});
