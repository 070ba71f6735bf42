/** What an import writes of the golden cases compiles, and nobody is warned of anything. */
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { filesIn, makeProject, skillc } from "../../cli/support/command-line.js";

const root = fileURLToPath(new URL("cases", import.meta.url));

test.each(readdirSync(root))(
  "%s passes a strict check",
  async (name) => {
    const { code, stderr } = await skillc(makeProject(filesIn(`${root}/${name}`)), [
      "check",
      "--strict",
    ]);
    expect(stderr).not.toMatch(/^(?:warning|error)/m);
    expect(code).toBe(0);
  },
  600_000,
);
