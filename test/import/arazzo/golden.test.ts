/**
 * Golden cases: `cases/<name>/` holds an Arazzo document with its APIs, `skills/` as the import writes
 * them, and its report. `UPDATE_CASES=1 npx vitest run test/import/arazzo/golden.test.ts` writes both
 * anew. Read the diff.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { filesIn, makeProject, skillc } from "../../cli/support/command-line.js";
import { compileFiles, linesOf, typeCheck } from "../../support/compile.js";
import { skillsIn } from "../openapi/support.js";

const root = fileURLToPath(new URL("cases", import.meta.url));
const update = process.env["UPDATE_CASES"] !== undefined;

describe("the import of an Arazzo document", () => {
  test.each(readdirSync(root))("writes plans of the case %s that pass tsc", async (name) => {
    const folder = join(root, name);
    const sources = Object.entries(filesIn(folder)).filter(([path]) => /^[^/]*\.yaml$/.test(path));
    const project = makeProject(Object.fromEntries(sources));
    const argv = ["import", "arazzo", "flows.arazzo.yaml"];
    const ran = await skillc(project, argv, { columns: 300 });
    const told = `${ran.stdout}\n${ran.stderr}`.replace(/ · [\d.]+ m?s$/m, "");
    const files = skillsIn(project);
    if (update) {
      rmSync(join(folder, "skills"), { recursive: true, force: true });
      for (const [each, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, each)), { recursive: true });
        writeFileSync(join(folder, each), text);
      }
      writeFileSync(join(folder, "report.txt"), told);
    }
    expect(ran.code).toBe(0);
    expect(files).toEqual(skillsIn(folder));
    expect(told).toBe(readFileSync(join(folder, "report.txt"), "utf8"));
    const again = await skillc(project, ["import", "arazzo", "--check"]);
    expect(again.code).toBe(0);
    expect(again.stdout).toContain("up to date");
    const compiled = await compileFiles(files, { typeCheck });
    expect(linesOf(compiled, files)).toEqual([]);
  });
});
