import { truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readOutput } from "../../../src/cli/output/read-output.js";
import { deskFiles, makeProject, skillc } from "../support/command-line.js";

test("a file too large to be generated is somebody's, and is not read", async () => {
  const root = makeProject({ ...deskFiles, "generated/huge.bin": "" });
  truncateSync(join(root, "generated/huge.bin"), 3 * 1024 ** 3);
  expect(readOutput(root, "generated").get("huge.bin")).toBe("");
  expect(await skillc(root, ["generate"])).toMatchObject({ code: 0 });
});
