/**
 * Golden cases: `cases/<name>/` holds schema files, `skills/` as they are written of them, and what
 * is told (`report.txt`). `UPDATE_CASES=1 npx vitest run test/import/database/golden.test.ts`
 * writes both anew. Read the diff.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { filesIn, makeProject, skillc } from "../../cli/support/command-line.js";
import { skillsIn } from "../openapi/support.js";

const root = fileURLToPath(new URL("cases", import.meta.url));
const update = process.env["UPDATE_CASES"] !== undefined;

function sourcesOf(folder: string): Readonly<Record<string, string>> {
  const all = Object.entries(filesIn(folder));
  return Object.fromEntries(all.filter(([path]) => /^(?:skillc\.yaml$|db\/)/.test(path)));
}

describe("the import of a database", () => {
  test.each(readdirSync(root))("writes the skills of the case %s", async (name) => {
    const folder = join(root, name);
    const project = makeProject(sourcesOf(folder));
    const ran = await skillc(project, ["import", "database", "SHOP_URL"], { columns: 300 });
    const told = `${ran.stdout}\n${ran.stderr}`.replace(/ · [\d.]+ m?s$/m, "");
    const files = skillsIn(project);
    if (update) {
      rmSync(join(folder, "skills"), { recursive: true, force: true });
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
      writeFileSync(join(folder, "report.txt"), told);
    }
    expect(ran.code).toBe(0);
    expect(files).toEqual(existsSync(join(folder, "skills")) ? skillsIn(folder) : {});
    expect(told).toBe(readFileSync(join(folder, "report.txt"), "utf8"));
    const again = await skillc(project, ["import", "database", "--check"]);
    expect([again.code, again.stderr]).toEqual([0, ""]);
    expect(again.stdout).toContain("up to date");
  });
});
