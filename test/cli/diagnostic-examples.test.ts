import { describe, expect, test } from "vitest";
import { cliDiagnosticEntries } from "../../src/cli/cli-diagnostics.js";
import { makeProject, skillc } from "./support/command-line.js";

async function codesIn(root: string, ...argv: readonly string[]): Promise<readonly string[]> {
  return codesOf(root, ["generate", ...argv]);
}

async function codesOf(root: string, argv: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await skillc(root, [...argv, "--json"]);
  const { diagnostics }: { diagnostics: readonly { code: string }[] } = JSON.parse(stdout);
  return diagnostics.map((each) => each.code);
}

describe("every code that only the command line reports", () => {
  const { "output/out-of-date": outOfDate, ...others } = cliDiagnosticEntries;
  const ofLock = (code: string) => code.startsWith("lock/");
  const ofPublish = (code: string) => code.startsWith("publish/");

  test.each(Object.entries(others).filter(([code]) => ofPublish(code)))(
    "%s arises with `check --publish` alone, and not once it is mended",
    async (code, { example, fixed }) => {
      expect(await codesIn(makeProject(example))).toEqual([]);
      expect(await codesOf(makeProject(example), ["check", "--publish"])).toEqual([code]);
      expect(await codesOf(makeProject(fixed), ["check", "--publish"])).toEqual([]);
    },
  );

  test.each(Object.entries(others).filter(([code]) => !ofLock(code) && !ofPublish(code)))(
    "%s arises in its example, and not once it is mended",
    async (code, entry) => {
      expect(await codesIn(makeProject(entry.example))).toContain(code);
      expect(await codesIn(makeProject(entry.fixed))).toEqual([]);
    },
  );

  test.each(Object.entries(others).filter(([code]) => ofLock(code)))(
    "%s arises when checking, not when generating, and not once the tools are locked",
    async (code, { example, fixed }) => {
      const root = makeProject(example);
      expect(await codesIn(root)).toEqual([]);
      expect(await codesIn(root, "--check")).toEqual([code]);
      expect((await skillc(root, ["lock"])).code).toBe(0);
      expect(await codesIn(root, "--check")).toEqual([]);
      const mended = makeProject(fixed);
      await codesIn(mended);
      expect(await codesIn(mended, "--check")).toEqual([]);
    },
  );

  test("output/out-of-date arises before generating, and not after", async () => {
    const root = makeProject(outOfDate?.example);
    expect(await codesIn(root, "--check")).toContain("output/out-of-date");
    expect(await codesIn(root)).toEqual([]);
    expect(await codesIn(root, "--check")).toEqual([]);
  });
});
