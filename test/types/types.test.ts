/** `npx tsc --noEmit` checks this folder with everything else; so that `npm test` alone does too, it is compiled here. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { lineAt } from "../support/line-at.js";
import { repositoryFaults } from "../support/program-faults.js";

const folder = fileURLToPath(new URL(".", import.meta.url));
const files = readdirSync(folder).filter((name) => !name.endsWith(".test.ts"));

test("code that uses the generated modules type-checks where it should, and nowhere else", () => {
  const texts = new Map(files.map((name) => [folder + name, readFileSync(folder + name, "utf8")]));
  const faults = [...repositoryFaults(texts)];
  expect(faults.map(([path]) => path)).toEqual(files.map((name) => folder + name));
  expect(
    faults.flatMap(([path, found]) =>
      found.map(({ says, start }) => `${lineAt(texts.get(path) ?? "", start) + 1}: ${says}`),
    ),
  ).toEqual([]);
});
