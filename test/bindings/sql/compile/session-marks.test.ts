import { expect, test } from "vitest";
import { compileUntyped } from "../../../compiler/whole/compile-untyped.js";
import { filesFor } from "./ask.js";

/** True if the generated module marks the write as one that may change its session. */
async function saysSo(query: string): Promise<boolean> {
  const asked = { query, tool: { risk_level: "high" }, binding: { read_only: false } };
  const { diagnostics, files } = await compileUntyped(filesFor(asked));
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const module = files.find(({ path }) => path.endsWith("people/ask.ts"));
  return module?.text.includes("marksSession: true,") ?? false;
}

test("a write that may leave a setting or a lock behind is marked for the runtime", async () => {
  expect(await saysSo("SELECT set_config('datestyle', 'German', false)")).toBe(true);
  expect(await saysSo("INSERT INTO pets (id, name) SELECT counted(), 'Rex'")).toBe(true);
});

test("any other write is not marked for the runtime", async () => {
  expect(await saysSo("INSERT INTO pets (id, name) VALUES (1, 'Rex')")).toBe(false);
});
