/**
 * Golden cases: `cases/<name>/` holds a hub manifest, `skills/` as they are written of it, and what is
 * told (`report.txt`). `UPDATE_CASES=1 npx vitest run test/import/hub/golden.test.ts` writes
 * both anew. Read the diff.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { filesIn, makeProject, skillc } from "../../cli/support/command-line.js";
import { skillsIn } from "../openapi/support.js";

const root = fileURLToPath(new URL("cases", import.meta.url));
const update = process.env["UPDATE_CASES"] !== undefined;
const image = `python@sha256:${"0123456789abcdef".repeat(4)}`;

/** Options of the import of a case. */
const options: Readonly<Record<string, readonly string[]>> = {
  flags: ["--arguments", "flags", "--image", image, "--skill", "upkeep"],
};

describe("the import of a hub manifest", () => {
  test.each(readdirSync(root))("writes the skill of the case %s, which compiles", async (name) => {
    const folder = join(root, name);
    const sources = Object.entries(filesIn(folder)).filter(([path]) =>
      /^[^/]*\.json$|^scripts\//.test(path),
    );
    const [path = ""] = sources[0] ?? [];
    const project = makeProject(Object.fromEntries(sources));
    const argv = ["import", "manifest", path, ...(options[name] ?? [])];
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
    const again = await skillc(project, ["import", "manifest", "--check"]);
    expect(again.code).toBe(0);
    expect(again.stdout).toContain("up to date");
    const generated = await skillc(project, ["generate", "--json"]);
    const { diagnostics } = JSON.parse(generated.stdout);
    expect(diagnostics.filter((each: { severity: string }) => each.severity === "error")).toEqual(
      [],
    );
    expect(generated.code).toBe(0);
  });
});
