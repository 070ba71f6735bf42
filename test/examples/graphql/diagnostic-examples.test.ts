import { describe, expect, it } from "vitest";
import { binding } from "../../../examples/graphql/binding/index.js";
import { createRegistry } from "../../../src/bindings/registry.js";
import { checkedProject } from "../../compiler/resolve/skill-project.js";
import { compileHere } from "./compile-example.js";

const entries = Object.entries(binding.diagnostics);
const kinds = createRegistry([binding]);

describe.each(entries)("diagnostic %s", (code, { example, fixed }) => {
  it("its example causes this diagnostic and no other", async () => {
    const { diagnostics } = await checkedProject(example, kinds);
    const errors = diagnostics.filter((each) => each.severity === "error");
    expect(new Set(errors.map((each) => each.code))).toEqual(new Set([code]));
  });

  it("its fixed example causes neither this diagnostic nor any other error", async () => {
    const { diagnostics } = await checkedProject(fixed, kinds);
    expect(diagnostics.filter((each) => each.severity === "error")).toEqual([]);
  });
});

it("fixed examples generate and type-check", async () => {
  const skills = entries.flatMap(([, { fixed }], index) =>
    Object.entries(fixed).map(([path, text]) => [
      path.replace("stock-desk", `desk-${index}`),
      text.replace("name: stock-desk", `name: desk-${index}`),
    ]),
  );
  const files: Readonly<Record<string, string>> = Object.fromEntries(skills);
  const { diagnostics, lowered } = await compileHere(files);
  expect(diagnostics.filter((each) => each.severity === "error")).toEqual([]);
  expect(lowered).toHaveLength(entries.length);
});
