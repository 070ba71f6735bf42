/** The types of generated catalogs. They have `@ts-nocheck`, so no user's `tsc` checks them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findTypeFaults } from "../../../src/compiler/verify/check-types.js";
import { repository } from "../../support/repository.js";

const settings = {
  outFolder: repository.slice(0, -1),
  compilerOptions: { module: "nodenext", strict: true },
};

const folders = [
  "generated",
  ...["caller", "effects", "governed", "http-files", "http-in-full", "shared-schemas"].map(
    (name) => `test/cases/${name}/generated`,
  ),
];

function catalogs(): readonly { readonly path: string; readonly text: string }[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" })
        .filter((path) => /.(?:[/\\]catalog|\.schema)\.ts$/.test(path))
        .map((path) => `${folder}/${path}`),
    )
    .map((path) => ({ path, text: readFileSync(join(repository, path), "utf8") }));
}

test("the types of generated catalogs match those of the runtime", async () => {
  const files = catalogs();
  expect(files.length).toBeGreaterThan(8);
  const looked = files.map(({ path, text }) => {
    expect(text).toContain("\n// @ts-nocheck: ");
    return { path, text: text.replace(/^\/\/ @ts-nocheck: .*$/m, "//") };
  });
  expect(await findTypeFaults(looked, looked, settings)).toEqual([]);
  const broken = looked.slice(0, 1).map(({ path, text }) => ({
    path,
    text: text.replace('"name": "', '"nome": "'),
  }));
  expect(await findTypeFaults(broken, broken, settings)).toMatchObject([
    { says: expect.stringMatching(/^TS2353/) },
  ]);
});
