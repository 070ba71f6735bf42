import { expect, test } from "vitest";
import { readTypeCheckSettings } from "../../../src/cli/project/type-check-settings.js";
import { makeProject } from "../support/command-line.js";

test("a tsconfig.json that nests too deep for TypeScript's reader counts as none, and ends no command", () => {
  const depth = 100_000;
  const root = makeProject({ "tsconfig.json": '{"a":'.repeat(depth) + "1" + "}".repeat(depth) });
  const { compilerOptions } = readTypeCheckSettings(root, `${root}/generated`);
  expect(compilerOptions).toMatchObject({ strict: true });
});
