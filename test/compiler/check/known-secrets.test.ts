import { performance } from "node:perf_hooks";
import { expect, test } from "vitest";
import { knownSecrets } from "../../../src/compiler/check/plaintext.js";

test("looking through a file leaves nothing behind in the process", async () => {
  const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
  expect(await knownSecrets({ path: "SKILL.md", text: `token: ${token}\n` })).toHaveLength(1);
  expect(performance.getEntriesByType("mark")).toEqual([]);
  expect(performance.getEntriesByType("measure")).toEqual([]);
});
