/** Parameters named like what every object inherits. */
import { expect, test } from "vitest";
import { compileFiles, linesOf } from "../../support/compile.js";

test("an optional parameter named like a member of Object.prototype can stand in every part of a request", async () => {
  const files = {
    "skills/desk/SKILL.md": `---
name: desk
description: Looks after orders.
tools:
  get:
    description: Gets.
    parameters:
      type: object
      properties:
        constructor: { type: string }
        toString: { type: integer }
        valueOf: { type: string }
        hasOwnProperty: { type: array, items: { type: [string, "null"] } }
    binding:
      type: http
      method: POST
      url: https://api.example.com/a
      query: { c: "{constructor}", h: "{hasOwnProperty}" }
      headers: { X-V: "{toString}" }
      body_template: { v: "a {valueOf}", w: "{constructor}" }
---
`,
  };
  const compiled = await compileFiles(files);
  expect(linesOf(compiled, files).filter((line) => line.includes(" error "))).toEqual([]);
  const text = compiled.files.find(({ path }) => path === "desk/get.ts")?.text;
  expect(text).toContain('["c", pick(p, "constructor") as string | undefined]');
  expect(text).toContain('pick(p, "hasOwnProperty") as readonly (string | null)[] | undefined');
});
