import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { resolveStyle } from "../../../src/cli/style/resolve-style.js";
import { makeProject } from "../support/command-line.js";

/** Code that leaves a trace when it runs, and settings. */
const code = (trace: string) =>
  `require("node:fs").writeFileSync(${JSON.stringify(trace)}, ""); module.exports = { semi: false };`;

const below: readonly (readonly [path: string, text: string])[] = [
  ["prettier.config.cjs", "CODE"],
  [".prettierrc.cjs", "CODE"],
  [".prettierrc.mjs", "import './evil.cjs'; export default {};"],
  ["prettier.config.ts", "import './evil.cjs'; export default {};"],
  [".prettierrc", '"./evil.cjs"'],
  [".prettierrc", "./evil.cjs"],
  [".prettierrc", "# settings\n---\n./evil.cjs\n"],
  [".prettierrc", "!!str\n./evil.cjs"],
  [".prettierrc", "%YAML 1.2\n---\n./evil.cjs"],
  [".prettierrc", "|\n  ./evil.cjs"],
  [".prettierrc", "// semi: false\n./evil.cjs"],
  [".prettierrc", "\ufeff'./evil.cjs'"],
  [".prettierrc", "evil-package"],
  [".prettierrc.json", '"./evil.cjs"'],
  [".prettierrc.json5", "// {\n'./evil.cjs'"],
  [".prettierrc.yaml", "'./evil.cjs'"],
  ["package.json", '{ "prettier": "./evil.cjs" }'],
  ["package.yaml", "prettier: ./evil.cjs\n"],
];

test.each(below)("runs no code below the project's folder: %s %j", async (name, text) => {
  const root = makeProject();
  const trace = join(root, "ran");
  const files = { "evil.cjs": code(trace), [name]: text === "CODE" ? code(trace) : text };
  for (const folder of ["lib", "lib/generated"]) {
    const project = makeProject(
      Object.fromEntries(Object.entries(files).map(([path, each]) => [`${folder}/${path}`, each])),
    );
    await expect(resolveStyle(project, join(project, "lib/generated"))).rejects.toMatchObject({
      name: "CommandFailure",
      message: expect.stringContaining(`\`${folder}/${name}\` are code`),
    });
  }
  expect(existsSync(trace)).toBe(false);
});

test.each([
  [".prettierrc", "semi: false\n"],
  [".prettierrc", "# ours\n---\n'semi': false\n"],
  [".prettierrc", ' {\n "semi": false }'],
  [".prettierrc.json", '\n{ "semi": false }'],
  [".prettierrc.json5", "// ours\n{ semi: false, }"],
  [".prettierrc.yml", "overrides:\n  - files: '*.ts'\n    options: { semi: false }\n"],
  [".prettierrc.toml", "semi = false\n"],
  ["package.json", '{ "prettier": { "semi": false } }'],
])("reads settings that are data below the project's folder: %s %j", async (name, text) => {
  const root = makeProject({ [`generated/${name}`]: text, ".prettierrc": "semi: true\n" });
  expect((await resolveStyle(root, join(root, "generated")))["semi"]).toBe(false);
});

test.each([".", ".."])(
  "runs code in the project's folder and above it, as npm does: %s",
  async (at) => {
    const root = makeProject();
    const trace = join(root, "ran");
    const project = makeProject({
      [join("a", at, "prettier.config.cjs")]: code(trace),
      "a/x": "",
    });
    const style = await resolveStyle(join(project, "a"), join(project, "a/generated"));
    expect(style["semi"]).toBe(false);
    expect(existsSync(trace)).toBe(true);
  },
);

test.each(["lib", "lib/generated"])(
  "rejects an .editorconfig that is a pipe in `%s`, and does not wait for it",
  async (folder) => {
    const project = makeProject({ "lib/generated/index.ts": "" });
    execFileSync("mkfifo", [join(project, folder, ".editorconfig")]);
    await expect(resolveStyle(project, join(project, "lib/generated"))).rejects.toMatchObject({
      message: expect.stringContaining(".editorconfig` is not a file") as string,
    });
  },
);
