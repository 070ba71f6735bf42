import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { packageRoots } from "../../../../src/bindings/command/run/find-program.js";

/** A home folder with a project in it. */
function setUp() {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "skillc-home-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const directory = join(home, "project");
  const put = (path: string, text = "\x7fELF", mode = 0o755): string => {
    const file = join(home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, mode);
    return file;
  };
  put("project/skillc.yaml", "");
  const rootsOf = (program: string, path = "/usr/bin") =>
    packageRoots(program, { directory, home, path }).map((each) => each.replace(home, "~"));
  return { home, put, rootsOf };
}

describe("the folders that a program needs", () => {
  test("a Node.js package needs the outermost node_modules, where its dependencies are", () => {
    const { put, rootsOf } = setUp();
    const real = put("project/node_modules/.pnpm/a/node_modules/a/cli.js", "#!/usr/bin/true\n");
    mkdirSync(join(dirname(real), "../../../../.bin"));
    const link = join(dirname(real), "../../../../.bin/a");
    symlinkSync(real, link);
    expect(rootsOf(link)).toEqual(["~/project/node_modules", "/usr"]);
  });

  test.each([
    ["a version of Node.js", ".nvm/versions/node/v20/bin/node", ".nvm/versions/node/v20/lib/x"],
    ["a virtual environment", "project/.venv/bin/python", "project/.venv/pyvenv.cfg"],
    ["a version manager", ".pyenv/shims/python", ".pyenv/libexec/pyenv"],
  ])("a program of %s needs the whole installation", (_name, program, mark) => {
    const { put, rootsOf } = setUp();
    put(mark);
    expect(rootsOf(put(program))).toEqual([`~/${dirname(dirname(program))}`]);
  });

  test.each([
    ["a home folder", "bin/tool", ["lib/x", ".ssh/id"], "~/bin"],
    [
      "the local packages of a user",
      ".local/bin/tool",
      ["lib/x", "share/keyrings/x"],
      "~/.local/bin",
    ],
    ["the project", "project/bin/tool", ["project/lib/x", "project/.env"], "~/project/bin"],
    ["another project", "other/bin/tool", ["other/lib/x", "other/.git/config"], "~/other/bin"],
    [
      "a package outside of node_modules",
      "own/scripts/tool",
      ["own/package.json"],
      "~/own/scripts",
    ],
  ])("a program of %s gets its own folder and no other file", (_name, program, others, root) => {
    const { put, rootsOf } = setUp();
    for (const each of others) put(each);
    expect(rootsOf(put(program))).toEqual([root]);
  });

  test("a program directly in a home folder or in the project stands alone", () => {
    const { put, rootsOf } = setUp();
    expect(rootsOf(put("tool"))).toEqual(["~/tool"]);
    expect(rootsOf(put("project/tool"))).toEqual(["~/project/tool"]);
  });

  test("a script also needs the folders of its interpreter, which may be in PATH", () => {
    const { home, put, rootsOf } = setUp();
    put("py/libexec/x");
    put("py/bin/python");
    const script = put("tools/run", "#!/usr/bin/env -S python -u\n");
    expect(rootsOf(script, join(home, "py/bin"))).toEqual(["~/tools", "~/py"]);
  });

  test("two scripts that are each other's interpreter end the search", () => {
    const { home, put, rootsOf } = setUp();
    put("loop/a", `#!${join(home, "loop/b")}\n`);
    expect(rootsOf(put("loop/b", `#!${join(home, "loop/a")}\n`))).toEqual(["~/loop"]);
  });
});
