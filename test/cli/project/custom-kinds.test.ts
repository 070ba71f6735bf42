import { describe, expect, test } from "vitest";
import { filesIn, makeProject, put, skillc } from "../support/command-line.js";
import { echoProject } from "../support/echo-kind.js";

const kind = "kinds/echo/index.ts";

test("a kind of the user's own, in TypeScript, compiles, type-checks and can be called", async () => {
  const root = makeProject(echoProject);
  expect(await skillc(root, ["generate"])).toMatchObject({ code: 0, stderr: "" });
  expect(filesIn(root)["generated/parrot/repeat.ts"]).toContain(
    'from "../../kinds/echo/runtime.js"',
  );
  const called = await skillc(root, ["call", "parrot/repeat", "--args", '{"word": "hello"}']);
  expect(JSON.parse(called.stdout)).toEqual({
    status: "success",
    data: { echo: '> {"word":"hello"}' },
  });
});

test("its own diagnostics are reported like ours, and an edit of its code counts at once", async () => {
  const root = makeProject(echoProject);
  put(
    root,
    "skills/parrot/metadata.json",
    echoProject["skills/parrot/metadata.json"].replace("> ", ""),
  );
  expect((await skillc(root, ["check"])).stderr).toContain(
    "error[echo/empty-prefix]: the prefix is empty",
  );
  put(root, kind, echoProject[kind].replace("the prefix is empty", "no prefix"));
  expect((await skillc(root, ["check"])).stderr).toContain("error[echo/empty-prefix]: no prefix");
});

const module = (text: string) => ({ ...echoProject, [kind]: text });

describe("a module that is no binding kind", () => {
  const member = (from: string, to: string) => module(echoProject[kind].replace(from, to));
  test.each([
    [
      "a file that isn't there",
      { ...echoProject, "skillc.yaml": "bindings:\n  echo: ./kinds/ecko/index.ts\n" },
      "config/binding-not-loaded",
      "./kinds/ecko/index.ts",
    ],
    [
      "a package that isn't there",
      { ...echoProject, "skillc.yaml": "bindings:\n  echo: skillc-echo\n" },
      "config/binding-not-loaded",
      "install the package",
    ],
    [
      "a syntax error",
      module("export default {"),
      "config/binding-not-loaded",
      "./kinds/echo/index.ts:1:",
    ],
    [
      "a module that throws",
      module('throw new Error("on purpose\\u001b[2J");'),
      "config/binding-not-loaded",
      "on purpose\ufffd[2J",
    ],
    [
      "no export",
      module("export const bindings = 1;"),
      "config/not-a-binding-kind",
      "did you mean `bindings`?",
    ],
    ["something else", module("export default 7;"), "config/not-a-binding-kind", "it is a number"],
    [
      "a missing member",
      member("  check() {},\n", ""),
      "config/not-a-binding-kind",
      "`check` is missing (a function)",
    ],
    [
      "a member of a wrong type",
      member('modes: ["active", "shadow"]', 'modes: ["activ"]'),
      "config/not-a-binding-kind",
      "`modes` must be a list",
    ],
    [
      "another type",
      member('type: "echo"', 'type: "ekho"'),
      "config/binding-type-differs",
      "defines the type `ekho`",
    ],
  ])("causes an error at its name in skillc.yaml: %s", async (_, files, code, told) => {
    const { code: exit, stderr } = await skillc(makeProject(files), ["check"]);
    expect(stderr).toContain(`error[${code}]`);
    expect(stderr.replace(/\s+/g, " ")).toContain(told);
    expect(stderr).toMatch(/--> skillc\.yaml:[24]:9/);
    // The tools of the missing kind are not reported too.
    expect(stderr).toContain("\n1 error\n");
    expect(exit).toBe(1);
  });
});
