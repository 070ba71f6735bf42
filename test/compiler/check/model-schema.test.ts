/** The warning about parameters that take too much of a model's context. */
import { expect, test } from "vitest";
import { diagnose } from "../whole/compile-untyped.js";

/** A tool whose offered schema has about so many bytes, most of them in a file that it refers to. */
function tool(bytes: number, ...more: readonly string[]): Readonly<Record<string, string>> {
  return {
    "skills/desk/SKILL.md": [
      "---",
      "name: desk",
      "description: Looks after orders.",
      "tools:",
      "  save-order:",
      "    description: Saves an order.",
      "    parameters:",
      "      type: object",
      "      properties: { order: { $ref: order.json } }",
      ...more.map((line) => `    ${line}`),
      "---",
      "",
    ].join("\n"),
    "skills/desk/order.json": JSON.stringify({ type: "string", description: "x".repeat(bytes) }),
  };
}

async function found(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { diagnostics } = await diagnose(files);
  return diagnostics
    .filter(({ code }) => code !== "skill/not-portable")
    .map(({ code, message, severity, span }) => {
      const text = files[span.file]?.slice(span.start, span.end).split("\n")[0] ?? "";
      return `${severity} ${code} at ${text}: ${message}`;
    });
}

test("a tool with a schema of more than 64 KiB gets a warning with its size", async () => {
  const [line, ...others] = await found(tool(70_000));
  expect(line).toMatch(
    /^warning tool\/model-schema at .*: the parameters of `save-order` take 69 KiB in every request to a model$/,
  );
  expect(others).toEqual([]);
});

test("a tool with a schema of less than 64 KiB gets no warning", async () => {
  expect(await found(tool(65_000))).toEqual([]);
});

test("a tool may accept the size of its schema", async () => {
  const accept = "accept: { tool/model-schema: a model needs all of it }";
  expect(await found(tool(70_000, accept))).toEqual([]);
});
