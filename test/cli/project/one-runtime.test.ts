import { expect, test } from "vitest";
import { deskFiles, makeProject, skillc } from "../support/command-line.js";

/** A project with a copy of the runtime of its own. */
function projectWith(runtime: object): string {
  return makeProject({
    ...deskFiles,
    "node_modules/@skillc/runtime/package.json": JSON.stringify({
      name: "@skillc/runtime",
      exports: { "./v1": "./v1.js", "./package.json": "./package.json" },
      ...runtime,
    }),
  });
}

const commands = [
  ["generate"],
  ["check"],
  ["call", "desk/get-order"],
  ["ledger", "list"],
  ["generate", "--check"],
];

test.each(commands)(
  "`skillc %s %s` refuses a project whose runtime is of another version",
  async (...args) => {
    const { code, stdout, stderr } = await skillc(projectWith({ version: "0.0.7" }), args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(
      "error: there are two copies of `@skillc/runtime`: the project's is version 0.0.7, that of skillc version 0.1.0",
    );
    expect(stderr).toContain("npm install -D skillc@latest && npm install @skillc/runtime@latest");
  },
);

test("refuses a second copy of the same version, and names the way out", async () => {
  const { stderr } = await skillc(projectWith({ version: "0.1.0" }), ["generate"]);
  expect(stderr).toContain("two copies of `@skillc/runtime`: both of version 0.1.0");
  expect(stderr).toContain("`npx skillc`");
});
