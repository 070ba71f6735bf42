import { expect, test } from "vitest";
import { diagnose } from "../../../compiler/whole/compile-untyped.js";

const skill = (size: string) => `---
name: desk
description: Looks after notes.
tools:
  make-folder:
    description: Makes a folder.
    parameters: { type: object }
    binding: { type: file, operation: temporary, size_bytes: ${size} }
---
`;

test.each(["1.5MiB", "0KiB", '"-1MiB"'])("the help for the size %s shows a size", async (size) => {
  const { diagnostics } = await diagnose({ "skills/desk/SKILL.md": skill(size) });
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors).toMatchObject([
    { code: "file/bad-option", help: expect.stringContaining("write `16MiB`") },
  ]);
});
