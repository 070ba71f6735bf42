import { describe, expect, test } from "vitest";
import { inGenerated, makeProject, type RunOptions, skillc } from "./support/command-line.js";

describe("wrong usage", () => {
  test.each([
    [["genrate"], "did you mean `generate`?"],
    [["generate", "--wach"], "did you mean `--watch`?"],
    [["generate", "--check", "--watch"], "--check' cannot be used with option '--watch"],
    [["call"], "write `skillc call [options] <skill/tool>`"],
    [["call", "a/b", "--mode", "shadw"], "Allowed choices are active, shadow"],
    [["ledger", "lst"], "did you mean `list`?"],
    [["ledger", "list", "--limit", "0"], "It must be a whole number above 0"],
    [["ledger", "list", "--since", "yesterday"], "error: `since` is not a time: yesterday"],
    [["ledger", "list", "--since", "yesterday"], "help: write 2025-01-31T12:00:00Z, or"],
    [["ledger", "report", "--json", "--html", "x.html"], "cannot be used with"],
    [["explain", "http/unknown-paramter"], "did you mean `http/unknown-parameter`?"],
    [["call", "a/b", "--args", "{x"], "`--args` is not JSON"],
  ])("exits with 2 and suggests what to write instead: skillc %j", async (argv, told) => {
    const root = makeProject({
      "skillc.yaml": "",
      ...inGenerated([{ name: "a", tools: [{ id: "a/b", function: "b" }] }]),
    });
    const { code, stdout, stderr } = await skillc(root, argv);
    expect(stderr).toContain(told);
    expect(stderr).toMatch(/^error: /);
    expect(stdout).toBe("");
    expect(code).toBe(2);
  });

  test("prints the help if there are no arguments", async () => {
    const { code, stderr } = await skillc(makeProject(), []);
    expect(stderr).toContain("Usage: skillc");
    expect(code).toBe(2);
  });
});

describe("`--json` of a command that fails", () => {
  test.each([
    [["explain", "nope/nope", "--json"], {}, 2],
    [["call", "x/y", "--json"], {}, 1],
    [["generate", "--json"], { ".prettierrc.yaml": "a: [" }, 1],
    [["generate", "--json", "--cwd", "nowhere"], {}, 2],
  ])("prints JSON: skillc %j", async (argv, files, exit) => {
    const root = makeProject({ "skillc.yaml": "", "skills/a/SKILL.md": "# A", ...files });
    const { code, stdout, stderr } = await skillc(root, argv);
    expect(JSON.parse(stdout)).toEqual({
      error: expect.objectContaining({ message: expect.stringMatching(/./) }),
    });
    expect(stderr).toMatch(/^error: /);
    expect(code).toBe(exit);
  });
});

describe("help", () => {
  test("exits with 0 if it is a command", async () => {
    const before = process.exitCode;
    // As the program sets it, until it knows better.
    process.exitCode = 3;
    try {
      const { code, stdout } = await skillc(makeProject(), ["help"]);
      expect(stdout).toContain("Usage: skillc");
      expect(code).toBe(0);
    } finally {
      process.exitCode = before;
    }
  });

  test("names every command, with examples, and exits with 0", async () => {
    const { code, stdout, stderr } = await skillc(makeProject(), ["--help"]);
    for (const command of ["generate", "check", "call", "ledger", "explain", "init"]) {
      expect(stdout).toMatch(new RegExp(`^  ${command}\\b`, "m"));
    }
    expect(stdout).toContain("Examples:");
    expect(stderr).toBe("");
    expect(code).toBe(0);
  });

  test("contains no colours in a pipe, with NO_COLOR and with --no-color, but on a terminal and with FORCE_COLOR", async () => {
    const root = makeProject();
    const coloured = async (argv: readonly string[], options: RunOptions = {}) =>
      (await skillc(root, argv, options)).stdout.includes("\u001b[");
    expect(await coloured(["--help"])).toBe(false);
    expect(await coloured(["--help"], { isTTY: true, env: {} })).toBe(true);
    expect(await coloured(["--help"], { isTTY: true, env: { NO_COLOR: "1" } })).toBe(false);
    expect(await coloured(["--help", "--no-color"], { isTTY: true, env: {} })).toBe(false);
    expect(await coloured(["--help"], { env: { FORCE_COLOR: "1" } })).toBe(true);
    expect(await coloured(["--help"], { isTTY: true, env: { FORCE_COLOR: "0" } })).toBe(false);
    expect(await coloured(["--help"], { isTTY: true, env: { TERM: "dumb" } })).toBe(false);
  });
});

test.each([
  ["nope", "does not exist"],
  ["skillc.yaml", "is not a folder"],
])("--cwd %s is rejected as wrong usage", async (path, told) => {
  const root = makeProject({ "skillc.yaml": "" });
  for (const command of ["generate", "check", "init"]) {
    const { code, stderr } = await skillc(root, [command, "--cwd", path]);
    expect(code).toBe(2);
    expect(stderr).toContain(`error: the folder of \`--cwd\`, \`${path}\`, ${told}`);
  }
});

test("a terminal with the width 0 is treated as one of 80", async () => {
  const root = makeProject();
  const argv = ["explain", "http/unknown-parameter"];
  const nowhere = await skillc(root, argv, { isTTY: true, columns: 0 });
  expect(nowhere).toEqual(await skillc(root, argv, { isTTY: true }));
});

test("--version prints the version alone", async () => {
  expect(await skillc(makeProject(), ["--version"])).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    stderr: "",
  });
});

test("escapes in an argument never reach the terminal", async () => {
  const { stderr } = await skillc(makeProject(), ["\u001b[2Jx"]);
  expect(stderr).not.toContain("\u001b");
  expect(stderr).toContain("␛[2Jx");
});

test("an internal error exits with 3 and asks for a report, with the stack only on request", async () => {
  const broken = {
    get stdout(): never {
      throw new Error("made to fail");
    },
  };
  const { run } = await import("../../src/cli/main.js");
  const ran = async (env: Readonly<Record<string, string>>) => {
    let stderr = "";
    const io = {
      stderr: { write: (text: string) => (stderr += text) },
      stdin: (async function* () {})(),
      env,
      cwd: makeProject(),
    };
    const code = await run(
      ["explain"],
      Object.defineProperties(io, Object.getOwnPropertyDescriptors(broken)) as never,
    );
    return { code, stderr };
  };
  const calm = await ran({});
  expect(calm.code).toBe(3);
  expect(calm.stderr).toContain("made to fail");
  expect(calm.stderr).toContain("Please report it");
  expect(calm.stderr).toContain(`node ${process.version}`);
  expect(calm.stderr).not.toContain("    at ");
  expect((await ran({ SKILLC_DEBUG: "1" })).stderr).toContain("    at ");
});

test("an unknown call in the ledger is an error with a suggestion, and prints nothing to stdout", async () => {
  const { code, stdout, stderr } = await skillc(makeProject(), ["ledger", "show", "zzzz"]);
  expect(stderr).toMatch(/^error: no call has an id that begins with `zzzz`/);
  expect(stderr).toContain("= help: `skillc ledger list` shows the newest calls");
  expect([code, stdout]).toEqual([1, ""]);
});

test("a missing id of a call is an error that says where to find ids", async () => {
  const { code, stderr } = await skillc(makeProject(), ["ledger", "show"]);
  expect(code).toBe(2);
  expect(stderr).toContain("missing required argument 'id'");
  expect(stderr).toContain("`skillc ledger list` shows the calls and their ids");
});
