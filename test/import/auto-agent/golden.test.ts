/**
 * Golden cases: `cases/<name>/` holds files of tool definitions, `skills/` as they are written of
 * them, and what is told (`report.txt`). `UPDATE_CASES=1 npx vitest run
 * test/import/auto-agent/golden.test.ts` writes both anew. Read the diff.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { filesIn, makeProject, skillc } from "../../cli/support/command-line.js";
import { skillsIn } from "../openapi/support.js";

const root = fileURLToPath(new URL("cases", import.meta.url));
const update = process.env["UPDATE_CASES"] !== undefined;

/** Options of the import of a case. */
const options: Readonly<Record<string, readonly string[]>> = {
  "one-skill": ["--skill", "toolbox"],
};

describe("the import of tool definitions", () => {
  test.each(readdirSync(root))("writes the skills of the case %s, which compile", async (name) => {
    const folder = join(root, name);
    const sources = Object.entries(filesIn(folder)).filter(([path]) => /^[^/]*\.json$/.test(path));
    const paths = sources.map(([path]) => `agent/${path}`).toSorted();
    const project = makeProject(
      Object.fromEntries(sources.map(([path, text]) => [`agent/${path}`, text])),
    );
    const argv = ["import", "auto-agent", ...paths, ...(options[name] ?? [])];
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
    const again = await skillc(project, ["import", "auto-agent", "--check"]);
    expect(again.code).toBe(0);
    expect(again.stdout).toContain("up to date");
    const generated = await skillc(project, ["generate", "--json"]);
    const { diagnostics } = JSON.parse(generated.stdout);
    expect(diagnostics).toEqual([]);
    expect(generated.code).toBe(0);
  });
});
