/** Generated code is also for bundlers and loaders, so it type-checks with and without CommonJS in package.json. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findTypeFaults } from "../../../src/compiler/verify/check-types.js";

function faultsBelow(manifest: string | undefined, module: string) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "skillc-format-"))).replaceAll("\\", "/");
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  if (manifest !== undefined) writeFileSync(join(root, "package.json"), manifest);
  const file = {
    path: "desk/a.ts",
    text: 'import type { Own } from "own/types";\nexport const own: Own = "a";\n',
  };
  writeFileSync(join(root, "types.d.ts"), "export type Own = string;\n");
  const compilerOptions = { module, verbatimModuleSyntax: true, strict: true };
  return findTypeFaults([file], [file], { outFolder: `${root}/out`, compilerOptions });
}

const own = { name: "own", exports: { "./types": { types: "./types.d.ts" } } };

test.each(["node16", "node18", "nodenext"])(
  "generated code type-checks with %s and any type of package",
  async (module) => {
    for (const type of [undefined, "commonjs", "module"])
      expect(await faultsBelow(JSON.stringify({ ...own, type }), module)).toEqual([]);
  },
);

test("reports no other format if package.json is missing or unreadable", async () => {
  for (const manifest of [undefined, "{ broken", "[]"]) {
    expect(await faultsBelow(manifest, "nodenext")).toMatchObject([
      { says: expect.stringMatching(/^TS2307: .*own\/types/) },
    ]);
  }
});
